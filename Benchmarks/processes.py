"""Whole processes, from the start to a WAV file: seconds, peak memory and samples."""
import pathlib
import shutil
import subprocess
import sys
import wave

from contenders import run
from failure import UNAVAILABLE, Failure

# A process counts the memory of the one that forked it as its own peak: a small one starts it.
TIMED = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def timed(command, output):
    words = run([sys.executable, "-S", "-c", TIMED, *command], command[0]).split()
    if int(words[2]) != 0:
        raise Failure(UNAVAILABLE, f"{pathlib.Path(command[0]).name} failed with exit code {words[2]}")
    try:
        with wave.open(str(output)) as file:
            return float(words[0]), int(words[1]) << 10, file.getnframes()
    except (wave.Error, EOFError, FileNotFoundError):
        raise Failure(UNAVAILABLE, f"{pathlib.Path(command[0]).name} wrote no WAV file") from None


def piper():
    """The path of the peer's program, or nothing."""
    beside = pathlib.Path(sys.executable).parent / "piper"
    return beside if beside.exists() else shutil.which("piper")


class Say:
    """`syrinx say "Hello world." -o x.wav` and piper's own command, with the same scales."""

    text = "Hello world."

    def __init__(self, programs, voice, folder):
        self.programs, self.voice, self.folder = programs, voice, pathlib.Path(folder)

    def ours(self):
        output = self.folder / "ours.wav"
        return timed(
            [self.programs / "syrinx", "say", "--voice", self.voice.path, "--noise-w", "0", "-o", output, self.text], output)

    def theirs(self):
        output = self.folder / "theirs.wav"
        return timed([piper(), "-m", self.voice.path, "--noise-w-scale", "0", "-f", output, "--", self.text], output)
