"""From ratios to the table: targets, medians, and the README's lines between two marks."""
import re
import statistics

from failure import DATA, Failure

BEGIN = "<!-- speed table: written by Benchmarks/peers.py -->"
END = "<!-- end of the speed table -->"

# Of each kind of row: what must be, and what is aimed at.
TARGETS = {
    "whole": (0.42, 0.30),
    "first audio": (0.10, 0.06),
    "process": (0.10, 0.05),
    "load": (0.10, 0.03),
    "memory": (0.90, 0.60),
}
# dB, where more is better.
ACCURACY = 80


class Row:
    """Ratios of one thing, ours by the peer's, a pair each; lower is better."""

    def __init__(self, title, kind=None):
        self.title, self.kind, self.ratios = title, kind, []

    def add(self, ours, theirs):
        self.ratios.append(ours / theirs)

    @property
    def median(self):
        return statistics.median(self.ratios)

    @property
    def middle(self):
        """The half of the ratios that lies in the middle."""
        ordered = sorted(self.ratios)
        cut = len(ordered) // 4
        return ordered[cut], ordered[-1 - cut]

    @property
    def verdict(self):
        if self.kind is None:
            return ""
        must, goal = TARGETS[self.kind]
        return "goal" if self.median <= goal else "must" if self.median <= must else "**missed**"

    def cells(self):
        low, high = self.middle
        must, goal = (f"≤ {value:.2f}" for value in TARGETS[self.kind]) if self.kind else ("", "")
        return [self.title, f"{self.median:.3f}", f"{low:.3f} – {high:.3f}", must, goal, self.verdict]

    def json(self):
        low, high = self.middle
        must, goal = TARGETS[self.kind] if self.kind else (None, None)
        return {"median": self.median, "low": low, "high": high, "must": must, "goal": goal,
                "met": self.verdict.strip("*"), "ratios": self.ratios}


class Accuracy:
    """The SNR of the audio against ONNX Runtime's with the same noise, in dB."""

    def __init__(self, title, decibels):
        self.title, self.decibels = title, decibels

    def cells(self):
        verdict = "must" if self.decibels >= ACCURACY else "**missed**"
        return [self.title, f"{self.decibels:.1f} dB", "", f"≥ {ACCURACY} dB", "", verdict]

    def json(self):
        return {"decibels": self.decibels, "must": ACCURACY, "met": self.cells()[-1].strip("*")}


class Absent:
    """A peer that could not be measured, and why."""

    def __init__(self, title, reason):
        self.title, self.reason = title, reason

    def cells(self):
        return [self.title, "–", f"not measured: {self.reason}".replace("|", "/"), "", "", ""]

    def json(self):
        return {"absent": self.reason}


def markdown(sections):
    """A table of the rows of all voices. `sections`: pairs of a voice's title and its rows."""
    lines = ["| ratio, lower is better | median | middle half | must | goal | met |", "|---|---|---|---|---|---|"]
    for title, rows in sections:
        lines.append(f"| **{title}** | | | | | |")
        lines += ["| " + " | ".join(row.cells()) + " |" for row in rows]
    return "\n".join(lines)


def put(text, table, name):
    """`text` with the table between its marks."""
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise Failure(DATA, f"{name} needs one '{BEGIN}' with '{END}' below it")
    return pattern.sub(lambda _: f"{BEGIN}\n\n{table}\n\n{END}", text)
