"""Tuples and lists with values of the graph in them, compared as Python compares them: item by item."""

from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np
from equivalence import check, parametrize

import autograph as ag

A = np.array([3.0, -1.0, 2.5, 0.0])


class Point(NamedTuple):
    x: int
    y: int


class Backwards(NamedTuple):
    x: int

    def __lt__(self, other):
        return self.x > other.x


class Box:
    def __init__(self, held):
        self.held = held

    def __eq__(self, other):
        return self.held == other.held

    def __lt__(self, other):
        return self.held < other.held


def displays(a, b):
    return (a, b) < (5, 5), (a, b) <= (5, 5), (a, b) == (5, 5), (a, b) != (5, 5), (a, b) > (b, a)


def names(a, b):
    p, q = (a, b), (b, a)
    best = p if p < q else q
    if p >= q or not p != q:
        best = (best, p)
    return best, p == q, max(p, q), sorted([p, q])


def lengths(a, b):
    return (a,) < (a, b), (a, b) < (a,), () < (a,), (a,) == (), (a, b) == (a, b, 1), (a, b) == [a, b]


def nested(a, b):
    return ((a, b), 1) < ((b, a), 0), (a, (b, a)) == (3, (4, 3)), ((a,),) in [((3,),)], (a, [b]) == (3, [4])


def chained(a, b):
    return (1, a) < (a, b) < (b, a), (a, b) < (4, 5) == True  # noqa: E712


def in_loops(a, b):
    steps = 0
    while (a, b) < (10, 0):
        a, b, steps = a + 1, b - 1, steps + 1
    best = (0, 0)
    for k in range(steps):
        found = (k * 7 % 5, k)
        if found > best:
            best = found
    assert best < (9, b), "too good"
    return a, b, steps, best


def none_inside(a, b):
    return (a, None) == (3, None), (a, None) != (a, 3), (a, None) < (b, None)


def texts_inside(a, b):
    return (f"{a}", b) < ("z", 1), ("a" * a, b) == ("aaa", 4), (a, "x") < (b, 1)


def nan_is_itself(x, y):
    return (x,) == (x,), (x, y) < (x, 9), x == x, [x] == [x], x in (x, 1)  # noqa: PLR0124


def numpy_scalars(a, b):
    return (a, b) == (3, 4), type((a, b) == (3, 4)), type((a, 1) < (4, 4)), (a, b) < (3.0, 5)


def arrays_equal_by_identity(x):
    return (x, 1) < (x, 2), (x, 1) == (x, 1), (x,) != (x,), (x[:1],) < (x[1:2],)


def arrays_without_one_truth(x):
    return (x, 1) == (x.copy(), 1)


def shapes(x, n):
    kept = x[x > 0]
    return x.shape == (n,), x.shape == (4,), kept.shape == (2,), (kept.shape[0], n) > (1, 1)


def named_tuples(a, b):
    p, q = Point(a, b), Point(b, a)
    return p < q, p == (3, 4), max(p, q), p in [(3, 4)], Backwards(1) < Backwards(2), sorted([q, p])


def objects(a, b):
    return (
        (Box(a), 1) < (Box(b), 0),
        (Box(a), 1) == (Box(3), 1),
        Box(b) in [Box(4)],
        max((Box(a), 1), (Box(b), 0))[1],
    )


def of_arguments(pairs, pair, n):
    kept = [p for p in pairs if p >= (n, 0)]
    return kept, max(pairs), (n, 0) in pairs, pair < (n, n), pair == (1, n)


def of_operator(a, b):
    return (
        operator.lt((a, b), (5, 5)),
        operator.eq((a,), (3,)),
        operator.ne([a], [b]),
        operator.ge((a, b), (b, a)),
    )


def generated(a, b):
    pairs = zip((a, b), (5, 6), strict=True)
    return all(x < y for x, y in pairs), any((x, y) == (3, 5) for x, y in zip((a, b), (5, 6), strict=True))


CASES = [
    *[(displays, a, b) for a, b in ((1, 2), (5, 4), (5, 5))],
    *[(names, a, b) for a, b in ((1, 2), (2, 1), (2, 2))],
    (lengths, 3, 2.5),
    *[(nested, a, b) for a, b in ((3, 4), (4, 3))],
    (chained, 3, 4),
    *[(in_loops, a, b) for a, b in ((3, 4), (12, 0))],
    *[(none_inside, a, b) for a, b in ((3, 4), (3, 3))],
    *[(texts_inside, a, b) for a, b in ((3, 4), (3, 3))],
    (nan_is_itself, float("nan"), 2),
    (numpy_scalars, np.float64(3), np.int64(4)),
    (arrays_equal_by_identity, A),
    *[(arrays_without_one_truth, x) for x in (A, A[:1], A[:0])],
    (shapes, A, 3),
    (named_tuples, 3, 4),
    (objects, 3, 4),
    (of_arguments, [(1, 2), (3, 0)], (1, 3), 3),
    (of_operator, 3, 4),
    (generated, 3, 4),
]


@parametrize(CASES)
def test_comparisons(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)


def test_equal_computations_are_two_objects():
    """``y is z`` of numbers that are computed twice; also ``id()``, in containers, and for the caller."""

    def f(x):
        y = x + 1
        z = x + 1
        nan, other = x * float("nan"), x * float("nan")
        pairs = [a is b for a in (y,) for b in (z,)]
        return y is z, id(y) == id(z), pairs, [nan].count(other), nan in [other]

    def pair(x):
        y = x + 1
        z = x + 1
        return y, z

    for x in (np.float64(3.0), 3.5, 10**20):
        check(f, x)
        first, second = ag.function(pair)(x)
        assert first is not second
