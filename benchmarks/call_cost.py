"""A warm call of ``a + b`` on two small arrays: what staging adds to the plain call, here and elsewhere."""
from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from timing import Row, in_turn

import autograph as ag

TITLE = "a warm call of a + b on two arrays of 3"


def add(a, b):
    return a + b


def rows() -> Iterator[Row]:
    a, b = np.ones(3), np.arange(3.0)
    staged = ag.function(add)
    ours, plain = in_turn([lambda: staged(a, b), lambda: add(a, b)], repeats=25)
    yield Row("autograph", ours, plain, "plain:", 3e-6, over=True)
    for name, make in PEERS.items():
        if importlib.util.find_spec(name) is None:
            continue
        peer = make(importlib.import_module(name), a, b)
        theirs, plain = in_turn([peer, lambda: add(a, b)], repeats=25)
        yield Row(name, theirs, plain, "plain:")


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
