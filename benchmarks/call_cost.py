"""A warm call: what staging adds to the plain one, for two small arrays, and for each argument, guard and
item more.

Peers that are installed are measured in the same run, on the same call.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from timing import Row, in_turn, once

import autograph as ag

TITLE = "a warm call: what it takes over the plain one"
MORE = 10
"""How many more arguments, guards and entries the rows below the first have."""


def add(a, b):
    return a + b


def add_of_many(a, b, c, d, e, f, g, h, i, j, k, m):
    return a + b


def pick(tree):
    return tree["k0"]["x"] + tree["k0"]["y"]


class Model:
    def __init__(self) -> None:
        for k in range(MORE):
            setattr(self, f"r{k}", k + 0.5)


model = Model()


def guarded(a, b):
    return a + b if model.r0 + model.r1 + model.r2 + model.r3 + model.r4 < 100.0 else model.r5


def rows() -> Iterator[Row]:
    a, b = np.ones((2, 2)), np.arange(4.0).reshape(2, 2)
    tree = {f"k{k}": {"x": a, "y": b} for k in range(MORE)}
    yield _row("a + b on two arrays (2, 2)", add, (a, b), 1.5e-6)
    yield _row(f"{MORE} arguments more", add_of_many, (a, b, *[a] * MORE), 1.5e-6 + MORE * 0.15e-6)
    yield _row("6 guards more, and an if", guarded, (a, b), 1.5e-6 + 6 * 0.15e-6)
    yield _row(f"{2 * MORE} arrays in a nested dict", pick, (tree,), 1.5e-6 + 10e-6)
    yield Row("first call of a new function", once(lambda f: f(a, b), lambda: ag.function(add)), goal=20e-3)
    for name, make in PEERS.items():
        if importlib.util.find_spec(name) is None:
            continue
        peer = make(importlib.import_module(name), a, b)
        theirs, plain = in_turn([peer, lambda: add(a, b)], repeats=25)
        yield Row(f"{name}: a + b on two arrays (2, 2)", theirs, plain, "plain:")


def _row(name: str, function: Callable[..., Any], args: tuple[Any, ...], goal: float) -> Row:
    staged = ag.function(function)
    ours, plain = in_turn([lambda: staged(*args), lambda: function(*args)], repeats=25)
    return Row(name, ours, plain, "plain:", goal, over=True)


def _tensorflow(tensorflow: Any, a: Any, b: Any) -> Callable[[], Any]:
    function = tensorflow.function(add)
    one, other = tensorflow.constant(a), tensorflow.constant(b)
    return lambda: function(one, other)


def _jax(jax: Any, a: Any, b: Any) -> Callable[[], Any]:
    function = jax.jit(add)
    one, other = jax.numpy.asarray(a), jax.numpy.asarray(b)
    return lambda: function(one, other).block_until_ready()


def _numba(numba: Any, a: Any, b: Any) -> Callable[[], Any]:
    function = numba.njit(add)
    return lambda: function(a, b)


os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
PEERS = {"tensorflow": _tensorflow, "jax": _jax, "numba": _numba}
