#!/usr/bin/env python3
"""Says what independent readers hear in a WAV file, one `key: value` a line, for the tests to compare.

    describe_wav.py sndfile FILE OUT.f32     libsndfile: format, strings; the samples go to OUT.f32
    describe_wav.py wave FILE                Python's wave: format, and the bytes of the samples in hexadecimal
"""

import sys
import wave

if sys.argv[1] == "sndfile":
    import sndfile

    rate, channels, encoding, samples, strings = sndfile.read(sys.argv[2])
    with open(sys.argv[3], "wb") as file:
        samples.tofile(file)
    print(f"rate: {rate}\nchannels: {channels}\nencoding: {encoding}\nframes: {len(samples) // channels}")
    for name, text in strings.items():
        print(f"{name}: {text}")
else:
    with wave.open(sys.argv[2]) as file:
        print(f"rate: {file.getframerate()}\nchannels: {file.getnchannels()}\nwidth: {file.getsampwidth()}")
        print(f"frames: {file.getnframes()}\nbytes: {file.readframes(file.getnframes()).hex()}")
