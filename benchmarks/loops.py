"""One iteration of a loop: the NumPy program beside plain Python running the same lines."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from timing import Row, Times, in_turn

import autograph as ag

TITLE = "one iteration of a loop, staged beside plain"


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def leibniz(terms):
    total, sign = 0.0, 1.0
    for i in range(terms):
        total += sign / (2 * i + 1)
        sign = -sign
    return 4.0 * total


def prefix_sums(values):
    for i in range(1, len(values)):
        values[i] += values[i - 1]
    return values[-1]


def relax(x, steps):
    for _ in range(steps):
        if x.max() < 0.5:
            break
        x = x * 0.999 + 0.0005
    return x


def first_multiple(n, limit):
    for i in range(1, limit):
        if i % n == 0:
            return i
    return -1


CASES = (
    ("while with if, integers", collatz, (97,), 118),
    ("for, floats", leibniz, (1000,), 1000),
    ("for, reading and writing items", prefix_sums, (np.zeros(1000),), 999),
    ("for, arrays of 3", relax, (np.ones(3), 200), 200),
    ("for with return", first_multiple, (997, 1000), 997),
)


def rows() -> Iterator[Row]:
    for name, f, args, iterations in CASES:
        staged = ag.function(f)
        quick, plain = in_turn([lambda: staged(*args), lambda: f(*args)])  # noqa: B023 - called at once
        ours, theirs = (Times(tuple(s / iterations for s in times.samples)) for times in (quick, plain))
        yield Row(name, ours, theirs, "plain:")
