#!/usr/bin/env python3
"""Writes transforms.inc.h: the Toom-Cook transforms of fast convolution, unrolled.

A tile of m outputs of a K-tap correlation, y[j] = sum_k x[j + k] g[k], is the product of two
polynomials read backwards: n = m + K - 1 evaluation points give n products in place of m K,

    y = A ((G g) * (B x))          * elementwise; B [n, n], G [n, K], A [m, n]

with, for distinct finite points a_i and the point at infinity, f_i = prod_{l != i} (a_i - a_l):

    B row i    the coefficients of prod_{l != i} (x - a_l);  row inf: those of prod_l (x - a_l)
    G row i    a_i^k / f_i;                                  row inf: 1 at k = K - 1
    A column i a_i^j;                                        column inf: 1 at j = m - 1

(Toom 1963, Cook 1966; Winograd 1980; the transposed form is in Blahut, "Fast Algorithms for
Signal Processing", ch. 5.) Points come as 0, inf and pairs +-a, which share their even and odd
halves: with P(x) = prod_{b != a} (x^2 - b^2), e = sum P_k x[2k + 2], o = sum P_k x[2k + 1],
B gives e + a o and e - a o; on the way back, s and d, the sum and the difference of a pair's
products, give y[j] = sum a^j (s for even j, d for odd j).

The sets of pairs are closed under a -> 1/a where there are four pairs or more. P for 1/a is then
P for a read backwards, times a constant that goes into G, so the two share sums and differences
of the inputs from both ends, which halves the multiplications. The points are those that kept
the most digits with random data, float32 and leaky ReLU before; closed sets keep 2-6 dB more
than the best of the customary small integers and fractions.

Everything is exact (fractions) until it is printed: a transform is built once, as text and as
the matrix that the text computes, and prove() multiplies the matrices of every tile out.

    python3 transforms.py > ../transforms.inc.h
"""
from fractions import Fraction as F

# The positive half of the pairs for n points; 0 and inf belong to each set.
PAIRS = {
    4: [F(1)],
    6: [F(2, 3), F(4, 3)],
    8: [F(1), F(2), F(1, 2)],
    10: [F(5, 4), F(4, 5), F(5, 2), F(2, 5)],
    12: [F(1), F(3, 2), F(2, 3), F(8, 3), F(3, 8)],
    14: [F(7, 6), F(6, 7), F(5, 3), F(3, 5), F(7, 2), F(2, 7)],
}
KERNELS = (2, 3, 5, 7, 11)
TILES = range(2, 9)


def product(roots):
    """Coefficients of prod (x - root), lowest power first."""
    c = [F(1)]
    for root in roots:
        c = [(c[i - 1] if i else 0) - root * (c[i] if i < len(c) else 0) for i in range(len(c) + 1)]
    return c


def points(n):
    """The finite points in slot order: 0, +a, -a, +b, -b, ... (inf is the last slot)."""
    return [F(0)] + [sign * a for a in PAIRS[n] for sign in (1, -1)]


def number(value):
    return f"{float(value)!r}f"


def total(terms):
    """C for the sum of coefficient * name, the terms of coefficient 1 first."""
    terms = sorted((t for t in terms if t[0] != 0), key=lambda t: t[0] != 1)
    text = ""
    for coefficient, name in terms:
        if not text:
            text = name if coefficient == 1 else f"{name} * {number(coefficient)}"
        elif coefficient == 1:
            text += f" + {name}"
        elif coefficient == -1:
            text += f" - {name}"
        else:
            text = f"({text}) + {name} * {number(coefficient)}" if "+" in text else (
                f"{text} + {name} * {number(coefficient)}")
    return text


class Forward:
    """B for n points, as lines of C and as the rows that they compute."""

    def __init__(self, n):
        self.n = n
        self.lines = []
        self.values = {}  # name -> coefficients of x[0] ... x[n - 1]
        self.rows = {}  # slot -> the same
        for i in range(n):
            self.values[f"x{i}"] = [F(int(i == j)) for j in range(n)]
            self.lines.append(f"vfloat x{i} = ROW({i});")
        if len(PAIRS[n]) >= 4:
            self.shared()
        else:
            self.direct()

    def evaluate(self, terms):
        return [sum(c * self.values[name][j] for c, name in terms) for j in range(self.n)]

    def let(self, name, terms):
        self.values[name] = self.evaluate(terms)
        self.lines.append(f"vfloat {name} = {total(terms)};")

    def slot(self, p, terms):
        self.rows[p] = self.evaluate(terms)
        self.lines.append(f"SLOT({p}, {total(terms)});")

    def direct(self):
        pairs = PAIRS[self.n]
        squares = [a * a for a in pairs]
        whole = product(squares)
        self.slot(0, [(c, f"x{2 * k}") for k, c in enumerate(whole)])
        for index, a in enumerate(pairs):
            p = product(squares[:index] + squares[index + 1:])
            self.let(f"e{index}", [(c, f"x{2 * k + 2}") for k, c in enumerate(p)])
            self.let(f"o{index}", [(c * a, f"x{2 * k + 1}") for k, c in enumerate(p)])
            self.slot(2 * index + 1, [(F(1), f"e{index}"), (F(1), f"o{index}")])
            self.slot(2 * index + 2, [(F(1), f"e{index}"), (F(-1), f"o{index}")])
        self.slot(self.n - 1, [(c, f"x{2 * k + 1}") for k, c in enumerate(whole)])

    def shared(self):
        pairs = PAIRS[self.n]
        squares = [a * a for a in pairs]
        count = len(pairs)
        whole = product(squares)
        # The rows of 0 and inf: the whole product reads the same backwards, up to its sign.
        sign = whole[0] / whole[-1]
        assert sign in (1, -1) and all(whole[k] == sign * whole[count - k] for k in range(count))
        for first, slot in ((0, 0), (1, self.n - 1)):
            terms = []
            for k in range((count + 1) // 2):
                name = f"w{first}_{k}"
                self.let(name, [(F(1), f"x{2 * (count - k) + first}"), (sign, f"x{2 * k + first}")])
                terms.append((whole[count - k], name))
            if count % 2 == 0:
                terms.append((whole[count // 2], f"x{count + first}"))
            self.slot(slot, terms)
        # Sums and differences from both ends, of the even (first 2) and the odd inputs (first 1).
        for half, first in (("e", 2), ("o", 1)):
            for k in range(count // 2):
                ends = f"x{2 * k + first}", f"x{2 * (count - 1 - k) + first}"
                self.let(f"{half}s{k}", [(F(1), ends[0]), (F(1), ends[1])])
                self.let(f"{half}d{k}", [(F(1), ends[0]), (F(-1), ends[1])])
        for index, a in enumerate(pairs):
            if a < 1:
                continue  # made with 1 / a
            p = product(squares[:index] + squares[index + 1:])
            scale = 2 / (p[0] + p[-1])  # makes the first coefficient 1
            for half, first in (("e", 2), ("o", 1)):
                sums = [(scale * (p[k] + p[count - 1 - k]) / 2, f"{half}s{k}")
                        for k in range(count // 2)]
                if count % 2:
                    sums.append((scale * p[count // 2], f"x{count - 1 + first}"))
                differences = [(scale * (p[k] - p[count - 1 - k]) / 2, f"{half}d{k}")
                               for k in range(count // 2)]
                self.let(f"{half}{index}", sums)
                if a != 1:
                    self.let(f"{half}{index}r", differences)
                    self.let(f"{half}{index}a", [(F(1), f"{half}{index}"), (F(1), f"{half}{index}r")])
                    self.let(f"{half}{index}b", [(F(1), f"{half}{index}"), (F(-1), f"{half}{index}r")])
            ends = [(index, a, "")] if a == 1 else [
                (index, a, "a"), (pairs.index(1 / a), 1 / a, "b")]
            for place, b, suffix in ends:
                e, o = f"e{index}{suffix}", f"o{index}{suffix}"
                self.slot(2 * place + 1, [(F(1), e), (b, o)])
                self.slot(2 * place + 2, [(F(1), e), (-b, o)])

    def scales(self):
        """For each finite point the factor of a^k in G: 1 / f_i, and what this B is too large by."""
        finite = points(self.n)
        result = []
        for i, a in enumerate(finite):
            others = finite[:i] + finite[i + 1:]
            row, plain = self.rows[i], product(others) + [F(0)]
            at = next(j for j in range(self.n) if plain[j])
            factor = row[at] / plain[at]
            assert row == [factor * v for v in plain], (self.n, a)
            for other in others:
                factor *= a - other
            result.append(1 / factor)
        assert self.rows[self.n - 1] == product(finite)
        return result


def prove(m, k):
    """Checks y = A ((G g) * (B x)) exactly, for every unit x and g."""
    n = m + k - 1
    forward, finite = Forward(n), points(n)
    scales = forward.scales()
    for j in range(m):
        a_row = [a**j for a in finite] + [F(int(j == m - 1))]
        for t in range(k):
            g = [a**t * scale for a, scale in zip(finite, scales)] + [F(int(t == k - 1))]
            for x in range(n):
                y = sum(a_row[i] * g[i] * forward.rows[i][x] for i in range(n))
                assert y == int(x == j + t), (m, k, j, t, x)


def emit_input(n):
    print(f"// B for {n} points: 0, " + ", ".join(f"+-{a}" for a in PAIRS[n]) + ", inf.")
    print(f"#define FORWARD_{n} \\")
    print(" \\\n".join("    " + line for line in Forward(n).lines) + "\n")


def emit_output(m, n):
    pairs = PAIRS[n]
    print(f"// A for {m} outputs from {n} points.")
    print(f"#define BACKWARD_{m}_{n} \\")
    lines = []
    for index in range(len(pairs)):
        plus, minus = f"p{index}", f"q{index}"
        lines.append(f"vfloat {plus} = PRODUCT({2 * index + 1}), {minus} = PRODUCT({2 * index + 2});")
        lines.append(f"vfloat s{index} = {plus} + {minus}, d{index} = {plus} - {minus};")
    for j in range(m):
        half = "d" if j % 2 else "s"
        terms = [(a**j, f"{half}{index}") for index, a in enumerate(pairs)]
        if j == 0:
            terms.append((F(1), "PRODUCT(0)"))
        if j == m - 1:
            terms.append((F(1), f"PRODUCT({n - 1})"))
        lines.append(f"OUTPUT({j}, {total(terms)});")
    print(" \\\n".join("    " + line for line in lines) + "\n")


def main():
    print("// Generated by generate/transforms.py, which explains it. Do not edit.\n//")
    print("// ROW(i) is input i of the tile, SLOT(p, v) stores its value at point p, PRODUCT(p)")
    print("// loads the product at point p, OUTPUT(j, v) takes output j.\n")
    shapes = sorted({(m, m + k - 1) for k in KERNELS for m in TILES if m + k - 1 in PAIRS})
    for k in KERNELS:
        for m in TILES:
            if m + k - 1 in PAIRS:
                prove(m, k)
    for n in PAIRS:
        emit_input(n)
    for m, n in shapes:
        emit_output(m, n)
    print("// X(n) for every number of points, X(m, n) for every tile.")
    print("#define FORWARD_EACH(X) " + " ".join(f"X({n})" for n in PAIRS))
    print("#define BACKWARD_EACH(X) \\\n    " + " \\\n    ".join(f"X({m}, {n})" for m, n in shapes))
    print("\n#ifndef TOOM_POINTS\n#define TOOM_POINTS")
    print("// The finite points in slot order, and the factor of each one's powers in G.")
    for n in PAIRS:
        for name, values in (("points", points(n)), ("scales", Forward(n).scales())):
            rows = ", ".join(repr(float(v)) for v in values)
            print(f"static const double toom_{name}_{n}[] = {{{rows}}};")
    print("#endif")


main()
