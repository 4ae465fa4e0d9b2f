"""Operators on classes and objects that do not know them: Python's own errors, which name what was given."""

from __future__ import annotations

import linecache

import numpy as np
import pytest
from equivalence import check


class Data:
    n = 1


OPERATIONS = """
    -x +x ~x abs(x) x+1 1+x x-x x*2 x/2 x//2 x%2 x**2 2**x x@x x<<1 x>>1 x&1 x^1 x|1 x<1 1<x x<=x x>=1 x[0]
    x[0:1] 'a'+x [1]+x x+x x<x x==1 x!=x not(x) divmod(x,2) int(x) float(x) sum(x) [*x] reversed(x) sorted(x)
    max(x) map(abs,x) enumerate(x) zip(x,x) range(x) isinstance(1,x) x.nope
""".split()


def made(operation: str):
    """A function that does it, with its text where it is looked for."""
    name = f"<operator {operation}>"
    text = f"def f(x):\n    return {operation}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict = {"__name__": __name__}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("x", [Data, int, Data(), object(), slice(1), len, [], {}])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_errors_name_what_was_given(operation, x):
    """No stand-in shows, and nothing is ``NotImplemented``."""
    check(made(operation), x, modes=("staged",))


def test_super_of_what_is_no_class():
    """Python's own words, which name no class of this package."""

    def one(x):
        return super(x)

    def two(x):
        return super(x, 5)

    def not_of_the_class(x):
        return super(int, x).__add__(1)

    for f in (one, two, not_of_the_class):
        for x in (3, np.float64(2.0), np.arange(3)):
            check(f, x)


def test_names_that_are_no_names():
    """Of attributes and classes: Python's words for what was given."""

    def made(x):
        return type(x, (), {})

    def read(x):
        return getattr(3, x)

    def written(x):
        setattr(3, "n", x)

    for f in (made, read, written):
        for x in (3, np.arange(2), Data(), Data):
            check(f, x)
