#!/usr/bin/env python3
"""Times Syrinx beside its peers on the same ids in the same run, in turns.

Usage: peers.py --voice VOICE.onnx [--pairs 10] [--voices joe high x_low] [--threads 1 2]
                [--json FILE] [--markdown FILE] [--readme FILE]
Needs: pip install -r requirements.txt, and `swift build -c release`; `make bench` does both.

Machines are shared and noisy: every figure is the median of ratios of neighbours in time, with the middle half
of the ratios beside it, never a single absolute time. The voices `high` and `x_low` have random weights and are
made here (Tests/Golden/make_voice.py). Exit codes: 0 done, whatever the figures; 64 usage, 65 the results are
of unequal work, 66 a file is missing, 69 a program or package is missing or failed, 130 interrupted.
"""
import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import signal
import sys
import tempfile
import time

from failure import NO_INPUT, UNAVAILABLE, USAGE, Failure

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["joe", "high", "x_low"]
TITLES = {
    "joe": "`en_US-joe-medium`",
    "high": "`high` shape, random weights",
    "x_low": "`x_low` shape, random weights",
}
# What is spoken from beginning to end; the long sentence of `high` on one thread would take half of all the time.
WHOLE = {
    "joe": [("fox", 1), ("fox", 2), ("rainbow", 1), ("rainbow", 2)],
    "high": [("fox", 1), ("fox", 2), ("rainbow", 2)],
    "x_low": [("fox", 1), ("fox", 2), ("rainbow", 1), ("rainbow", 2)],
}
# The README's table takes no less.
LEAST_PAIRS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.error = lambda message: (_ for _ in ()).throw(Failure(USAGE, message))
    parser.add_argument("--voice", required=True, help="the default voice, en_US-joe-medium")
    parser.add_argument("--pairs", type=int, default=LEAST_PAIRS)
    parser.add_argument("--voices", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--threads", type=int, nargs="+", choices=[1, 2], default=[1, 2])
    parser.add_argument("--programs", default=ROOT / ".build" / "release", help="folder of the built programs")
    parser.add_argument("--cache", default=ROOT / ".build" / "peers", help="folder for what need not be made anew")
    parser.add_argument("--json", help="write all ratios as JSON")
    parser.add_argument("--markdown", help="write the table")
    parser.add_argument("--readme", help="put the table between its marks in this file")
    given = parser.parse_args()
    if given.pairs < 1:
        raise Failure(USAGE, f"--pairs cannot be {given.pairs}, expected 1 or more")
    whole = given.pairs >= LEAST_PAIRS and set(given.voices) == set(NAMES) and set(given.threads) == {1, 2}
    if given.readme and not whole:
        raise Failure(USAGE, f"--readme takes all voices, both thread counts and at least {LEAST_PAIRS} pairs")
    return given


def existing(path, hint, code=NO_INPUT):
    path = pathlib.Path(path)
    if not path.is_file():
        raise Failure(code, f"there is no {path}; {hint}")
    return path


def made(name, cache):
    """A voice with random weights of a shape: made once."""
    path = pathlib.Path(cache) / "voices" / f"{name}.onnx"
    if not (path.exists() and pathlib.Path(f"{path}.json").exists()):
        from contenders import run

        path.parent.mkdir(parents=True, exist_ok=True)
        # Beside its place and then moved there, so that a voice in its place is whole.
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            new = pathlib.Path(folder) / path.name
            run([sys.executable, ROOT / "Tests/Golden/make_voice.py", new, "--preset", name], "make_voice.py")
            for suffix in ("", ".json"):
                os.replace(f"{new}{suffix}", f"{path}{suffix}")
    return path


def machine(programs):
    from contenders import run

    processor = next(
        (line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine())
    versions = {name: importlib.metadata.version(name) for name in ("onnxruntime", "openvino", "piper-tts", "streaming-vits")}
    run([programs / "tts-bench", "--version"], "tts-bench")
    return {"cpu": processor, "cores": os.cpu_count(), "versions": versions}


def main():
    given = arguments()
    programs = pathlib.Path(given.programs).resolve()
    for name in ("tts-bench", "syrinx"):
        existing(programs / name, "build with: swift build -c release", UNAVAILABLE)
    default = existing(given.voice, "fetch it with: weights/fetch").resolve()
    existing(f"{default}.json", "it belongs to the voice")
    try:
        from contenders import Voice
        from measures import Study
        from table import markdown, put
        about = machine(programs)
    except ImportError as error:
        name = getattr(error, "name", None) or error
        raise Failure(UNAVAILABLE, f"the Python package {name} is missing; pip install -r {ROOT}/Benchmarks/requirements.txt")
    readme = existing(given.readme, "name the README").read_text() if given.readme else None
    if readme is not None:
        put(readme, "", given.readme)  # what is wrong with it shows before the work and not after
    sections, begin = [], time.monotonic()
    for name in given.voices:
        voice = Voice(name, default if name == "joe" else made(name, given.cache))
        study = Study(voice, programs, given.cache, given.pairs, given.threads, streams=name == "joe")
        sections.append((name, study.rows(WHOLE[name])))
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    table = (
        f"{about['cores']} cores of {about['cpu']}; float32; {given.pairs} pair{'s' if given.pairs > 1 else ''}; {versions}:\n\n"
        + markdown([(TITLES[name], rows) for name, rows in sections]))
    print(table)
    print(f"took {(time.monotonic() - begin) / 60:.1f} minutes", file=sys.stderr)
    if given.json:
        results = {name: {row.title: row.json() for row in rows} for name, rows in sections}
        pathlib.Path(given.json).write_text(json.dumps({**about, "pairs": given.pairs, "voices": results}, indent=1) + "\n")
    if given.markdown:
        pathlib.Path(given.markdown).write_text(table + "\n")
    if given.readme:
        # Read again: it may have been edited in the meantime.
        text = put(pathlib.Path(given.readme).read_text(), table, given.readme)
        pathlib.Path(given.readme).write_text(text)


if __name__ == "__main__":
    # So that temporary folders go when the program is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except Failure as failure:
        print(f"peers.py: {failure}", file=sys.stderr)
        sys.exit(failure.code)
    except OSError as error:
        print(f"peers.py: {error.strerror}: {error.filename}", file=sys.stderr)
        sys.exit(74)
    except KeyboardInterrupt:
        sys.exit(130)
