"""What Python cannot do raises Python's error, also where it is known while tracing."""

from __future__ import annotations

import numpy as np
from equivalence import parametrize

import autograph as ag


def first(x):
    for y in x:
        return y


def has(x):
    return "a" in x


def item(x, k):
    return x[k]


def literal_item(x, k):
    if k is None:
        return (1,)[k]
    return "ab"[k]


def negative(x):
    return -x


def call(x):
    return x(1)


def attribute(x):
    return x.foo


def add(x, y):
    return x + y


def length(x):
    return len(x)


def iterator(x):
    return iter(x)


def unpack(x):
    a, b = x
    return a


def less(x, y):
    return x < y


def set_item(x, k):
    x[k] = 1
    return x


def del_item(x, k):
    del x[k]
    return x


def enter(x):
    with x:
        return 1


def times(x):
    return [1] * x


def as_decimal(x):
    return f"{x:d}"


def starred(x):
    return [*x]


def double_starred(x):
    return dict(**x)


def set_attribute(x):
    x.foo = 1


def numbers(x):
    return list(range(x))


def integer(x):
    return int(x)


def debug(x):
    if __debug__:
        x += 1
    return x + 1 if __debug__ else x


_FOR = {
    first: [None, len, 1, np.float64(1), True, int],
    has: [None, len, 1],
    negative: ["a", None, [1], (1,), {}, len],
    call: [None, "a", (1,), [1]],
    attribute: [None, "a", [1], {}, (1,), len, 1, np.ones(1)],
    length: [None, len, True, 1],
    iterator: [None],
    unpack: [None, "abc", (1,), [1], {}, len],
    enter: [None, "a", [1]],
    times: ["a", None],
    as_decimal: ["a", None, [1]],
    starred: [None, len],
    double_starred: [None, {1: 2}, "a"],
    set_attribute: [None, "a", [1], 1],
    numbers: ["a", None, 1.0, np.ones(1)],
    integer: ["a", None, [1]],
    debug: [1, -1],
}
_FOR_TWO = {
    item: [
        ((1,), None),
        ("ab", "c"),
        ("ab", None),
        ((1, 2), "a"),
        (None, 1),
        ({}, "a"),
        ([1], "a"),
        ([1], None),
    ],
    literal_item: [(1, None), (1, "c")],
    add: [("a", None), (None, 1), ([1], 1), ({}, {}), ((1,), [1]), (len, 1)],
    less: [(None, 1), (1, None), ("a", 1), (1, "a"), ([1], None), ({}, {}), ((1,), None), (b"a", 1.0)],
    set_item: [((1,), 0), ("a", 0), (None, 0), ([1], "a"), ([1], 5), ({}, [1]), (len, 1)],
    del_item: [((1,), 0), ({}, 0), ([], 0), (None, 0)],
}


@parametrize([(f, x) for f, values in _FOR.items() for x in values])
def test_the_error_is_pythons(f, args):
    """One operand of a wrong kind."""
    ag.testing.check(f, *args)


@parametrize([(f, *pair) for f, pairs in _FOR_TWO.items() for pair in pairs])
def test_the_error_about_two_operands_is_pythons(f, args):
    """Two operands that do not go together."""
    ag.testing.check(f, *args)
