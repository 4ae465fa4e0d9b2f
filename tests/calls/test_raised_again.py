"""``raise`` alone: the exception goes on, and its traceback gets no entry of the statement."""

from __future__ import annotations

import contextlib
import traceback

import pytest

import autograph as ag


def leaves_an_outer_handler(x):
    try:
        try:
            10 / x
        except ZeroDivisionError as e:
            raise ValueError from e
    except ValueError:
        raise


def in_an_arm(x, seen=()):
    try:
        10 / x
    except ZeroDivisionError as e:
        if x == 0:
            raise
        return str(e)


def in_a_loop(x):
    for k in range(3):
        try:
            10 / (x - k + 1)
        except ZeroDivisionError:
            while True:
                if x >= 0:
                    raise
                x += 1


def beside_another_handler(x):
    try:
        10 / x
    except ZeroDivisionError:
        try:
            [][x]
        except IndexError:
            x = 2
        with contextlib.suppress(KeyError):
            raise


def from_another_handler(x):
    try:
        10 / x
    except ZeroDivisionError:
        try:
            [][x]
        except IndexError:
            raise


def _again():
    raise  # noqa: PLE0704


def in_a_function_of_its_own(x):
    try:
        10 / x
    except ZeroDivisionError:
        _again()


def by_its_name(x):
    try:
        try:
            10 / x
        except ZeroDivisionError as e:
            raise e
    except ZeroDivisionError as e:
        raise e from None


def with_a_cause_noted_before(x):
    try:
        10 / x
    except ZeroDivisionError as e:
        e.__cause__ = KeyError(x)
        raise


def _of(error):
    frames = [(f.lineno, f.name, f.colno) for f in traceback.extract_tb(error.__traceback__)[1:]]
    led = [each and repr(each) for each in (error.__cause__, error.__context__)]
    return repr(error), frames, led, error.__suppress_context__


@pytest.mark.parametrize(
    "f",
    [
        leaves_an_outer_handler,
        in_an_arm,
        in_a_loop,
        beside_another_handler,
        from_another_handler,
        in_a_function_of_its_own,
        by_its_name,
        with_a_cause_noted_before,
    ],
)
def test_the_traceback_is_that_of_the_plain_run(f):
    """Frames, lines, columns, and what led to it."""
    with pytest.raises(Exception) as plain:  # noqa: PT011
        f(0)
    staged = ag.function(f)
    for _ in range(2):
        with pytest.raises(type(plain.value)) as caught:
            staged(0)
        assert _of(caught.value) == _of(plain.value)
    ag.testing.check(f, 0)


def test_an_outer_handler_sees_one_entry():
    """The handler around asks for the traceback."""

    def f(x):
        try:
            try:
                1 / x
            except ZeroDivisionError:
                raise
        except ZeroDivisionError as e:
            return e.__traceback__.tb_lineno, e.__traceback__.tb_next

    assert ag.function(f)(0) == f(0)
