"""Decorators of functions made in staged code; which of these functions are one, and how long they live."""

from __future__ import annotations

import functools
import gc
import weakref

import numpy as np
from equivalence import check, parametrize
from observing import check_made

import autograph as ag

# Decorators in staged code ----------------------------------------------------------------------------------


def scaled(k):
    calls = 0

    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args):
            nonlocal calls
            calls += 1
            return f(*args) * k + calls if k > 2 else f(*args)

        return wrapper

    return decorate


REGISTERED = []


def registered(place):
    def decorate(f):
        REGISTERED.append((place, f))
        return f

    return decorate


def decorated_inside(n):
    @scaled(n)
    @scaled(2)
    def f(v=1):
        "Doc."
        return v + n

    return f(), f(2), f, f.__doc__


def decorated_in_class(n):
    class A:
        @property
        def p(self):
            return n

        @scaled(3)
        def q(self):
            return 2

    a = A()
    return a.p, a.q(), a.q()


def remembered(n):
    @functools.lru_cache
    def f(v):
        print("computed", v)
        return v * n

    return f(2), f(2), f(n)


def registers(n):
    @registered(n)
    def f(v=1):
        return v + n

    return f(2)


@parametrize([(f, n) for f in (decorated_inside, decorated_in_class) for n in (4, 1)])
def test_a_decorator_is_called_in_each_run(f, args):
    """What it keeps is that of one call of the function around."""
    check_made(f, *args)


def test_a_decorator_of_the_library_remembers_what_one_call_computed():
    """A cache that is made in a call is empty at first."""
    check(remembered, 3, calls=2)


def test_what_a_decorator_does_outside_is_done_in_each_run():
    """The plain function registers a function each time."""

    def state():
        return [(place, f(7)) for place, f in REGISTERED]

    def restore(before):
        del REGISTERED[len(before) :]

    check(registers, 3, calls=2, state=state, restore=restore)


# Which functions are one ------------------------------------------------------------------------------------


def kept_in_a_loop(n):
    f = lambda: n  # noqa: E731
    fs = []
    for _ in range(n):
        fs.append(f)
    return fs[0] is fs[-1], fs.count(f)


def kept_by_a_helper(n):
    fs = []

    def keep(f):
        fs.append(f)

    g = lambda: n  # noqa: E731
    for _ in range(n):
        keep(g)
    return fs[0] is fs[-1]


def made_in_a_loop(n):
    fs = []
    for _ in range(n):
        fs.append(lambda v: v)
    return fs[0] is fs[-1]


def made_anew(n):
    return lambda v: v + 1


@parametrize([(f, 3) for f in (kept_in_a_loop, kept_by_a_helper, made_in_a_loop)])
def test_a_function_that_is_kept_often_is_one_and_one_that_is_made_often_is_many(f, args):
    """As ``is`` tells them apart."""
    check(f, *args)


def test_each_call_makes_its_own_function():
    """What the caller notes on one is not on the next, even where the function captures nothing."""
    staged = ag.function(made_anew)
    one, other = staged(1), staged(1)
    one.note = "mine"
    assert one is not other
    assert not hasattr(other, "note")
    assert other(2) == 3


def looks_at_an_array(a, n):
    k = n

    def f():
        nonlocal k
        k += 1
        return a[k]

    return f


def test_a_trace_keeps_nothing_of_the_call_that_was_traced():
    """Neither the arguments that a made function captured, nor the functions."""
    staged = ag.function(looks_at_an_array)
    a = np.arange(5.0)
    f = staged(a, 1)
    assert f() == 2.0
    array, function = weakref.ref(a), weakref.ref(f)
    del a, f
    gc.collect()
    assert array() is None
    assert function() is None
