// A remote source is of use in a synthesizer alone.
@_exported import Syrinx
