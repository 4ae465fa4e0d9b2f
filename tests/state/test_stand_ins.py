"""What stands for the user's objects while tracing takes no name from them."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag


class Walker:
    """Uses the names that the stand-ins have themselves."""

    def __init__(self):
        self.path = []
        self.raw = 1
        self.tracer = 2

    def truth(self):
        return self.raw

    def type_hint(self):
        return "hint"

    def is_outside(self):
        return self.tracer

    def to_operand(self, tracer):
        return tracer + 1

    def usable(self):
        return "usable"

    def walk(self, x):
        self.path.append(x)
        self.raw += x
        return (
            [*self.path],
            self.path[-1],
            "set" if self.path else "none",
            getattr(self, "path", None) is self.path,
        )


def every_name(w, x):
    return (
        w.walk(x),
        w.truth(),
        w.type_hint(),
        w.is_outside(),
        w.to_operand(x),
        w.usable(),
        hasattr(w, "path"),
    )


class Empty:
    pass


def lacks(w):
    try:
        return w.path
    except AttributeError as error:
        return str(error), hasattr(w, "path"), getattr(w, "path", "none")


def test_attributes_and_methods_with_our_names_are_the_users():
    """Over several calls, on two objects."""
    plain, staged = Walker(), Walker()
    f = ag.function(every_name)
    for x in (1, 2, 3):
        assert f(staged, x) == every_name(plain, x)
    assert vars(staged) == vars(plain)


def test_an_object_without_our_names_lacks_them():
    """Python's own error."""
    assert ag.function(lacks)(Empty()) == lacks(Empty())


class Registry:
    path = ["a"]
    count = 0


def asks_the_class(cls, x):
    cls.count += x
    return getattr(cls, "path", None) is cls.path, hasattr(cls, "truth"), cls.count


def test_a_class_with_our_names_keeps_them():
    """Through ``getattr`` and by name."""
    staged = ag.function(asks_the_class)
    Registry.count = 0
    assert [staged(Registry, 1), staged(Registry, 2)] == [(True, False, 1), (True, False, 3)]


K = 1


def deleted(x):
    global K
    try:
        K = K + x
        return K
    except NameError as error:
        return str(error)


def test_a_global_that_is_deleted_between_calls_is_a_name_error():
    """As Python words it, and for the handler of the user's."""
    global K
    f = ag.function(deleted)
    K = 1
    assert [f(1), f(1)] == [2, 3]
    del K
    assert f(1) == "name 'K' is not defined"
    K = 1


def abandoned(log, n):
    def items():
        try:
            yield n
        finally:
            log.append(1)

    for item in items():
        break
    return item


def test_a_generator_is_cleaned_up_where_python_lets_go_of_it():
    """Its ``finally`` runs at that place of the program."""
    ag.testing.check(abandoned, [], 2)


@pytest.mark.parametrize("cls", [float, int, bool, complex, np.float64, np.dtype("f8"), "f8"])
@pytest.mark.parametrize("array", [np.ones(1), np.ones(2, int), np.ones(1, bool)])
def test_classes_of_python_itself_need_no_stand_in(cls, array):
    """NumPy asks what a dtype is compared with whether it is a class."""

    def f(x, dt):
        return x.dtype == dt, x.dtype != dt, dt == x.dtype, x.dtype in [dt], np.zeros(2, dt)

    ag.testing.check(f, array, cls)
