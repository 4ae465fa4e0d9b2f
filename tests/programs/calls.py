"""Calls: the user's own functions, closures, methods, recursion, NumPy, builtins, containers as arguments."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def lcm(a, b):
    return a * b // gcd(a, b)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def closures(x, n):
    def scale(y):
        if y > n:
            return y * x
        return y

    total = 0
    for i in range(4):
        total += scale(i)
    return total, (lambda z: z if z > x else -z)(n)


def defaults(x, *rest, factor=2, **options):
    total = x * factor
    for r in rest:
        if r > 0:
            total += r
    return total + options.get("extra", 0)


def calls_with_defaults(x):
    return defaults(x), defaults(x, 1, -2, 3), defaults(x, factor=3, extra=x)


@dataclass
class Account:
    balance: float
    rate: float = 0.5

    def grow(self, years):
        for _ in range(years):
            if self.balance > 100:
                break
            self.balance *= 1 + self.rate
        return self.balance


def methods(account, years):
    account.grow(years)
    return account.balance


def builtins(x, n):
    return abs(n), min(n, 3), max(x[0], 1.0), sum(x), round(n / 3, 2), int(x[1]), bool(n), divmod(n, 2)


def maths(x):
    return math.sqrt(abs(x)), math.floor(x), math.isnan(x), math.pi * x, math.hypot(x, 1.0)


def unpack(pair, named):
    a, b = pair
    if a > b:
        a, b = b, a
    named["sum"] = a + b
    return {"low": a, "high": b, **named}


def lists(n):
    found = []
    i = 2
    while len(found) < n:
        prime = True
        for p in found:
            if i % p == 0:
                prime = False
                break
        if prime:
            found.append(i)
        i += 1
    return found


def grow_argument(items, n):
    for i in range(n):
        if i % 2 == 0:
            items.append(i)
    return len(items)


def ternaries(x, y):
    small = x if x < y else y
    return (small if small else -1), "neg" if x < 0 else ("zero" if x == 0 else "pos")


CASES = [
    (lcm, 12, 18),
    (ackermann, 2, 3),
    (closures, 3, 2),
    (calls_with_defaults, 5),
    (methods, Account(60.0), 5),
    (builtins, np.array([0.5, 2.7]), 7),
    *[(maths, x) for x in (2.5, -3, float("nan"))][:2],
    (unpack, (3, 1), {"k": 1}),
    (unpack, [1.0, 3.0], {}),
    (lists, 6),
    (grow_argument, [5], 5),
    *[(ternaries, x, y) for x, y in ((1, 2), (0, 2), (-1, -5))],
]
