"""python3 -m unittest discover -s Benchmarks/tests: what needs no peer installed."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

from failure import Failure  # noqa: E402
from table import BEGIN, END, Absent, Accuracy, Row, markdown, put  # noqa: E402


def row(kind, *ratios):
    result = Row("a title", kind)
    for ratio in ratios:
        result.add(ratio, 1)
    return result


class Rows(unittest.TestCase):
    def test_median_and_middle_half(self):
        measured = row("whole", 0.9, 0.1, 0.2, 0.4, 0.3, 0.5, 0.6, 0.7)
        self.assertAlmostEqual(measured.median, 0.45)
        self.assertEqual(measured.middle, (0.3, 0.6))

    def test_one_pair_is_its_own_median_and_middle(self):
        self.assertEqual((row("whole", 0.3).median, row("whole", 0.3).middle), (0.3, (0.3, 0.3)))

    def test_the_ratio_is_ours_by_theirs(self):
        measured = Row("a title")
        measured.add(1, 4)
        self.assertEqual(measured.median, 0.25)

    def test_verdicts_are_those_of_the_median_and_bounds_belong_to_them(self):
        for ratio, verdict in ((0.30, "goal"), (0.31, "must"), (0.42, "must"), (0.43, "**missed**")):
            self.assertEqual(row("whole", ratio).verdict, verdict)
        self.assertEqual(row("memory", 0.85).verdict, "must")
        self.assertEqual(row(None, 0.1).cells()[3:], ["", "", ""])
        self.assertEqual(row("load", 0.02).json()["met"], "goal")
        self.assertEqual(row("load", 0.2).json()["met"], "missed")

    def test_accuracy_is_better_when_higher(self):
        self.assertEqual(Accuracy("SNR", 80.0).cells()[-1], "must")
        self.assertEqual(Accuracy("SNR", 79.9).cells()[-1], "**missed**")

    def test_every_line_of_the_table_has_the_same_number_of_cells(self):
        table = markdown([("a voice", [row("whole", 0.3), row(None, 0.5), Accuracy("SNR", 90), Absent("x", "no | model")])])
        self.assertEqual({line.count("|") for line in table.splitlines()}, {7})
        self.assertIn("not measured: no / model", table)


class Readme(unittest.TestCase):
    def test_only_what_is_between_the_marks_changes_and_twice_is_once(self):
        text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
        once = put(text, "| new \\1 |", "README.md")
        self.assertEqual(once, f"before\n{BEGIN}\n\n| new \\1 |\n\n{END}\nafter\n")
        self.assertEqual(put(once, "| new \\1 |", "README.md"), once)

    def test_without_marks_or_with_two_pairs_it_is_refused(self):
        for text in ("", BEGIN, f"{END}{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"):
            with self.assertRaises(Failure):
                put(text, "new", "README.md")

    def test_the_readme_has_the_marks(self):
        put((HERE.parent / "README.md").read_text(), "new", "README.md")


class Mistakes(unittest.TestCase):
    """One line and an exit code, before anything is measured."""

    def peers(self, *words):
        return subprocess.run([sys.executable, HERE / "peers.py", *map(str, words)], capture_output=True, text=True)

    def test_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = pathlib.Path(folder)
            for name in ("tts-bench", "syrinx"):
                (programs / name).touch()
            (programs / "v.onnx").touch()
            for code, expected, words in (
                (64, "--voice", []),
                (64, "--pairs", ["--voice", "v.onnx", "--pairs", 0]),
                (64, "all voices", ["--voice", "v.onnx", "--pairs", 2, "--readme", "README.md"]),
                (64, "all voices", ["--voice", "v.onnx", "--voices", "joe", "--readme", "README.md"]),
                (69, "swift build", ["--voice", "v.onnx", "--programs", programs / "none"]),
                (66, "weights/fetch", ["--voice", programs / "none.onnx", "--programs", programs]),
                (66, "v.onnx.json", ["--voice", programs / "v.onnx", "--programs", programs]),
            ):
                result = self.peers(*words)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(expected, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
