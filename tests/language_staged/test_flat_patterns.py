"""Patterns that ask for the values of parts and then capture others are one test each."""

from __future__ import annotations

from collections import UserList
from dataclasses import dataclass

import numpy as np
from equivalence import parametrize

import autograph as ag


@dataclass
class Move:
    kind: str
    x: float
    y: float = 0.0


def machine(steps):
    total = 0
    for step in steps:
        match step:
            case ("add", k):
                total += k
            case ("sub", k) if k > total:
                total = -1
            case ("mul", k) | ("times", k):
                total *= k
            case ["sum", *rest]:
                total += sum(rest)
            case {"op": "set", "to": k}:
                total = k
            case Move("right", x) | Move("left", x):
                total += x
            case Move(kind="up", y=y) as whole:
                total += y + whole.x
            case (_, None, True):
                total += 100
            case (k, "late"):
                total += k
            case ():
                total += 7
            case _:
                total = -total
    return total


def unset(step):
    match step:
        case ("a", k):
            pass
        case (k, _) if k > 3:
            pass
        case _:
            return "none"
    return k


def nested_in_tuple(a, b):
    match a, b:
        case ("x", k), 1:
            return k
        case [_, k], n:
            return k + n
        case _, n:
            return n


_STEPS = [
    ("add", 2),
    ("sub", 5),
    ("mul", 3),
    ("times", 2),
    ["sum", 1, 2, 3],
    {"op": "set", "to": 4},
    {"op": "set"},
]
_STEPS += [
    Move("right", 1.5),
    Move("up", 2.0, 3.0),
    Move("down", 1.0),
    (1, None, True),
    (5, "late"),
    (),
    "add",
    b"ad",
]
_STEPS += [UserList(["add", 5]), range(2), ("sub", 100), np.float64(2.0), None, 3]


@parametrize(
    [
        (machine, _STEPS),
        (machine, _STEPS[::-1]),
        (machine, [("add", np.arange(3)), ("mul", 2)]),
        (unset, ("a", 1)),
        (unset, (7, 1)),
        (unset, (1, 1)),
        (unset, "ab"),
        (nested_in_tuple, ("x", 5), 1),
        (nested_in_tuple, ("x", 5), 2),
        (nested_in_tuple, "ab", 2),
    ]
)
def test_flat_patterns(f, args):
    """Values, captures, stars, classes, mappings, alternatives and guards."""
    ag.testing.check(f, *args)
