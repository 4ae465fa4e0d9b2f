"""Lambdas and closures that are another object in each call: told by their code and what they capture."""

from __future__ import annotations

import functools
import gc
import weakref

import numpy as np
import pytest
from equivalence import check

import autograph as ag


def integral(f, a, b, n):
    s = 0.0
    for i in range(n):
        s += f(a + (b - a) * i / n)
    return s


@pytest.mark.parametrize(
    "make",
    [
        lambda k: lambda t: k * t + 1,
        lambda k: lambda t: t * np.full(3, k * 1.0).sum(),
        lambda k: (lambda w: lambda t: t * w.sum())(np.full(3, k * 1.0)),
        lambda k: (lambda box: lambda t: t + box["k"])({"k": k}),
        lambda k: (lambda ks: lambda t: t + ks[0] * ks[1])([k, 2]),
    ],
    ids=["number", "global", "array", "dict", "list"],
)
def test_one_trace_for_many_closures(make):
    """The second call leaves the function free, the third what it captures."""
    staged = ag.function(integral)
    for k in range(12):
        assert staged(make(k), 0.0, 1.0, 5) == integral(make(k), 0.0, 1.0, 5)
    assert staged.trace_count <= 3, staged.explain()
    assert "call_value(f" not in str(staged.concrete_functions[-1].graph)


def test_functions_inside_containers():
    """In a dict, in a list, as part of a partial function."""

    @ag.function
    def f(d):
        return d["loss"](2.0) + d["others"][0](1)

    for k in range(8):
        assert f({"loss": lambda x: x * k, "others": [lambda y: y + k]}) == 3.0 * k + 1  # noqa: B023
    assert f.trace_count <= 4, f.explain()


def test_which_function_it_is_can_be_asked():
    """Identity, equality, hash, name, class, text: as of the function of this call."""

    @ag.function
    def f(g, h):
        return (
            g is h,
            g == h,
            g in [h],
            {g: 1}.get(h),
            g.__name__,
            callable(g),
            type(g),
            hash(g),
            [g, h],
            (g,),
        )

    def make(k):
        return lambda: k

    functions = [make(k) for k in range(4)]
    for g in functions:
        for h in functions:
            assert f(g, h) == f.python_function(g, h)

    @ag.function
    def same(g):
        return g

    assert all(same(g) is g for g in functions)
    assert same.trace_count == 2


def test_functions_that_are_given_on():
    """To ``map``, ``sorted`` and ``max``."""

    @ag.function
    def f(g, xs):
        return list(map(g, xs)), sorted(xs, key=g), [g(x) for x in xs], max(xs, key=g)

    for k in range(6):
        g = (lambda k: lambda t: (t * k) % 5)(k)
        assert f(g, [1, 2, 3, 4]) == f.python_function(g, [1, 2, 3, 4])


def test_functions_that_assign_their_variables():
    """Each function has its own trace, and its own variable."""

    def counter():
        n = 0

        def more():
            nonlocal n
            n += 1
            return n

        return more

    staged = ag.function(lambda f: (f(), f()))
    for _ in range(4):
        assert staged(counter()) == (1, 2)


def test_functions_with_defaults_are_told_apart():
    """What is no variable of theirs is not looked at."""
    staged = ag.function(lambda f: f())
    assert [staged(lambda k=k: k) for k in range(4)] == [0, 1, 2, 3]


def test_code_and_defaults_of_a_function_are_exchanged():
    """The trace that relies on the code sees it."""

    def make(k):
        return lambda x: x + k

    f, g, h = make(1), make(2), make(3)
    staged = ag.function(lambda f, x: f(x))
    assert (staged(f, 1), staged(g, 1), staged(h, 1)) == (2, 3, 4)
    h.__defaults__ = (5,)
    assert staged(h, 2) == 5
    g.__code__ = (lambda k: lambda x: x * k)(0).__code__
    assert staged(g, 4) == 8


def test_a_closure_is_let_go():
    """The traces that do without a function do not keep it."""
    staged = ag.function(lambda f, x: f(x))
    for k in range(3):
        staged((lambda k: lambda x: x + k)(k), 1)
    last = (lambda w: lambda x: x + w)(np.ones(2))
    code = last.__code__
    for _ in range(3):
        last = (lambda w: lambda x: x + w)(np.ones(2))
        assert last.__code__ is not None and code is not None
        staged(last, 1)
    seen = weakref.ref(last)
    del last
    gc.collect()
    assert seen() is None


def test_numbers_that_are_read_in_a_loop_have_a_type():
    """One that changes between calls, but not in the call; and one that changes in the loop."""

    class Settings:
        rate = 1

    settings = Settings()

    @ag.function
    def steady(n):
        s = 0
        for i in range(n):
            s += i * settings.rate
        return s

    for k in range(4):
        settings.rate = k
        assert steady(5) == 10 * k
    assert "unknown" not in str(steady.concrete_functions[-1].graph)

    def changing(n):
        s = 0
        for i in range(n):
            s += i * settings.rate
            if i > 1:
                settings.rate = 0.5
        return s

    def restore(k):
        settings.rate = k

    check(changing, 5, state=lambda: settings.rate, restore=restore, calls=3)


def test_closures_of_seldom_calls_are_let_go():
    """The index of traces that calls from outside look through keeps none of them."""
    staged = ag.function(lambda f, x: f(x))
    functions = [(lambda w: lambda x: x + w)(np.ones(2)) for _ in range(3)]
    for f in functions:
        staged(f, 1)
    for x in (1.0, 1j, "a", np.ones(1), np.float32(1), (1,), [1]):  # traces that calls enter at first
        staged(lambda x: x, x)
    last = (lambda w: lambda x: x + w)(np.ones(2))
    code = functions[0].__code__
    seen = []
    for _ in range(3):
        again = type(last)(code, globals(), "<lambda>", None, last.__closure__)
        seen.append(weakref.ref(again))
        staged(again, 1)
    del again, f
    gc.collect()
    assert [each() for each in seen] == [None, None, None]


def test_a_partial_after_other_functions():
    """What was learnt of the functions before says nothing of what a partial holds."""

    def times(k):
        return lambda v: v * k

    @ag.function
    def f(g, x):
        if x > 1:
            return g(x)
        return g(-x)

    for g in (times(1), times(2), times(3), functools.partial(max, 7), functools.partial(times(5)), times(4)):
        for x in (0, 2):
            assert f(g, x) == f.python_function(g, x)
