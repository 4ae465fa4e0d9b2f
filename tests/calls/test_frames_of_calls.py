"""Tracebacks show the frames of the plain run, also of calls that are no calls in the program."""

from __future__ import annotations

import sys
import traceback

import numpy as np
import pytest

import autograph as ag

from . import frames_elsewhere
from .frames_elsewhere import helper


def entries(function, *args, depth=0):
    """File, line, name and columns of the frames behind the call, of the error or of what led to it."""
    with pytest.raises(Exception) as caught:
        function(*args)
    error = caught.value
    for _ in range(depth):
        error = error.__cause__ or error.__context__
    frames = traceback.extract_tb(error.__traceback__)
    fields = ("filename", "lineno", "end_lineno", "name", "colno", "end_colno")
    found = [tuple(getattr(frame, each, None) for each in fields) for frame in frames]
    return found if depth else found[1:]


def inner(x):
    y = x + 2
    return y // 0


@ag.function
def staged_inner(x):
    y = x + 2
    return y // 0


def called_in_an_expression(x):
    z = x * 2
    return 1 + inner(z)


def called_twice(x):
    first = divided(x, x)
    return first + divided(x, x - x)


def divided(x, y):
    return x // y


def called_twice_in_a_line(x):
    return divided(x, x) + divided(x, 0 * x)


def called_over_lines(x):
    for k in range(3):
        inner(
            x + k,
        )


def called_in_an_arm(x):
    if x > 0:
        x += 1
        if x > 1:
            return deeper(x)
    return x


def deeper(x):
    while x > 0:
        if x == 1:
            return inner(x)
        x -= 1
    return x


def called_by_a_handler(x):
    try:
        return inner(x)
    except ZeroDivisionError:
        return deeper(x)


def translated(x):
    try:
        return inner(x)
    except ZeroDivisionError as error:
        raise ValueError("zero") from error


class Calculator:
    def total(self, x):
        return self._part(x) + 1

    def _part(self, x):
        return x // 0


def called_methods(x):
    return Calculator().total(x)


def called_lambda(x):
    divide = lambda v: v // 0  # noqa: E731
    z = 1 + x
    return divide(z)


def called_local(x):
    def local(v):
        v = v + 1
        return v // 0

    return local(x) + 1


def called_elsewhere(x):
    y = x + 0
    return helper(y)


def called_elsewhere_twice(x):
    helper(x + 5)
    y = helper(x + 4) + helper(x)
    return y


def called_elsewhere_and_back(x):
    y = x + 1
    return frames_elsewhere.applied(inner, y)


def called_elsewhere_deeply(x):
    y = x + 1
    return frames_elsewhere.outer(y - 1)


def called_in_a_generator(x):
    return sum(inner(v) for v in [x, x])


def called_staged(x):
    z = x * 2
    w = staged_inner(z)
    return w


def called_staged_twice(x):
    return staged_outer(x) - staged_outer(x + 1)


@ag.function
def staged_outer(x):
    return divided(x, x) + divided(x, x - 2)


def missing_attribute(x):
    y = x + 1
    return np.no_such_thing(y)


def raised_in_a_callee(x):
    checked(x)
    return x


def checked(x):
    if x < 10:
        raise ValueError("too small")


CALLING = [
    called_in_an_expression,
    called_twice,
    called_twice_in_a_line,
    called_over_lines,
    called_in_an_arm,
    called_by_a_handler,
    translated,
    called_methods,
    called_lambda,
    called_local,
    called_elsewhere,
    called_elsewhere_twice,
    called_elsewhere_and_back,
    called_elsewhere_deeply,
    called_in_a_generator,
    missing_attribute,
    raised_in_a_callee,
]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before, Python does not tell parts from functions")
@pytest.mark.parametrize("f", CALLING, ids=lambda f: f.__name__)
def test_the_frames_are_those_of_the_plain_run(f):
    """Files, lines, names and what is marked, in the first run and in the next."""
    plain = entries(f, 1)
    staged = ag.function(f)
    assert entries(staged, 1) == plain
    assert entries(staged, 1) == plain


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before, Python does not tell parts from functions")
@pytest.mark.parametrize("f", [called_staged, called_staged_twice], ids=lambda f: f.__name__)
def test_the_frames_of_staged_functions_are_those_of_plain_ones(f):
    """Whether the graph of the callee was put in place of the call or not."""
    staged = entries(ag.function(f), 1)
    with ag.run_eagerly():
        plain = entries(f, 1)
    assert staged == plain


def test_what_led_to_an_error_has_its_frames_too():
    """The cause, and what was being handled."""
    assert entries(ag.function(translated), 1, depth=1) == entries(translated, 1, depth=1)
    staged = ag.function(called_by_a_handler)
    assert entries(staged, 1, depth=1) == entries(called_by_a_handler, 1, depth=1)


def test_the_frame_of_the_function_has_its_locals():
    """For a debugger that looks at them after the error."""
    with pytest.raises(ZeroDivisionError) as caught:
        ag.function(called_in_an_expression)(20)
    frame = caught.value.__traceback__.tb_next.tb_frame
    assert frame.f_code.co_name == "called_in_an_expression" and 20 in frame.f_locals.values()
