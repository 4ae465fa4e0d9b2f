"""Attributes of outer modules, classes and functions are read and written when the graph runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import outer_config
import outer_config as other_name
import pytest

import autograph as ag


class Net:
    counter = 0
    rate = 2.0

    @classmethod
    def make(cls, x):
        return x * cls.rate

    @staticmethod
    def double(x):
        return x * 2


def helper(x):
    helper.calls += 1
    return x * helper.calls


helper.calls = 0


def state() -> Any:
    return outer_config.RATE, outer_config.Kind.LIMIT, Net.counter, Net.rate, helper.calls, outer_config.NAMES


def restore(values: Any) -> None:
    outer_config.RATE, outer_config.Kind.LIMIT, Net.counter, Net.rate, helper.calls = values[:5]
    outer_config.NAMES[:] = values[5]


def reads(x):
    return x * outer_config.RATE + outer_config.TABLE[1] + math.pi + outer_config.Kind.LIMIT


def writes(x):
    outer_config.RATE = x * 2
    Net.counter += 1
    outer_config.Kind.LIMIT, y = 7, x
    return other_name.RATE + y, Net.counter, outer_config.Kind.LIMIT


def writes_in_a_loop(n):
    for i in range(n):
        Net.counter += i
        if Net.counter > 5:
            outer_config.RATE = i
            break
    return Net.counter


def calls(x):
    return outer_config.scale(x) + Net.make(x) + Net.double(x) + helper(x) + helper(x)


def appends(x):
    outer_config.NAMES.append("b")
    return x, len(outer_config.NAMES)


@pytest.mark.parametrize("f", [reads, writes, writes_in_a_loop, calls, appends])
def test_staged_does_the_same(f: Any) -> None:
    """Reads, writes and calls, the state afterwards included."""
    ag.testing.check(f, 6, state=state, restore=restore, calls=2)


def test_a_later_value_is_seen() -> None:
    """What is read is the value at the time of the call."""
    staged = ag.function(reads)
    before = state()
    try:
        for value in (0.5, 3.0, 4.0):
            outer_config.RATE = value
            assert staged(2.0) == reads(2.0)
    finally:
        restore(before)


def test_another_function_under_the_name_is_called() -> None:
    """A function of a module is read as it is, under a guard."""
    staged = ag.function(calls)
    before, scale = state(), outer_config.scale
    try:
        staged(np.float64(2.0))
        outer_config.scale = lambda x: x * 1000
        helper.calls = 0
        expected = calls(np.float64(2.0))
        helper.calls = 0
        assert staged(np.float64(2.0)) == expected
    finally:
        outer_config.scale = scale
        restore(before)


def test_the_text() -> None:
    """Data goes through operators; code, and what is not the user's, is read as it is."""
    text = ag.to_code(writes)
    assert "def set_outer_config_RATE(value):\n        outer_config.RATE = value" in text
    assert "ag.set_outer(set_outer_config_RATE, x * 2)" in text
    assert "ag.outer(lambda: other_name.RATE)" in text
    text = ag.to_code(reads)
    assert "math.pi" in text and "lambda: math" not in text
    assert "ag.call(outer_config.scale, x)" in ag.to_code(calls)


def test_deleting_one_happens_when_the_graph_runs() -> None:
    """What is read behind it finds no attribute."""

    def f(x):
        outer_config.EXTRA = x
        found = outer_config.EXTRA
        del outer_config.EXTRA
        return found, hasattr(outer_config, "EXTRA"), outer_config.EXTRA

    ag.testing.check(f, 2)


def test_keyword_arguments_are_a_dict_of_the_trace() -> None:
    """What the function does to its ``**options`` is seen, and the caller's dict is not changed."""

    def f(x, **options):
        """Doc."""
        if x > 1:
            options["rate"] = x
        options.setdefault("bias", 3)
        return options["rate"] + options["bias"], options

    def g(x, **options):
        return f(x, **options)

    for x in (0.5, 2.0):
        ag.testing.check(f, x, rate=5)
        ag.testing.check(g, x, rate=5, bias=1)
    assert "options = ag.dict_(options)" in ag.to_code(f)
    assert "dict_" not in ag.to_code(g)
