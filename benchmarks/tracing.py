"""Tracing: a straight line of 1,000 ops, and control flow nested 12 deep."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from timing import Row, Times, load, once

import autograph as ag

TITLE = "get_concrete_function (trace, check, optimise, emit) of a converted function"


def straight(ops: int) -> Callable[..., Any]:
    lines = [f"    x = {('x + 1.5', 'x * y', 'np.sin(x)', 'y - x')[number % 4]}\n" for number in range(ops)]
    return load(f"def f(x, y):\n{''.join(lines)}    return x\n")


def nested(depth: int, kind: str) -> Callable[..., Any]:
    """``if`` in ``if``, ``for`` in ``for`` or, with ``mixed``, in turn."""
    lines = ["def f(n, x):"]
    for level in range(depth):
        head = {
            "if": f"if x > {level}:",
            "for": f"for i{level} in range(n):",
            "mixed": f"for i{level} in range(n):" if level % 2 else f"if x > {level}:",
        }[kind]
        lines.append("    " * (level + 1) + head)
    lines += ["    " * (depth + 1) + "x = x + 1", "    return x"]
    return load("\n".join(lines) + "\n")


def traced(f: Callable[..., Any], *args: Any) -> Times:
    ag.convert(f)
    return once(lambda staged: staged.get_concrete_function(*args), lambda: ag.function(f), repeats=5)


def rows() -> Iterator[Row]:
    arrays = np.ones(3), np.ones(3)
    traced(straight(20), *arrays)
    short = traced(straight(250), *arrays)
    yield Row("250 ops in a straight line", short)
    yield Row("1,000 ops in a straight line", traced(straight(1000), *arrays), short, "a quarter:", 0.15)
    for kind in ("if", "for", "mixed"):
        six = traced(nested(6, kind), 2, 1)
        yield Row(f"{kind}, nested 12 deep", traced(nested(12, kind), 2, 1), six, "6 deep:")
