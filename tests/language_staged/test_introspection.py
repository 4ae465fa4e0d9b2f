"""Questions about a value are answered as in plain Python: by the value, not by the symbol for it."""

from __future__ import annotations

import operator
import traceback
from types import SimpleNamespace

import numpy as np
import pytest
from equivalence import check

import autograph as ag


def asks_class(x):
    return x.__class__.__name__, x.__class__ is np.ndarray, type(x) is int


def asks_callable(x):
    return callable(x)


def asks_attributes(x):
    return [hasattr(x, name) for name in ("__len__", "__iter__", "__dict__", "__call__", "sum", "real")]


def as_index(x):
    return operator.index(x)


def from_a_generator(x):
    def items():
        yield x
        yield x + 1

    made = items()
    return next(made), list(made)


def from_a_map(x):
    made = map(lambda v: v + x, [1, 2])
    return next(made), list(made)


def joined(x):
    return ",".join(str(v) for v in [x, 2])


def strictly_zipped(x):
    for a, b in zip([x], [x, 1], strict=True):
        pass
    return a, b


@pytest.mark.parametrize("x", [3, 2.5, np.float64(1), np.ones(2)], ids=["int", "float", "scalar", "array"])
@pytest.mark.parametrize("f", [asks_class, asks_callable, asks_attributes, as_index])
def test_a_value_is_asked_not_its_symbol(f, x):
    """Class, attributes, whether it can be called or be an index."""
    check(f, x)


@pytest.mark.parametrize("f", [from_a_generator, from_a_map, joined, strictly_zipped])
def test_iterators_that_are_known_go_on_as_in_plain_python(f):
    """Generators and maps made in the function, and what ``zip`` says."""
    check(f, 1)


def unset(x):
    if x > 1:
        y = x
    return y


def test_an_unset_name_has_no_frame_of_ours():
    """The last frame is the line that reads it."""
    with pytest.raises(UnboundLocalError) as caught:
        ag.function(unset)(1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.name, last.line) == (__file__, "unset", "return y")


class Counter:
    count = 0
    log: list = []

    def add(self, x):
        type(self).count += x
        return Counter.count

    @classmethod
    def note(cls, x):
        cls.log.append(x)
        return len(cls.log), cls.count


def changes(counter, cls, x):
    cls.count += x
    return counter.add(x), cls.note(x)


def test_classes_as_values_are_state():
    """Through ``type(self)``, ``cls`` and an argument; read and written at every call."""

    def run(function):
        Counter.count, Counter.log = 0, []
        results = [function(Counter(), Counter, x) for x in (1, 2)]
        Counter.count = 10
        return [*results, function(Counter(), Counter, 3)], Counter.count, Counter.log, type(Counter.count)

    assert run(ag.function(changes)) == run(changes)


box = SimpleNamespace(first=[1], second=None)
box.second = box.first


def same(x):
    return box.first is box.second, x


def test_one_object_under_two_names_is_guarded():
    """They may be two objects in the next call."""
    staged = ag.function(same)
    assert staged(1) == (True, 1)
    box.second = [1]
    try:
        assert staged(1) == (False, 1)
    finally:
        box.second = box.first


def test_static_arguments_that_are_equal_are_not_the_same():
    """``(1,) == (True,)`` and ``0.0 == -0.0``."""
    staged = ag.function(lambda t: t, static_argnames="t")
    for value in ((1,), (True,), (1.0,), (0.0,), (-0.0,)):
        assert repr(staged(value)) == repr(value)
