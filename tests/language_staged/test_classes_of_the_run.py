"""``isinstance`` and ``issubclass`` with a tuple of classes that only the run makes."""

import contextlib
from typing import Any

import pytest

import autograph as ag


class Animal:
    """A class to ask about."""


class Plant:
    """Another."""


class Failed(Exception):
    """An exception class to ask about."""


KINDS = {Animal: "animal"}
GROWING: list[type] = [Animal]
ERRORS = (Failed,)


@pytest.mark.parametrize("asked", [Animal(), Plant(), 3, Animal])
def test_isinstance_of_a_tuple_made_at_run_time(asked: Any) -> None:
    """The classes are the keys of a dict: nested, beside known ones, of objects known and not."""

    def f(o: Any) -> Any:
        kinds = tuple(KINDS)
        known = isinstance(3, kinds), isinstance(Animal(), (int, kinds)), isinstance(lambda: 0, kinds)
        return isinstance(o, tuple(KINDS)), isinstance(o, kinds), isinstance([o], (list, kinds)), known

    ag.testing.check(f, asked)


@pytest.mark.parametrize("asked", [Animal(), Plant(), 3])
def test_issubclass_of_a_tuple_made_at_run_time(asked: Any) -> None:
    """The same of ``issubclass``."""

    def f(o: Any) -> Any:
        kinds = tuple(KINDS)
        return issubclass(type(o), kinds), issubclass(Animal, kinds), issubclass(Plant, (int, kinds))

    ag.testing.check(f, asked)


def test_classes_of_a_list_that_grows() -> None:
    """Every call asks about what the list holds by then."""

    @ag.function
    def f(o: Any) -> Any:
        return isinstance(o, tuple(GROWING)), issubclass(type(o), tuple(GROWING))

    assert f(Plant()) == (False, False)
    GROWING.append(Plant)
    try:
        assert f(Plant()) == (True, True)
    finally:
        GROWING.remove(Plant)


@pytest.mark.parametrize("x", [0, 2])
def test_isinstance_of_classes_that_were_spread(x: int) -> None:
    """``suppress(*ERRORS)`` has the graph read the tuple."""

    def f(x: int) -> Any:
        with contextlib.suppress(*ERRORS):
            if x > 1:
                raise Failed(x)
        return isinstance(ValueError(), ERRORS), isinstance(Failed(x), ERRORS)

    ag.testing.check(f, x)


def test_a_class_of_the_function_among_them() -> None:
    """A class statement of the staged function is asked about, and is one of the classes."""

    def f(x: int) -> Any:
        class Local(Failed):
            pass

        kinds = (*KINDS, Local)
        return (
            isinstance(Local(x), kinds),
            isinstance(Local, kinds),
            issubclass(Local, kinds),
            isinstance(x, kinds),
        )

    ag.testing.check(f, 3)


@pytest.mark.parametrize("asked", [Animal(), 3])
def test_what_is_no_class_is_refused_by_the_run(asked: Any) -> None:
    """The error is Python's."""

    def f(o: Any) -> Any:
        return isinstance(o, (tuple(KINDS), [int]))

    def of_a_list(o: Any) -> Any:
        return isinstance(o, list(KINDS))

    ag.testing.check(f, asked)
    ag.testing.check(of_a_list, asked)
