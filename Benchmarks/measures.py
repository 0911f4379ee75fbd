"""The measurements of one voice: pairs in turns, ours beside the peers'."""
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from contenders import OnnxRuntime, OpenVINO, StreamingVITS, Syrinx, run
from failure import DATA, Failure
from processes import Say, piper
from table import Absent, Accuracy, Row

HERE = pathlib.Path(__file__).resolve().parent
SENTENCES = {path.stem: [int(word) for word in path.read_text().split()] for path in (HERE / "ids").glob("*.ids")}
# Threads of a runtime go on spinning for a while after a run.
SETTLE = 0.2
# What a turn of counted runs should take, so that voices of any speed are measured in a bounded time.
TURN, MOST_RUNS = 2.0, 3


def note(text):
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


class Study:
    """One voice, its peers and what is measured of them.

    `streams`: beside streaming-vits too, which cuts a graph where Piper's exporter put a mask.
    """

    def __init__(self, voice, programs, cache, pairs, threads, streams):
        self.voice, self.programs, self.cache, self.pairs = voice, programs, cache, pairs
        self.threads, self.streams = threads, streams

    def rows(self, whole):
        """All rows. `whole`: (sentence, threads) that are spoken from beginning to end."""
        rows = []
        for sentence, threads in whole:
            if threads in self.threads:
                rows += self.sentence(sentence, threads)
        rows += self.loading() + self.processes() + self.accuracy()
        return rows

    def peer(self, make, title):
        """A peer, or the row that says why there is none."""
        try:
            return make(), None
        except Exception as error:  # whatever a library throws: the others are still to be measured
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            return None, Absent(title, reason[:160])

    def sentence(self, name, threads):
        ids, voice = SENTENCES[name], self.voice
        suffix = f"{len(ids)} ids, {threads} thread{'s' if threads > 1 else ''}"
        note(f"{voice.name}: {suffix}")
        runtime = OnnxRuntime(voice, threads)
        seconds, samples = min(runtime.speak(ids) for _ in range(2))
        runs = max(1, min(MOST_RUNS, int(TURN / seconds)))
        warmup = ids if seconds < 1 else SENTENCES["hello"]

        def turn(peer, sentence=ids):
            """The median of some runs after one that does not count."""
            time.sleep(SETTLE)
            peer.speak(warmup if sentence is ids else sentence)
            times = [peer.speak(ids) for _ in range(runs)]
            return statistics.median(t for t, _ in times), times[-1][1]

        def ours():
            time.sleep(SETTLE)
            return Syrinx(self.programs, voice, threads).turn(ids, runs)

        row = Row(f"{suffix}, whole / ONNX Runtime", "whole")
        rows, turns = [row], {"ours": ours, "runtime": lambda: turn(runtime)}
        other = Row(f"{suffix}, whole / OpenVINO")
        openvino, absent = self.peer(lambda: OpenVINO(voice, threads), other.title)
        rows.append(absent or other)
        if openvino:
            turns["openvino"] = lambda: turn(openvino)
        first = chunk = streaming = None
        if name == "rainbow":
            first = Row(f"{suffix}, first audio / ONNX Runtime's whole", "first audio" if threads == 2 else None)
            rows.append(first)
        if first and self.streams:
            chunk = Row(f"{suffix}, first audio / streaming-vits' first audio")
            streaming, absent = self.peer(lambda: StreamingVITS(voice, threads, self.cache), chunk.title)
            rows.append(absent or chunk)
        if streaming:
            error = streaming.error(SENTENCES["fox"], runtime)
            if not error < 1e-3:
                raise Failure(DATA, f"streaming-vits in chunks differs from the whole graph by {error:.1e}: not the same work")
            turns["streaming"] = lambda: turn(streaming)

        for pair in range(self.pairs):
            # Whoever went first goes last in the next pair.
            order = list(turns) if pair % 2 == 0 else list(turns)[::-1]
            result = {who: turns[who]() for who in order}
            mine = result["ours"]
            self.check(round(mine["audioSeconds"] * voice.rate), result["runtime"][1], "ONNX Runtime")
            row.add(mine["total"]["median"], result["runtime"][0])
            if openvino:
                self.check(result["openvino"][1], result["runtime"][1], "OpenVINO and ONNX Runtime")
                other.add(mine["total"]["median"], result["openvino"][0])
            if first:
                first.add(mine["timeToFirstAudio"]["median"], result["runtime"][0])
            if streaming:
                chunk.add(mine["timeToFirstAudio"]["median"], result["streaming"][0])
        return rows

    def check(self, a, b, who):
        """Both did the same work: a rounding of one duration may differ, a frame then."""
        if abs(a - b) > 0.005 * b:
            raise Failure(DATA, f"{self.voice.name}: {a} samples and {b} of the same ids ({who}); not the same work")

    def loading(self):
        note(f"{self.voice.name}: load")
        row = Row("model load / ONNX Runtime session creation", "load")
        for pair in range(self.pairs):
            turns = {
                "ours": lambda: Syrinx(self.programs, self.voice, 1).turn(SENTENCES["hello"], 1)["modelLoad"]["median"],
                "theirs": lambda: OnnxRuntime(self.voice, 1).load,
            }
            result = {who: turns[who]() for who in (list(turns) if pair % 2 == 0 else list(turns)[::-1])}
            row.add(result["ours"], result["theirs"])
        return [row]

    def processes(self):
        title = f"whole process, “{Say.text}” / piper"
        if not piper():
            return [Absent(title, "piper is not installed")]
        note(f"{self.voice.name}: processes")
        seconds, memory = Row(title, "process"), Row("peak memory of that process / piper's", "memory")
        with tempfile.TemporaryDirectory() as folder:
            say = Say(self.programs, self.voice, folder)
            # Once for the page cache.
            say.ours(), say.theirs()
            for pair in range(self.pairs):
                mine, theirs = (say.ours(), say.theirs()) if pair % 2 == 0 else (say.theirs(), say.ours())[::-1]
                self.check(mine[2], theirs[2], "piper")
                seconds.add(mine[0], theirs[0])
                memory.add(mine[1], theirs[1])
        return [seconds, memory]

    def accuracy(self):
        note(f"{self.voice.name}: accuracy")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            case = {"name": "fox", "ids": SENTENCES["fox"], "scales": [0.667, 1, 0.8], "seed": 5}
            (folder / "cases.json").write_text(json.dumps([case]))
            maker = HERE.parent / "Tests" / "Golden" / "make_golden.py"
            run([sys.executable, maker, self.voice.path, folder / "cases.json", folder / "golden"], "make_golden.py")
            # Its exit code tells of bounds; the figure is what is asked for here.
            output = subprocess.run(
                [self.programs / "tts-bench", "golden", self.voice.path, folder / "golden"],
                capture_output=True, text=True).stdout
        words = next((line.split() for line in output.splitlines() if line.split()[:1] == ["audio"]), [])
        if "SNR" not in words:
            raise Failure(DATA, f"{self.voice.name}: tts-bench golden tells no SNR")
        return [Accuracy("audio against ONNX Runtime's, SNR", float(words[words.index("SNR") + 1]))]
