"""``hasattr``, and ``getattr`` with a default, of attributes whose code may raise AttributeError."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from equivalence import check


class Box:
    def __init__(self, x):
        self.x = x

    @property
    def size(self):
        if self.x > 1:
            raise AttributeError("no size")
        return self.x * 2

    @property
    def never(self):
        raise AttributeError("never")

    @functools.cached_property
    def kept(self):
        if self.x > 1:
            raise AttributeError("not kept")
        return self.x * 3

    @property
    def broken(self):
        if self.x > 1:
            raise KeyError("broken")
        return 0


class Lazy:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name == "double" and self.x > 1:
            return self.x * 2
        raise AttributeError(name)


def of_an_argument(b):
    return hasattr(b, "size"), hasattr(b, "never"), getattr(b, "size", -1.0), getattr(b, "never", None)


def of_an_object_made_here(x):
    b = Box(x)
    return hasattr(b, "size"), hasattr(b, "never"), getattr(b, "size", -1.0), getattr(b, "never", None)


def in_a_loop(x):
    total = 0.0
    for k in range(4):
        b = Box(x + k)
        if hasattr(b, "size"):
            total += b.size
        total += getattr(b, "size", 0.5)
    return total


def of_a_cached_one(x):
    b = Box(x)
    return getattr(b, "kept", -1.0)


def another_exception(x):
    return getattr(Box(x), "broken", 3)


def by_getattr(x):
    lazy = Lazy(x)
    return hasattr(lazy, "double"), hasattr(lazy, "x"), getattr(lazy, "double", x), getattr(lazy, "other", 3)


@pytest.mark.parametrize("x", [0.0, 3.0])
@pytest.mark.parametrize(
    "f",
    [of_an_object_made_here, in_a_loop, of_a_cached_one, another_exception, by_getattr],
    ids=lambda f: f.__name__,
)
def test_the_default_counts_when_the_run_raises(f, x) -> None:
    """What raises is known when the graph runs."""
    check(f, x)


@pytest.mark.parametrize("x", [0.0, 3.0])
def test_of_an_object_of_outside(x) -> None:
    """The same for an argument."""
    check(of_an_argument, Box(x))


@pytest.mark.parametrize("name", ["shape", "ptp", "newbyteorder", "tostring", "nothing", "bitwise_count"])
def test_of_arrays(name) -> None:
    """NumPy's own classes have names that only raise, in some versions."""

    def has(x):
        return hasattr(x, name), hasattr(x[0], name)

    def default(x):
        found = getattr(x, name, None)
        return x * 2 if found is None else x

    def read(x):
        return getattr(x, name)

    check(has, np.arange(4.0))
    check(default, np.arange(4.0))
    if not hasattr(np.arange(4.0), name):
        check(read, np.arange(4.0))
        check(read, np.float64(3.0))
