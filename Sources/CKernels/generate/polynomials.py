#!/usr/bin/env python3
"""The minimax polynomials of elementwise.inc.h, by Remez exchange in 50 digits (needs mpmath).

Prints each polynomial's coefficients, lowest power first, rounded to float, and the largest
relative error that it leaves before that rounding. The tests measure the whole functions.
"""
import mpmath as mp
import numpy as np

mp.mp.dps = 50


def remez(f, weight, a, b, degree, rounds=12):
    """Coefficients of the polynomial that minimises max |(p - f) * weight| over [a, b]."""
    n = degree + 2
    xs = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (n - 1 - i) / (n - 1)) for i in range(n)]
    # Stay off the ends, where some f is a limit of 0/0.
    xs[0] += (b - a) * mp.mpf(10) ** -12
    xs[-1] -= (b - a) * mp.mpf(10) ** -12
    grid = [a + (b - a) * (mp.mpf(i) + mp.mpf("0.5")) / 1500 for i in range(1500)]
    for _ in range(rounds):
        rows = mp.matrix(n, n)
        right = mp.matrix(n, 1)
        for i, x in enumerate(xs):
            for j in range(degree + 1):
                rows[i, j] = x**j
            rows[i, degree + 1] = (-1) ** i / weight(x)
            right[i] = f(x)
        solved = mp.lu_solve(rows, right)
        c = list(solved[: degree + 1])
        error = [(mp.polyval(c[::-1], x) - f(x)) * weight(x) for x in grid]
        # One extremum per stretch of equal sign.
        peaks, start = [], 0
        for i in range(1, len(grid) + 1):
            if i == len(grid) or (error[i] > 0) != (error[start] > 0):
                peaks.append(max(range(start, i), key=lambda k: abs(error[k])))
                start = i
        while len(peaks) > n:
            peaks.pop(0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1)
        if len(peaks) < n:
            break
        xs = [grid[k] for k in peaks]
    return c, max(abs(e) for e in error)


def show(name, c, error):
    print(f"{name}: error {float(error):.2g}")
    print("    " + ", ".join(f"{float(np.float32(float(v))):.9g}f" for v in c))


def main():
    half = mp.log(2) / 2 * mp.mpf("1.0001")
    # exp(r) = 1 + r + r^2 q(r); an error of q weighs at most 0.29 in exp(r) - 1.
    show("exp q(r), |r| <= ln2/2",
         *remez(lambda r: (mp.expm1(r) - r) / r**2, lambda r: mp.mpf(1), -half, half, 4))
    # log(1 + z) = z q(z)
    show("log1p q(z), 0 < z <= 1",
         *remez(lambda z: mp.log1p(z) / z, lambda z: z / mp.log1p(z), mp.mpf(0), mp.mpf(1), 9))
    # Phi(-a) = exp(-a^2/2) v q(v), v = 1/(1 + a/2): the normal distribution's lower tail.
    def tail(v):
        a = 2 * (1 / v - 1)
        return mp.erfc(a / mp.sqrt(2)) / 2 * mp.exp(a * a / 2) / v
    show("Phi q(v), v = 1/(1 + a/2), 0 <= a <= 15",
         *remez(tail, lambda v: 1 / tail(v), 1 / mp.mpf("8.5"), mp.mpf(1), 10))
    # erf(x) = x q(x^2) near 0
    show("erf q(x^2), |x| <= 1",
         *remez(lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s), lambda s: mp.sqrt(s) / mp.erf(mp.sqrt(s)),
                mp.mpf(0), mp.mpf(1), 6))


main()
