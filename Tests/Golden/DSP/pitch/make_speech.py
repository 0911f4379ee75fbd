#!/usr/bin/env python3
"""Speech for the pitch tests: joe.raw, signed 16-bit little-endian mono at 22 050 Hz.

    pip install numpy onnxruntime
    ./make_speech.py en_US-joe-medium.onnx

ONNX Runtime runs the stock Piper voice `joe` (medium, CC0) on the ids of two sentences, 0.2 s of silence between
them. The seed fixes the noise for one version of ONNX Runtime only, so the sound is kept next to this script;
make_reference.py must run again whenever it changes.
"""
import pathlib
import sys

import numpy as np
import onnxruntime

SEED = 3
RATE = 22050
SENTENCES = [
    # "The quick brown fox jumps over the lazy dog."
    [1, 0, 41, 0, 59, 0, 3, 0, 23, 0, 35, 0, 120, 0, 74, 0, 23, 0, 3, 0, 15, 0, 88, 0, 120, 0, 14, 0, 100, 0, 26, 0, 3,
     0, 19, 0, 120, 0, 51, 0, 122, 0, 23, 0, 31, 0, 3, 0, 17, 0, 108, 0, 120, 0, 102, 0, 25, 0, 28, 0, 31, 0, 3, 0, 121,
     0, 27, 0, 100, 0, 34, 0, 60, 0, 3, 0, 41, 0, 59, 0, 3, 0, 24, 0, 120, 0, 18, 0, 74, 0, 38, 0, 21, 0, 3, 0, 17, 0,
     120, 0, 51, 0, 122, 0, 66, 0, 10, 0, 2],
    # "How far is it from here to the old harbour, and who was that?"
    [1, 0, 20, 0, 121, 0, 14, 0, 100, 0, 3, 0, 19, 0, 120, 0, 51, 0, 122, 0, 88, 0, 3, 0, 74, 0, 38, 0, 3, 0, 74, 0, 32,
     0, 3, 0, 19, 0, 88, 0, 102, 0, 25, 0, 3, 0, 20, 0, 120, 0, 74, 0, 88, 0, 3, 0, 32, 0, 59, 0, 3, 0, 41, 0, 74, 0, 3,
     0, 120, 0, 27, 0, 100, 0, 24, 0, 17, 0, 3, 0, 20, 0, 120, 0, 51, 0, 122, 0, 88, 0, 15, 0, 60, 0, 8, 0, 3, 0, 39, 0,
     26, 0, 17, 0, 3, 0, 20, 0, 121, 0, 33, 0, 122, 0, 3, 0, 35, 0, 102, 0, 38, 0, 3, 0, 41, 0, 120, 0, 39, 0, 32, 0, 13,
     0, 2],
]

onnxruntime.set_seed(SEED)
session = onnxruntime.InferenceSession(sys.argv[1])
pieces = []
for ids in SENTENCES:
    feed = {
        "input": np.array([ids], dtype=np.int64),
        "input_lengths": np.array([len(ids)], dtype=np.int64),
        "scales": np.array([0.667, 1.0, 0.8], dtype=np.float32),
    }
    pieces += [session.run(None, feed)[0].reshape(-1), np.zeros(RATE // 5, dtype=np.float32)]
speech = np.concatenate(pieces[:-1])
samples = np.clip(np.rint(speech * 32767), -32768, 32767).astype("<i2")
samples.tofile(pathlib.Path(__file__).with_name("joe.raw"))
print(f"{len(samples)} samples, {len(samples) / RATE:.2f} s, peak {np.abs(speech).max():.3f}")
