"""What is timed: Syrinx and its peers, each behind `speak(ids)` → (seconds, samples)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

from failure import DATA, UNAVAILABLE, Failure


def run(command, what):
    """What a program prints; one line where it fails."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines()
        raise Failure(UNAVAILABLE, f"{what} failed with exit code {result.returncode}: {lines[-1] if lines else 'no message'}")
    return result.stdout


class Voice:
    """A voice, and the scales that everybody speaks it with."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        try:
            configuration = json.loads(pathlib.Path(f"{path}.json").read_text())
            self.rate = configuration["audio"]["sample_rate"]
            inference = configuration.get("inference", {})
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Failure(DATA, f"{path}.json is not what belongs to a Piper voice") from None
        # Without noise in the durations the same ids give everybody the same number of samples.
        self.scales = [inference.get("noise_scale", 0.667), inference.get("length_scale", 1.0), 0.0]

    def feed(self, ids):
        return {
            "input": numpy.array([ids], dtype=numpy.int64),
            "input_lengths": numpy.array([len(ids)], dtype=numpy.int64),
            "scales": numpy.array(self.scales, dtype=numpy.float32),
        }


class Syrinx:
    """`tts-bench run`: one process a turn, warmed up by a run that is not counted."""

    def __init__(self, programs, voice, threads):
        self.programs, self.voice, self.threads = programs, voice, threads

    def turn(self, ids, runs):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "ids").write_text(" ".join(map(str, ids)) + "\n")
            run(
                [self.programs / "tts-bench", "run", "--voice", self.voice.path, "--ids", folder / "ids", "--noise-w", 0,
                 "--threads", self.threads, "--runs", runs, "--processes", 0, "--json", folder / "result.json"],
                "tts-bench run")
            return json.loads((folder / "result.json").read_text())


class OnnxRuntime:
    name = "ONNX Runtime"

    def __init__(self, voice, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.voice = voice
        start = time.perf_counter()
        try:
            self.session = onnxruntime.InferenceSession(str(voice.path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its own kinds, which have no common one
            raise Failure(DATA, f"ONNX Runtime cannot open {voice.path}: {str(error).splitlines()[0]}") from None
        self.load = time.perf_counter() - start

    def speak(self, ids):
        feed = self.voice.feed(ids)
        start = time.perf_counter()
        samples = self.session.run(None, feed)[0].size
        return time.perf_counter() - start, samples


class OpenVINO:
    """The CPU plugin, reading the ONNX file itself, in float32."""

    name = "OpenVINO"

    def __init__(self, voice, threads):
        import openvino

        self.voice = voice
        options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        compiled = openvino.Core().compile_model(str(voice.path), "CPU", options)
        if compiled.get_property("INFERENCE_PRECISION_HINT").to_string() != "f32":
            raise RuntimeError("does not keep to float32")
        self.request = compiled.create_infer_request()

    def speak(self, ids):
        feed = self.voice.feed(ids)
        start = time.perf_counter()
        samples = next(iter(self.request.infer(feed).values())).size
        return time.perf_counter() - start, samples


class StreamingVITS:
    """streaming-vits: the graph cut at z_p, the decoder over windows of frames; here until its first chunk.

    It has measured the voice and this machine before (its `calibrate`), which chooses margins and chunks. Its other
    decoder, with carried state, needs PyTorch.
    """

    name = "streaming-vits"

    def __init__(self, voice, threads, cache):
        from streaming_vits import calibrate
        from streaming_vits.engine import StreamingTTS
        from streaming_vits.profile import Profile

        self.voice = voice
        folder = pathlib.Path(cache) / "streaming-vits" / voice.name
        folder.mkdir(parents=True, exist_ok=True)
        # Margins belong to the weights, chunks to the number of threads.
        saved, margins = folder / f"{threads}.json", folder / "1.json"
        profile = Profile.load(saved) if saved.exists() else Profile(threads=threads)
        with quiet():
            self.engine = StreamingTTS(voice.path, threads=threads, cache=folder, profile=profile, verbose=False)
            if not saved.exists():
                if margins.exists():
                    profile.left, profile.right = (getattr(Profile.load(margins), side) for side in ("left", "right"))
                calibrate.calibrate(self.engine, skip_margins=margins.exists(), reply_ids=383, verbose=False)
                profile.save(saved)
        self.chunk = self.engine.profile.schedule[0]

    def speak(self, ids):
        feed = self.voice.feed(ids)
        start = time.perf_counter()
        latent = self.engine.frontend(feed["input"], scales=feed["scales"])
        samples = self.engine.decode_chunk(*latent, 0, min(self.chunk, latent[0].shape[2])).size
        return time.perf_counter() - start, samples

    def error(self, ids, runtime):
        """The largest difference between a sentence in chunks and what the uncut graph makes of it, without noise."""
        feed = {**self.voice.feed(ids), "scales": numpy.array([0, 1, 0], numpy.float32)}
        latent = self.engine.frontend(feed["input"], scales=feed["scales"])
        frames, parts, start = latent[0].shape[2], [], 0
        sizes = iter(self.engine.profile.schedule)
        size = 0
        while start < frames:
            size = next(sizes, size)
            end = min(start + size, frames)
            parts.append(self.engine.decode_chunk(*latent, start, end))
            start = end
        whole, chunked = runtime.session.run(None, feed)[0].reshape(-1), numpy.concatenate(parts)
        return float(numpy.abs(chunked - whole).max()) if chunked.size == whole.size else float("inf")


class quiet:
    """Keeps a library's notes off the terminal."""

    def __enter__(self):
        sys.stderr.flush()
        self.saved = os.dup(2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)

    def __exit__(self, *_):
        os.dup2(self.saved, 2)
        os.close(self.saved)
