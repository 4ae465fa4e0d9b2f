"""Lambdas that hold comprehensions, generators or ``:=``; generators whose ``:=`` binds names around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from equivalence import check

import autograph as ag


def any_binds(n):
    found = any((y := i) > 2 for i in range(n))
    return found, y


def all_binds(n):
    if all((last := i) < 3 for i in range(n)):
        return "fine", last
    return "bad", last


def any_over_pairs(n):
    return any((y := i * j) > 3 for i in range(n) for j in range(i)) and y


def any_in_a_while(n):
    while any((y := i) > n for i in range(6)):
        n += 1
    return n, y


def sum_binds(n):
    total = sum((last := i) * 2 for i in range(n))
    return total, last


def lists_bind(n):
    items = list((y := i + 1) for i in range(n) if (z := i) != 1)
    return items, y, z, sorted((q := -i) for i in range(n)), q


def max_binds(v):
    return (k := 3) + max((m := x) for x in v), m, k


def bound_when_it_is_asked(n):
    g = ((y := i) for i in range(n))
    first = next(g)
    seen = y
    return first, seen, list(g), y


def lambda_binds(n):
    f = lambda v: [y := x + 1 for x in v] and y
    g = lambda m: [(y := x) + y for x in range(m)]
    return f(range(n + 1)), g(n), f.__name__


CASES: list[Any] = [
    *[(any_binds, n) for n in (5, 2)],
    *[(all_binds, n) for n in (3, 6)],
    *[(any_over_pairs, n) for n in (4, 5)],
    (any_in_a_while, 1),
    (sum_binds, 4),
    (lists_bind, 4),
    (max_binds, [3.0, 1.0, 2.0]),
    (bound_when_it_is_asked, 4),
    (lambda_binds, 3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_names_are_bound_around_generators(case):
    """When each item is asked for, and no earlier."""
    check(*case)


ROOTS: list[Any] = [
    (lambda n: [i * n for i in range(n)], 3),
    (lambda v: sum(x for x in v if x > 0), np.array([1.0, -2.0])),
    (lambda v: {x: max(y for y in v if y >= x) for x in v}, [1, 3, 2]),
    (lambda n, k=2: [y := i + k for i in range(n)] and y, 3),
    (lambda n: (lambda m: [i for i in range(m)])(n), 3),
    (lambda v: next((x for x in v if x > 2), None), np.array([1.0, 3.0])),
    (lambda n: (m := n + 1) and m * 2, 3),
]


@pytest.mark.parametrize("case", ROOTS)
def test_lambdas_are_staged_themselves(case):
    """A comprehension, a generator or ``:=`` in them is staged as in a function."""
    check(*case)


def test_a_staged_lambda_keeps_its_name():
    """Also where it has become a function."""
    assert ag.convert(ROOTS[0][0]).__name__ == "<lambda>"
