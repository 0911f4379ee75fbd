#!/usr/bin/env python3
"""Golden loudness, measured by libebur128, and true peaks, by 16-fold Fourier interpolation with numpy.

    apt-get install libebur128-1 python3-numpy
    python3 Tests/Golden/DSP/levels/generate.py

Writes loudness.txt next to itself. A line a signal:

    RATE CHANNELS LOUDNESS TRUE_PEAK SEGMENT...

LOUDNESS in LUFS, TRUE_PEAK in dBTP. A SEGMENT is HERTZ:AMPLITUDE:SECONDS, a sine, or noise where HERTZ
is 0. Segments follow each other without a break; n counts samples from the start of the signal:

    sine    float32(AMPLITUDE * sin(2 pi HERTZ n / RATE + channel))
    noise   float32(AMPLITUDE * (s / 2^31 - 1)), s the 32-bit s <- 1664525 s + 1013904223, from s = 1,
            one step a sample and channel
"""
import ctypes
import pathlib

import numpy as np


def true_peak(x):
    """The highest over all channels, with silence before and after."""
    padded = np.pad(x.astype(float), ((4096, 4096), (0, 0)))
    n = len(padded)
    spectrum = np.fft.rfft(padded, axis=0)
    wide = np.zeros((8 * n + 1, x.shape[1]), complex)
    wide[:len(spectrum)] = spectrum
    return np.abs(np.fft.irfft(wide, 16 * n, axis=0)).max() * 16


SIGNALS = [
    (48000, 2, "1000:0.0708:20"),
    (48000, 1, "997:1:3"),
    (24000, 1, "440:0.02:2 300:0.5:2 0:0.001:3 2000:0.1:1.5"),
    (22050, 1, "0:0.3:2.5 150:0.25:2 0:0.0004:2 5000:0.05:1"),
    (16000, 1, "0:0.1:1 100:0.9:1 3000:0.3:2.05"),
    (44100, 2, "60:0.5:2 0:0.2:2 9000:0.1:2 0:0.00005:3"),
    (8000, 1, "300:0.2:2 0:0.05:2"),
    (96000, 2, "0:0.2:1 1000:0.01:3 40:0.9:1"),
    (24000, 1, "11000:0.8:1 5987:0.9:1"),
    (48000, 6, "0:0.1:3 500:0.2:2"),
    (48000, 5, "0:0.1:3 500:0.2:2"),
    (48000, 4, "0:0.1:3 500:0.2:2"),
]


class State(ctypes.Structure):
    _fields_ = [("mode", ctypes.c_int), ("channels", ctypes.c_uint), ("samplerate", ctypes.c_ulong)]


ebur128 = ctypes.CDLL("libebur128.so.1")
ebur128.ebur128_init.restype = ctypes.POINTER(State)
ebur128.ebur128_init.argtypes = [ctypes.c_uint, ctypes.c_ulong, ctypes.c_int]
INTEGRATED = 0b101


def signal(rate, channels, segments):
    samples, n, s = [], 0, 1
    for segment in segments.split():
        hertz, amplitude, seconds = map(float, segment.split(":"))
        count = int(round(seconds * rate))
        if hertz:
            t = np.arange(n, n + count)[:, None]
            block = amplitude * np.sin(2 * np.pi * hertz * t / rate + np.arange(channels)[None, :])
        else:
            values = np.empty(count * channels)
            for i in range(count * channels):
                s = (1664525 * s + 1013904223) & 0xFFFFFFFF
                values[i] = s
            block = amplitude * (values / 2.0**31 - 1).reshape(count, channels)
        samples.append(block)
        n += count
    return np.ascontiguousarray(np.concatenate(samples), dtype=np.float32)


with open(pathlib.Path(__file__).parent / "loudness.txt", "w") as out:
    for rate, channels, segments in SIGNALS:
        x = signal(rate, channels, segments)
        state = ebur128.ebur128_init(channels, rate, INTEGRATED)
        assert ebur128.ebur128_add_frames_float(
            state, x.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(x))) == 0
        loudness = ctypes.c_double()
        assert ebur128.ebur128_loudness_global(state, ctypes.byref(loudness)) == 0
        out.write(f"{rate} {channels} {loudness.value:.4f} {20 * np.log10(true_peak(x)):.4f} {segments}\n")
