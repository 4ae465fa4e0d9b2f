"""``match``: every pattern becomes tests that data may decide."""

from __future__ import annotations

import copy
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import pytest

import autograph as ag


@dataclass
class Point:
    x: float
    y: float


def sequences(value):
    match value:
        case []:
            return "empty"
        case [1, *rest]:
            return "one", rest
        case [a, _, b]:
            return a, b
        case (a, *middle, b) if a == b:
            return "ends", middle
        case [*items, [inner]]:
            return items, inner
        case str() | bytes():
            return "text"
        case _:
            return "other"


def mappings(value):
    match value:
        case {"kind": "circle", "r": r}:
            return "circle", r
        case {"kind": kind, **rest}:
            return kind, rest
        case {}:
            return "some mapping"


def classes(value):
    match value:
        case Point(0, y=y):
            return "on y", y
        case Point(x=x, y=0) if x > 1:
            return "on x", x
        case Point(x, y):
            return x, y
        case int(n) | float(n):
            return "number", n
        case (Point(a, _), [Point() as p] | [p, None]):
            return a, p.y
        case None | True:
            return "constant"


def in_a_loop(values):
    out = []
    for value in values:
        match value:
            case [0, _]:
                continue
            case [n, m] if n > 5:
                break
            case [n, 1 | 2 as m]:
                out.append((n, m))
            case {"x": n}:
                return n, out
    return out


def unknown_attribute(value):
    match value:
        case Point(z=1):
            return "z"
        case Point(1, 2, 3):
            return "three"


def no_class(value):
    kind = 3
    match value:
        case kind():
            return 1


VALUES: dict[Any, list[Any]] = {
    sequences: [[], [1], [1, 2], (3, 4, 5), (3, 4, 5, 3), [2, [7]], "abc", b"", range(3), 5, None],
    mappings: [{"kind": "circle", "r": 2}, {"kind": "square", "a": 3, "b": [4]}, OrderedDict(r=1), {}, []],
    classes: [
        *(Point(0, 2), Point(3, 0), Point(1, 0), Point(1, 5), 3, 2.5, True, None, "x"),
        *((Point(1, 2), [Point(3, 4)]), (Point(1, 2), [Point(3, 4), None]), (Point(1, 2), 3)),
    ],
    in_a_loop: [[[0, 1], [3, 1], [4, 2], [5, 5], [9, 1], [1, 1]], [[1, 1], {"x": 4}], []],
    unknown_attribute: [Point(1, 2)],
    no_class: [3],
}
CASES = [(f, value) for f, values in VALUES.items() for value in values]


def outcome(f: Any, value: Any) -> Any:
    try:
        return f(copy.deepcopy(value))
    except Exception as error:
        return type(error), str(error)


IDS = [f"{f.__name__}-{n}" for n, (f, _) in enumerate(CASES)]


@pytest.mark.parametrize(("f", "value"), CASES, ids=IDS)
def test_converted_does_the_same(f: Any, value: Any) -> None:
    """Every case, binding and error is that of the plain function."""
    assert outcome(ag.convert(f), value) == outcome(f, value)


@pytest.mark.parametrize(("f", "value"), CASES, ids=IDS)
def test_staged_does_the_same(f: Any, value: Any) -> None:
    """The graph takes the same case."""
    ag.testing.check(f, copy.deepcopy(value))


def test_a_failed_pattern_binds_nothing() -> None:
    """Names are bound when the whole pattern fits, not before."""

    def f(value):
        a = "before"
        match value:
            case [a, 1]:
                return "first", a
            case [_, b] if b > a_limit(b):
                return "second", a, b
        return a

    def a_limit(b):
        return 5

    space = {"a_limit": a_limit}
    for value in ([2, 1], [2, 9], [2, 3], []):
        assert ag.convert(f)(value) == f(value), space
