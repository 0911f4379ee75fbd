"""Tests of weights/fetch. No network: pip takes a small voice from a directory, or is played by a stand-in."""
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import zipfile

FETCH = pathlib.Path(__file__).resolve().parents[1] / "fetch"
ONNX = bytes(range(256)) * 1000
CONFIG = b'{"audio": {"sample_rate": 16000}}\n'

# Does what the environment says instead of downloading; PIP_CALLS counts its calls.
STAND_IN = textwrap.dedent("""
    import os, pathlib, shutil, sys, time
    calls = pathlib.Path(os.environ["PIP_CALLS"])
    count = len(calls.read_text()) + 1 if calls.exists() else 1
    calls.write_text("x" * count)
    acts = os.environ["PIP_ACTS"].split(",")
    act = acts[min(count, len(acts)) - 1]
    wheel = pathlib.Path(os.environ["PIP_WHEEL"])
    folder = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
    if act == "hang":
        (folder / "half.whl").write_bytes(wheel.read_bytes()[:100])
        parent = os.getppid()
        while os.getppid() == parent:
            time.sleep(0.05)
    elif act == "good":
        shutil.copy(wheel, folder)
    elif act == "flipped":
        data = bytearray(wheel.read_bytes())
        data[len(data) // 2] ^= 1
        (folder / wheel.name).write_bytes(data)
    elif act == "cut":
        (folder / wheel.name).write_bytes(wheel.read_bytes()[:5000])
    elif act == "nothing":
        pass
    else:
        sys.exit({
            "offline": "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(': Failed to "
                       "establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/\\n"
                       "ERROR: Could not find a version that satisfies the requirement tiny (from versions: none)\\n"
                       "ERROR: No matching distribution found for tiny",
            "full": "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "unknown": "ERROR: No matching distribution found for tiny-voice==1.0\\n",
            "nopip": sys.executable + ": No module named pip",
            "broken": "urllib3.exceptions.ProtocolError: ('Connection broken: IncompleteRead(7 bytes read)', ...)",
        }[act])
""")


def file_entry(name, data):
    return {"name": name, "from": f"tiny_voice/data/{name}", "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}


class FetchTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        self.voices = self.root / "voices"
        self.catalogue = self.root / "voices.json"
        self.write_catalogue([file_entry("tiny.onnx", ONNX), file_entry("tiny.onnx.json", CONFIG)])
        self.wheel = self.root / "wheels" / "tiny_voice-1.0-py3-none-any.whl"
        self.write_wheel({"tiny.onnx": ONNX, "tiny.onnx.json": CONFIG})

    def write_catalogue(self, files):
        self.catalogue.write_text(json.dumps({"default": "tiny", "voices": [
            {"id": "tiny", "language": "en_US", "licence": "CC0-1.0", "files": files,
             "source": {"pip": "tiny-voice", "version": "1.0"}}]}))

    def write_wheel(self, files):
        self.wheel.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(self.wheel, "w") as archive:
            for name, data in files.items():
                archive.writestr(f"tiny_voice/data/{name}", data)
            archive.writestr("tiny_voice-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-voice\nVersion: 1.0\n")
            archive.writestr("tiny_voice-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr("tiny_voice-1.0.dist-info/RECORD", "")

    def environment(self, acts=None):
        """With `acts`, pip is the stand-in; without, it is the real one, which has only the directory of wheels."""
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("PIP_") and key not in ("SYRINX_VOICES", "XDG_DATA_HOME")}
        environment.update(HOME=str(self.root / "home"), PIP_CONFIG_FILE=os.devnull, PIP_NO_INDEX="1",
                           PIP_FIND_LINKS=str(self.wheel.parent))
        if acts:
            package = self.root / "stand-in" / "pip"
            package.mkdir(parents=True, exist_ok=True)
            (package / "__init__.py").touch()
            (package / "__main__.py").write_text(STAND_IN)
            environment.update(PYTHONPATH=str(package.parent), PIP_ACTS=acts, PIP_WHEEL=str(self.wheel),
                               PIP_CALLS=str(self.root / "calls"))
        return environment

    def command(self, *arguments):
        return [sys.executable, str(FETCH), "--catalogue", str(self.catalogue), "--to", str(self.voices), *arguments]

    def fetch(self, *arguments, acts=None):
        return subprocess.run(self.command(*arguments), env=self.environment(acts), capture_output=True, text=True,
                              timeout=60)

    def calls(self):
        path = self.root / "calls"
        return len(path.read_text()) if path.exists() else 0

    def assert_in_place(self):
        self.assertEqual((self.voices / "tiny.onnx").read_bytes(), ONNX)
        self.assertEqual((self.voices / "tiny.onnx.json").read_bytes(), CONFIG)
        self.assert_nothing_else()

    def assert_nothing_else(self):
        """No partial file, under any name."""
        names = {path.name for path in self.voices.glob("*")} | {path.name for path in self.voices.glob(".*")}
        self.assertLessEqual(names, {"tiny.onnx", "tiny.onnx.json", ".fetch.lock"})

    def assert_one_line(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertTrue(last.startswith("weights/fetch: "), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        for word in words:
            self.assertIn(word, last)

    # What goes well

    def test_the_real_pip_fetches_a_voice_and_the_path_is_printed(self):
        result = self.fetch()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, f"{self.voices}/tiny.onnx\n")
        self.assert_in_place()

    def test_a_second_fetch_downloads_nothing(self):
        self.fetch(acts="good")
        before = (self.voices / "tiny.onnx").stat().st_mtime_ns
        result = self.fetch("tiny", "tiny", acts="good")
        self.assertEqual((result.returncode, result.stderr, self.calls()), (0, "", 1))
        self.assertEqual(result.stdout, f"{self.voices}/tiny.onnx\n")
        self.assertEqual((self.voices / "tiny.onnx").stat().st_mtime_ns, before)

    def test_the_destination_comes_from_the_environment(self):
        for variables, expected in [
            ({"SYRINX_VOICES": str(self.root / "a b")}, self.root / "a b"),
            ({"SYRINX_VOICES": f":{self.root / 'first'}:/nowhere"}, self.root / "first"),
            ({"XDG_DATA_HOME": str(self.root / "data")}, self.root / "data/syrinx/voices"),
            ({"XDG_DATA_HOME": "relative"}, self.root / "home/.local/share/syrinx/voices"),
            ({}, self.root / "home/.local/share/syrinx/voices"),
        ]:
            with self.subTest(variables):
                result = subprocess.run(
                    [sys.executable, FETCH, "--catalogue", self.catalogue], env={**self.environment("good"), **variables},
                    capture_output=True, text=True, timeout=60)
                self.assertEqual(result.stdout, f"{expected}/tiny.onnx\n", result.stderr)
                self.assertEqual((expected / "tiny.onnx").read_bytes(), ONNX)

    def test_two_at_once_both_succeed_with_one_download(self):
        running = [subprocess.Popen(self.command(), env=self.environment("good"), stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE) for _ in range(2)]
        for process in running:
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
        self.assertEqual(self.calls(), 1)
        self.assert_in_place()

    # Damage in place

    def test_a_damaged_file_in_place_is_named_and_replaced(self):
        for damage in (ONNX[:-1], b"", ONNX[:-1] + b"\0", ONNX + b"\0"):
            with self.subTest(len(damage)):
                self.fetch()
                (self.voices / "tiny.onnx").write_bytes(damage)
                check = self.fetch("--verify")
                self.assertEqual(check.returncode, 65)
                self.assertIn(f"{self.voices}/tiny.onnx: damaged", check.stdout)
                self.assertIn("tiny.onnx.json: ok", check.stdout)
                result = self.fetch()
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"{self.voices}/tiny.onnx: damaged", result.stderr)
                self.assert_in_place()
                self.assertEqual(self.fetch("--verify").returncode, 0)

    def test_verify_names_missing_files_and_changes_nothing(self):
        result = self.fetch("--verify")
        self.assert_one_line(result, 65, "2 file(s) missing or damaged")
        self.assertIn("tiny.onnx: missing", result.stdout)
        self.assertFalse(self.voices.exists())

    def test_a_directory_in_the_place_of_a_file_is_an_error_of_one_line(self):
        (self.voices / "tiny.onnx").mkdir(parents=True)
        self.assert_one_line(self.fetch(acts="good"), 74, "tiny.onnx")

    # Damage on the way

    def test_a_damaged_download_is_named_and_tried_again(self):
        for act in ("flipped", "cut", "nothing", "broken"):
            with self.subTest(act):
                (self.root / "calls").unlink(missing_ok=True)
                for path in self.voices.glob("tiny*"):
                    path.unlink()
                result = self.fetch(acts=f"{act},good")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("tiny: the download is damaged", result.stderr)
                self.assertEqual(self.calls(), 2)
                self.assert_in_place()

    def test_damage_that_stays_is_never_put_in_place(self):
        for act in ("flipped", "cut", "nothing", "broken"):
            with self.subTest(act):
                self.assert_one_line(self.fetch(acts=act), 65, "damaged 2 times")
                self.assertFalse((self.voices / "tiny.onnx").exists())
                self.assert_nothing_else()

    def test_a_wheel_with_other_contents_is_refused(self):
        for contents in ({"tiny.onnx": ONNX[::-1], "tiny.onnx.json": CONFIG}, {"tiny.onnx": ONNX + ONNX, "tiny.onnx.json": CONFIG},
                         {"tiny.onnx.json": CONFIG}):
            with self.subTest(list(contents)):
                self.write_wheel(contents)
                self.assert_one_line(self.fetch(acts="good"), 65, "tiny.onnx")
                self.assertFalse((self.voices / "tiny.onnx").exists())

    def test_a_damaged_download_leaves_a_good_file_alone(self):
        self.fetch()
        (self.voices / "tiny.onnx.json").unlink()
        before = (self.voices / "tiny.onnx").stat().st_mtime_ns
        self.assert_one_line(self.fetch(acts="cut"), 65)
        self.assertEqual((self.voices / "tiny.onnx").stat().st_mtime_ns, before)

    # Interruption

    def start_hanging(self):
        process = subprocess.Popen(self.command(), env=self.environment("hang"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(500):
            if list(self.voices.glob(".fetch-*/half.whl")):
                return process
            time.sleep(0.02)
        process.kill()
        self.fail("the download did not begin: " + process.communicate()[1])

    def test_an_interrupted_fetch_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                process = self.start_hanging()
                process.send_signal(number)
                _, errors = process.communicate(timeout=30)
                self.assertEqual(process.returncode, 130)
                self.assertTrue(errors.splitlines()[-1].startswith("weights/fetch: interrupted"), errors)
                self.assert_nothing_else()

    def test_what_a_killed_fetch_leaves_is_removed_and_never_used(self):
        process = self.start_hanging()
        process.kill()
        process.communicate(timeout=30)
        self.assertTrue(list(self.voices.glob(".fetch-*")))
        (self.root / "calls").unlink()
        result = self.fetch(acts="good")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("removing what an interrupted fetch left", result.stderr)
        self.assert_in_place()

    # What cannot go well

    def test_each_cause_has_one_clear_line(self):
        for act, code, words in (
            ("offline", 69, "no network"), ("full", 74, "disk"), ("nopip", 69, "apt-get install python3-pip"),
            ("unknown", 69, "No matching distribution found for tiny-voice==1.0"),
        ):
            with self.subTest(act):
                result = self.fetch(acts=act)
                self.assert_one_line(result, code, words)
                self.assertEqual(result.stdout, "")
                self.assert_nothing_else()

    def test_the_real_pip_without_a_network(self):
        environment = self.environment()
        del environment["PIP_NO_INDEX"], environment["PIP_FIND_LINKS"]
        environment["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple"
        result = subprocess.run(self.command(), env=environment, capture_output=True, text=True, timeout=60)
        self.assert_one_line(result, 69, "no network")

    def test_a_full_disk_is_told_before_the_download(self):
        self.write_catalogue([{**file_entry("tiny.onnx", ONNX), "bytes": 1 << 60}])
        self.assert_one_line(self.fetch(acts="good"), 74, "not enough space", str(self.voices))
        self.assertEqual(self.calls(), 0)

    def test_a_destination_that_cannot_be_made(self):
        self.voices.write_text("a file")
        self.assert_one_line(self.fetch(acts="good"), 74, str(self.voices))

    def test_an_unknown_voice_and_an_unknown_option(self):
        self.assert_one_line(self.fetch("jo"), 64, "unknown voice 'jo'; known: tiny")
        self.assert_one_line(self.fetch("--nope"), 64, "--nope")
        self.assert_one_line(self.fetch("--list", "--verify"), 64)
        self.assertFalse(self.voices.exists())

    def test_a_damaged_catalogue(self):
        for text in ("{", "{}", '{"voices": [{"files": [{"name": "../x", "sha256": "", "bytes": 1}]}]}'):
            with self.subTest(text):
                self.catalogue.write_text(text)
                self.assert_one_line(self.fetch(), 65, "catalogue")

    def test_a_catalogue_of_another_form(self):
        for text in ("[]", "{}", "3", '{"voices": []}', '{"voices": [{}], "default": "a"}', '{"voices": {"a": 1}}'):
            other = self.root / "other.json"
            other.write_text(text)
            result = self.fetch("--catalogue", str(other), "--list")
            self.assertEqual(result.returncode, 65, text)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertRegex(result.stderr, "expected an object|has no|is not the id")

    def test_output_that_is_lost_is_one_line(self):
        for redirection in (">&-", ">/dev/full"):
            for action in ("--list", "--help"):
                result = subprocess.run(
                    ["sh", "-c", f'"{sys.executable}" "{FETCH}" {action} {redirection}'], stderr=subprocess.PIPE, text=True)
                self.assertEqual(result.returncode, 74, (redirection, action, result.stderr))
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_messages_that_are_lost_change_nothing(self):
        # Unbuffered, nothing is left to be written at the end.
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        for redirection in ("2>&-", "2>/dev/full"):
            result = subprocess.run(
                ["sh", "-c", f'"{sys.executable}" "{FETCH}" --bad {redirection}'], stdout=subprocess.PIPE, text=True,
                env=buffered)
            self.assertEqual((result.returncode, result.stdout), (64, ""))

    def test_list_tells_what_is_fetched(self):
        self.assertIn("tiny (default)\ten_US\t0 MB\tCC0-1.0\tnot fetched", self.fetch("--list").stdout)
        self.fetch()
        self.assertIn("\tfetched", self.fetch("--list").stdout)


class CatalogueTests(unittest.TestCase):
    def test_the_catalogue_of_this_repository_is_whole(self):
        catalogue = json.loads((FETCH.parent / "voices.json").read_text())
        self.assertIn(catalogue["default"], [voice["id"] for voice in catalogue["voices"]])
        for voice in catalogue["voices"]:
            names = [file["name"] for file in voice["files"]]
            self.assertIn(f"{voice['id']}.onnx", names)
            self.assertIn(f"{voice['id']}.onnx.json", names)
            self.assertTrue(voice["licence"] and voice["language"])
            for file in voice["files"]:
                self.assertRegex(file["sha256"], "^[0-9a-f]{64}$")
        self.assertEqual(subprocess.run([sys.executable, FETCH, "--list"], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
