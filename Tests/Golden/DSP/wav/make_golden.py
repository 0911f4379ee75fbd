#!/usr/bin/env python3
"""Makes the WAV files of this folder with three independent writers, and what an independent reader
(libsndfile 1.2.0) hears in each: NAME.wav, NAME.f32 (interleaved, little-endian) and a line in index.txt.

    apt-get install sox libsndfile1
    python3 make_golden.py
"""

import array
import math
import os
import subprocess
import wave

import sndfile

here = os.path.dirname(os.path.abspath(__file__))
FRAMES = 61  # odd, so that 8- and 24-bit mono need padding


def signal(channels):
    out = []
    for n in range(FRAMES):
        for c in range(channels):
            x = math.sin(0.37 * n * (1 + 0.31 * c) + c) * (0.05 + 0.95 * n / FRAMES)
            # The extremes, exact zero and the smallest steps.
            x = {3: 1.0, 5: -1.0, 7: 0.0, 9: 2.0**-15, 11: -(2.0**-15), 13: 2.0**-23}.get(n, x)
            out.append(max(-1.0, min(1.0 - 2.0**-23, x)))
    return out


index = []


def add(name):
    path = os.path.join(here, name + ".wav")
    rate, channels, encoding, samples, _ = sndfile.read(path)
    assert len(samples) == FRAMES * channels, (name, len(samples))
    with open(os.path.join(here, name + ".f32"), "wb") as file:
        array.array("f", samples).tofile(file)
    index.append(f"{name} {rate} {channels} {encoding}")


for container in ("wav", "wavex", "rf64"):
    for encoding in sndfile.ENCODINGS:
        channels = {"wav": 1, "wavex": 2, "rf64": 1}[container]
        name = f"sndfile-{container}-{encoding}"
        sndfile.write(
            os.path.join(here, name + ".wav"), signal(channels), 22_050, channels, container, encoding)
        add(name)
for channels in (3, 6, 8):
    name = f"sndfile-wavex-s16-{channels}ch"
    sndfile.write(os.path.join(here, name + ".wav"), signal(channels), 48_000, channels, "wavex", "s16")
    add(name)
name = "sndfile-wav-s16-strings"
sndfile.write(
    os.path.join(here, name + ".wav"), signal(1), 24_000, 1, "wav", "s16",
    {"title": "Grüße", "artist": "joe", "comment": "odd", "software": "test"})
add(name)

source = os.path.join(here, "sndfile-wav-f64.wav")
SOX = {
    "u8": "-b 8 -e unsigned-integer", "s16": "-b 16 -e signed-integer", "s24": "-b 24 -e signed-integer",
    "s32": "-b 32 -e signed-integer", "f32": "-b 32 -e floating-point", "f64": "-b 64 -e floating-point",
    "alaw": "-e a-law", "ulaw": "-e u-law",
}
for encoding, options in SOX.items():
    name = f"sox-{encoding}"
    subprocess.run(["sox", "-D", source, *options.split(), os.path.join(here, name + ".wav")],
                   check=True, stderr=subprocess.DEVNULL)
    add(name)

# sox from a pipe to a pipe cannot know the length: it writes sizes near 2^31.
raw = array.array("d", signal(1)).tobytes()
with open(os.path.join(here, "sox-pipe.wav"), "wb") as file:
    sox = subprocess.run(
        "cat | sox -D -t f64 -r 22050 -c 1 - -b 16 -t wav - | cat", shell=True, input=raw, check=True,
        capture_output=True)
    file.write(sox.stdout)
add("sox-pipe")

for width in (1, 2, 3, 4):
    name = f"python-{8 * width}"
    scale = 2 ** (8 * width - 1)
    data = b""
    for x in signal(2):
        value = max(-scale, min(scale - 1, round(x * scale)))
        data += (value + 128 if width == 1 else value).to_bytes(width, "little", signed=width > 1)
    with wave.open(os.path.join(here, name + ".wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(width)
        file.setframerate(8_000)
        file.writeframes(data)
    add(name)

with open(os.path.join(here, "index.txt"), "w") as file:
    file.write("\n".join(index) + "\n")
