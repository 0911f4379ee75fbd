#!/usr/bin/env python3
"""Times Syrinx beside its peers on the same ids in the same run, alternating.

Usage: peers.py --voice VOICE.onnx [--pairs 10] [--threads 1 2] [--json FILE] [--markdown FILE]
Needs: pip install onnxruntime numpy; piper-tts and openvino are measured where they are installed.

Machines are shared and noisy: every figure is the median of ratios of neighbours in time, with the middle
half of the ratios beside it, never a single absolute time.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / ".build" / "release"

SENTENCES = {
    "short": "Hello world.",
    "medium": "The quick brown fox jumps over the lazy dog.",
    "long": "A rainbow is a meteorological phenomenon that is caused by reflection, refraction and dispersion of "
    "light in water droplets resulting in a spectrum of light appearing in the sky.",
}


def phonemes(voice, text):
    output = subprocess.run(
        [PROGRAMS / "syrinx", "phonemes", "--voice", voice, "--json", "--", text],
        check=True, capture_output=True, text=True).stdout
    return [id for sentence in json.loads(output)["sentences"] for id in sentence["ids"]]


class OnnxRuntime:
    def __init__(self, voice, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        start = time.perf_counter()
        self.session = onnxruntime.InferenceSession(voice, options, providers=["CPUExecutionProvider"])
        self.load = time.perf_counter() - start
        self.wants_speaker = any(i.name == "sid" for i in self.session.get_inputs())

    def speak(self, ids, scales):
        feed = {
            "input": numpy.array([ids], dtype=numpy.int64),
            "input_lengths": numpy.array([len(ids)], dtype=numpy.int64),
            "scales": numpy.array(scales, dtype=numpy.float32),
        }
        if self.wants_speaker:
            feed["sid"] = numpy.array([0], dtype=numpy.int64)
        start = time.perf_counter()
        samples = self.session.run(None, feed)[0].size
        return time.perf_counter() - start, samples


class Syrinx:
    """`tts-bench run`: one process a turn, warmed up by a run that is not counted."""

    def __init__(self, voice, threads):
        self.voice, self.threads = voice, threads

    def speak(self, ids, runs):
        with tempfile.NamedTemporaryFile("w", suffix=".ids") as file, tempfile.NamedTemporaryFile(suffix=".json") as result:
            file.write(" ".join(map(str, ids)) + "\n")
            file.flush()
            subprocess.run(
                [PROGRAMS / "tts-bench", "run", "--voice", self.voice, "--ids", file.name, "--threads",
                 str(self.threads), "--runs", str(runs), "--json", result.name],
                check=True, stdout=subprocess.DEVNULL)
            return json.load(open(result.name))


def spread(ratios):
    ordered = sorted(ratios)
    return {
        "median": statistics.median(ordered),
        "low": ordered[len(ordered) // 4],
        "high": ordered[-1 - len(ordered) // 4],
        "pairs": len(ordered),
    }


def inference(voice, threads, pairs, runs):
    """Time by audio of both, in turns; and the first audio against the peer's whole sentence."""
    peer = OnnxRuntime(voice, threads)
    ours = Syrinx(voice, threads)
    scales = json.load(open(voice + ".json")).get("inference", {})
    scales = [scales.get("noise_scale", 0.667), scales.get("length_scale", 1.0), scales.get("noise_w", 0.8)]
    rate = json.load(open(voice + ".json"))["audio"]["sample_rate"]
    results = {}
    for name in ("medium", "long"):
        ids = phonemes(voice, SENTENCES[name])
        peer.speak(ids, scales)
        whole, first = [], []
        for _ in range(pairs):
            mine = ours.speak(ids, runs)
            theirs = [peer.speak(ids, scales) for _ in range(runs)]
            their_rtf = statistics.median(t / (n / rate) for t, n in theirs)
            their_time = statistics.median(t for t, _ in theirs)
            whole.append(mine["rtf"]["median"] / their_rtf)
            first.append(mine["timeToFirstAudio"]["median"] / their_time)
        results[f"{name} sentence, {len(ids)} ids, whole, {threads} threads"] = spread(whole)
        results[f"{name} sentence, {len(ids)} ids, first audio / ONNX Runtime's whole, {threads} threads"] = spread(first)
    return results


def loading(voice, pairs):
    ratios = []
    ids = phonemes(voice, SENTENCES["short"])
    for _ in range(pairs):
        mine = Syrinx(voice, 1).speak(ids, 1)["modelLoad"]["median"]
        ratios.append(mine / OnnxRuntime(voice, 1).load)
    return {"model load / ONNX Runtime session creation": spread(ratios)}


# A process counts the memory of the one that forked it as its own peak: a small one starts it.
TIMED = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss, status)
"""


def timed(command):
    output = subprocess.run(
        [sys.executable, "-S", "-c", TIMED, *map(str, command)], check=True, capture_output=True, text=True).stdout
    seconds, memory, status = output.split()
    if int(status) != 0:
        raise SystemExit(f"{command[0]} failed with status {status}")
    return float(seconds), int(memory)


def processes(voice, pairs):
    """The whole process, from the shell to a WAV file."""
    piper = shutil.which("piper")
    if not piper:
        return {}
    times, memory = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(pairs):
            mine = timed([PROGRAMS / "syrinx", "say", "--voice", voice, "-o", f"{folder}/a.wav", "Hello world."])
            theirs = timed([piper, "-m", voice, "-f", f"{folder}/b.wav", "--", "Hello world."])
            times.append(mine[0] / theirs[0])
            memory.append(mine[1] / theirs[1])
    return {"process / piper": spread(times), "peak memory / piper": spread(memory)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--voice", required=True)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3, help="runs of each in a turn; their median counts")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    arguments = parser.parse_args()
    results = {}
    for threads in arguments.threads:
        results |= inference(arguments.voice, threads, arguments.pairs, arguments.runs)
    results |= loading(arguments.voice, arguments.pairs)
    results |= processes(arguments.voice, arguments.pairs)
    lines = ["| ratio to the peer, lower is better | median | middle half | pairs |", "|---|---|---|---|"]
    for name, value in results.items():
        lines.append(f"| {name} | {value['median']:.3f} | {value['low']:.3f} – {value['high']:.3f} | {value['pairs']} |")
    table = "\n".join(lines)
    print(table)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n")
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(table + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
