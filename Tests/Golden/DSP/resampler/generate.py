#!/usr/bin/env python3
"""Golden data for the resampler, made with numpy: band-limited interpolation by Fourier transform.

    apt-get install python3-numpy
    python3 Tests/Golden/DSP/resampler/generate.py

Writes next to itself, as raw little-endian float32:

    chirp-FROM-for-TO.f32 a quarter of a second of a sweep from 50 Hz to 0.7 of the lower Nyquist frequency of
                          the pair, with faded ends: inside every preset's pass band
    chirp-FROM-to-TO.f32   the same at the rate TO
"""
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
PAIRS = [(22050, 24000), (16000, 24000), (22050, 48000), (22050, 16000), (44100, 8000), (22050, 44100)]


def resample(x, source, target):
    """Exact for a signal with silence around it: the spectrum of two seconds, cut or padded."""
    padded = np.zeros(2 * source)
    padded[:len(x)] = x
    padded = np.roll(padded, source)
    spectrum = np.fft.rfft(padded)
    wide = np.zeros(target + 1, complex)
    count = min(len(spectrum), len(wide))
    wide[:count] = spectrum[:count]
    y = np.roll(np.fft.irfft(wide, 2 * target), -target) * target / source
    return y[:-(-len(x) * target // source)].astype(np.float32)


for source, target in PAIRS:
    n = source // 4
    t = np.arange(n) / source
    top = 0.7 * min(source, target) / 2
    phase = 2 * np.pi * (50 * t + (top - 50) * t * t / (2 * n / source))
    fade = np.minimum(1, np.minimum(np.arange(n), np.arange(n)[::-1]) / (n / 8))
    x = (0.8 * np.sin(phase) * np.sin(np.pi / 2 * fade) ** 2).astype(np.float32)
    x.tofile(HERE / f"chirp-{source}-for-{target}.f32")
    resample(x, source, target).tofile(HERE / f"chirp-{source}-to-{target}.f32")
