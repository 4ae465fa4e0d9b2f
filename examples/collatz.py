"""The Collatz problem: how long does 3n + 1 take to come down to 1, and where does it turn?"""
from __future__ import annotations

import numpy as np


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def longest(limit):
    """The number below ``limit`` that takes the most steps, and how many."""
    best, most = 1, 0
    for start in range(1, limit):
        steps = collatz(start)
        if steps > most:
            best, most = start, steps
    return best, most


def trajectory(n, heights):
    """Write the way down from ``n`` into ``heights``; how much of it was needed, -1 when it is too short."""
    for i in range(len(heights)):
        heights[i] = n
        if n == 1:
            return i + 1
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return -1


def examples():
    """Functions of this module with arguments."""
    return [
        (collatz, (27,)),
        (longest, (1000,)),
        (trajectory, (97, np.zeros(150, dtype=np.int64))),
    ]
