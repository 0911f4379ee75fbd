// Whoever imports Syrinx names an output, a strategy or a playback error without a second import.
@_exported import Playback
