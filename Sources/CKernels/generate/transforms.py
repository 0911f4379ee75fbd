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

Everything is exact (fractions) until it is printed. The points are those whose tiles kept the
most digits in simulations with random data; main() proves every pair (m, K) exactly.

    python3 transforms.py > ../transforms.inc.h
"""
from fractions import Fraction as F

# The positive half of the pairs for n points; 0 and inf belong to each set.
PAIRS = {
    4: [F(1)],
    6: [F(2, 3), F(4, 3)],
    8: [F(1), F(2), F(1, 2)],
    10: [F(1, 2), F(3, 4), F(4, 3), F(5, 2)],
    12: [F(1), F(3, 2), F(2, 3), F(3), F(1, 3)],
    14: [F(1), F(2), F(1, 2), F(1, 3), F(5, 4), F(4)],
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


def prove(m, k):
    """Checks y = A ((G g) * (B x)) exactly, for every unit x and g."""
    n = m + k - 1
    finite = points(n)
    b_rows, g_rows = [], []
    for i, a in enumerate(finite):
        others = finite[:i] + finite[i + 1:]
        scale = F(1)
        for other in others:
            scale *= a - other
        b_rows.append(product(others) + [F(0)])
        g_rows.append([a**t / scale for t in range(k)])
    b_rows.append(product(finite))
    g_rows.append([F(int(t == k - 1)) for t in range(k)])
    for j in range(m):
        a_row = [a**j for a in finite] + [F(int(j == m - 1))]
        for t in range(k):
            for x in range(n):
                y = sum(a_row[i] * g_rows[i][t] * b_rows[i][x] for i in range(n))
                assert y == int(x == j + t), (m, k, j, t, x)


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
        else:
            text = f"({text}) + {name} * {number(coefficient)}" if "+" in text else (
                f"{text} + {name} * {number(coefficient)}")
    return text


def emit_input(n):
    pairs = PAIRS[n]
    squares = [a * a for a in pairs]
    print(f"// B for {n} points: 0, " + ", ".join(f"+-{a}" for a in pairs) + ", inf.")
    print(f"#define FORWARD_{n} \\")
    lines = [f"vfloat x{i} = ROW({i});" for i in range(n)]
    whole = product(squares)
    lines.append(f"SLOT(0, {total((c, f'x{2 * k}') for k, c in enumerate(whole))});")
    for index, a in enumerate(pairs):
        p = product(squares[:index] + squares[index + 1:])
        lines.append(f"vfloat e{index} = {total((c, f'x{2 * k + 2}') for k, c in enumerate(p))};")
        lines.append(f"vfloat o{index} = {total((c * a, f'x{2 * k + 1}') for k, c in enumerate(p))};")
        lines.append(f"SLOT({2 * index + 1}, e{index} + o{index});")
        lines.append(f"SLOT({2 * index + 2}, e{index} - o{index});")
    lines.append(f"SLOT({n - 1}, {total((c, f'x{2 * k + 1}') for k, c in enumerate(whole))});")
    print(" \\\n".join("    " + line for line in lines) + "\n")


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
    print("// The finite points in slot order, and 1 / prod_{l != i} (a_i - a_l).")
    for n in PAIRS:
        finite = points(n)
        scales = []
        for i, a in enumerate(finite):
            scale = F(1)
            for other in finite[:i] + finite[i + 1:]:
                scale *= a - other
            scales.append(1 / scale)
        for name, values in (("points", finite), ("scales", scales)):
            rows = ", ".join(repr(float(v)) for v in values)
            print(f"static const double toom_{name}_{n}[] = {{{rows}}};")
    print("#endif")


main()
