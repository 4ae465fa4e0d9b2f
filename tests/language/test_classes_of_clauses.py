"""Classes of an ``except`` clause that a name holds in a tuple."""

from __future__ import annotations

import pytest
from equivalence import Cases

import autograph as ag

LOOKUP = (ValueError, KeyError)
NO_EXCEPTIONS = (KeyError, int)

case = Cases()


class Holder:
    """Holds classes where anything may assign others."""

    errors = (ValueError, KeyError)


@case((1,))
def the_class_is_returned(x):
    try:
        return {}[x]
    except LOOKUP as e:
        return type(e), type(e).__name__, LOOKUP.index(type(e))


@case((1,))
def with_others(x):
    try:
        return {}[x]
    except LOOKUP + (TypeError,) as e:
        return type(e)


@case((1,))
def one_of_them(x):
    try:
        return {}[x]
    except LOOKUP[1] as e:
        return type(e)


@case((1,))
def of_a_variable_around(x):
    errors = (IndexError, KeyError)

    def look(x):
        try:
            return {}[x]
        except errors as e:
            return type(e)

    return look(x)


@case.parametrize()
def test_the_classes_of_a_tuple_are_known(f, args):
    """Also where the handler does what might do anything outside."""
    ag.testing.check(f, *args)


def test_another_tuple_is_another_trace(monkeypatch):
    """The name is read in every call."""

    @ag.function
    def f(x):
        try:
            return {}[x]
        except LOOKUP as e:
            return type(e)

    assert f(1) is KeyError
    monkeypatch.setitem(globals(), "LOOKUP", (IndexError, TypeError))
    with pytest.raises(KeyError):
        f(1)
    monkeypatch.setitem(globals(), "LOOKUP", (IndexError, KeyError))
    assert f(1) is KeyError


def test_the_function_assigns_the_tuple():
    """What the traced code assigns is not taken for known."""

    def f(x):
        global LOOKUP
        LOOKUP = (TypeError,)
        try:
            return {}[x]
        except LOOKUP as e:
            return type(e)

    before = LOOKUP
    try:
        with pytest.raises((KeyError, ag.errors.ValueNeededError)):
            ag.function(f)(1)
    finally:
        globals()["LOOKUP"] = before


def test_an_attribute_that_anything_may_assign_is_refused():
    """It says what to write instead."""

    @ag.function
    def f(x):
        try:
            return {}[x]
        except Holder.errors as e:
            return type(e)

    with pytest.raises(ag.errors.ValueNeededError, match="a tuple of them that a variable"):
        f(1)


def test_classes_that_are_no_exceptions():
    """The error is Python's."""

    @ag.function
    def f(x):
        try:
            return {}[x]
        except NO_EXCEPTIONS as e:
            return type(e)

    with pytest.raises(TypeError, match="do not inherit from BaseException"):
        f(1)
