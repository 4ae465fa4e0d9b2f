"""Attributes of an object that hide what its class has, on objects that only the run knows."""

from __future__ import annotations

import numpy as np
import pytest
from equivalence import check

import autograph as ag


class Plain:
    def method(self):
        return 3

    @classmethod
    def of_class(cls):
        return 4

    @staticmethod
    def static():
        return 5


class Numbers(list):
    pass


class WithCallback:
    def __init__(self, x):
        if x > 1:
            self.method = lambda: 70

    def method(self):
        return 3

    def go(self):
        return self.method()


FIRST, SECOND = Plain(), Plain()
FIRST.method = lambda: 50
FIRST.of_class = lambda: 51
FIRST.static = lambda: 52


def one_of_two(x):
    q = FIRST if x > 1 else SECOND
    return q.method(), q.of_class(), q.static(), getattr(q, "method")()  # noqa: B009


def one_of_two_made_here(x):
    a, b = Plain(), Plain()
    a.method = lambda: 50
    q = a if x > 1 else b
    return q.method()


def the_last(x):
    q = SECOND
    for _ in range(int(x)):
        q = FIRST
    return q.method()


def set_here(x):
    q = Plain()
    before = q.method
    q.method = lambda: x
    return before(), q.method()


def set_in_init(x):
    return WithCallback(x).go()


def set_in_a_loop(x):
    q, found = Plain(), 0
    for _ in range(int(x)):
        found = q.method()
        q.method = lambda: 8
    return found


def set_by_a_name_of_the_run(x):
    q = Plain()
    setattr(q, "method" if x > 1 else "other", lambda: 5)
    return q.method()


def set_in_the_dict(x):
    q, r = Plain(), Plain()
    q.__dict__["method"] = lambda: x
    vars(r)["method"] = lambda: x + 1
    return q.method(), r.method()


def of_a_builtin(x):
    numbers = Numbers([x])
    numbers.append = lambda item: item
    q = numbers if x > 1 else Numbers()
    return q.append(5), list(q)


CASES = [
    one_of_two,
    one_of_two_made_here,
    the_last,
    set_here,
    set_in_init,
    set_in_a_loop,
    set_by_a_name_of_the_run,
    set_in_the_dict,
    of_a_builtin,
]


@pytest.mark.parametrize("function", CASES)
def test_attributes_hide_methods(function):
    """Both where an object has such an attribute and where it has none."""
    check(function, np.float64(2.0))
    check(function, np.float64(1.0))


def test_methods_of_objects_made_here_are_traced_through():
    """Another attribute hides nothing."""

    def f(x):
        q = Plain()
        q.other = x
        return q.method()

    graph = ag.function(f).get_concrete_function(1.0).graph
    assert graph.results == (3,)
