"""Arguments that cannot be: one clear error, nothing traced, nothing lost."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag


def plain(a, b, /, c=1, *, d=2):
    return a, b, c, d


def no_keywords(a, b):
    return a + b


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        (plain, (), {}),
        (plain, (1,), {}),
        (plain, (1, 2, 3, 4), {}),
        (plain, (1, 2), {"a": 3}),
        (plain, (1, 2, 3), {"c": 3}),
        (plain, (1, 2), {"e": 3}),
        (no_keywords, (1, 2, 3), {}),
        (no_keywords, (1,), {"a": 3}),
        (no_keywords, (), {"c": 3}),
    ],
)
def test_what_does_not_bind_is_pythons_own_error(f, args, kwargs):
    """With the name of the user's function, as a function and as a method."""
    staged = ag.function(f)
    with pytest.raises(TypeError) as expected:
        f(*args, **kwargs)
    for call in (staged, staged.get_concrete_function):
        with pytest.raises(TypeError) as caught:
            call(*args, **kwargs)
        assert str(caught.value) == str(expected.value)
    assert staged.trace_count == 0


def test_methods_that_do_not_bind():
    """Self counts, as in Python."""

    class C:
        def plain(self, x):
            return x

        staged = ag.function(plain)

    for args in ((), (1, 2)):
        with pytest.raises(TypeError) as expected:
            C().plain(*args)
        with pytest.raises(TypeError) as caught:
            C().staged(*args)
        assert str(caught.value) == str(expected.value)


def test_a_generator_is_refused_and_not_used_up():
    """In place and inside a container."""
    staged = ag.function(lambda x: x)
    generator = (k for k in [1, 2])
    for argument in (generator, [generator], {"a": (generator,)}):
        with pytest.raises(ag.StagingError, match="AG207.*generator"):
            staged(argument)
    assert staged.trace_count == 0 and list(generator) == [1, 2]
    assert staged(3) == 3


def test_static_values_that_cannot_be_hashed():
    """A list, a dict, an array."""
    staged = ag.function(lambda x, n: x, static_argnames="n")
    for value in ([1], {"a": 1}, np.ones(2)):
        with pytest.raises(ag.StagingError, match="cannot be a static argument"):
            staged(1, value)
    assert staged.trace_count == 0
    assert staged(1, (2, 3)) == 1


def test_a_call_that_raises_leaves_the_function_usable():
    """Errors of the user's function, while tracing and while running."""

    @ag.function
    def f(x, n):
        if n > 3:
            raise ValueError("too many")
        return x / n

    for _ in range(2):
        with pytest.raises(ValueError, match="too many"):
            f(1, 4)
        with pytest.raises(ZeroDivisionError):
            f(1, 0)
        assert f(1, 2) == 0.5
    assert f.trace_count == 1


def test_what_cannot_be_staged_is_refused_each_time():
    """With the user's line, before anything runs."""
    seen = []

    @ag.function
    def f(x):
        seen.append(1)
        x.resize(3)
        return x

    for _ in range(2):
        with pytest.raises(ag.StagingError, match="AG201"):
            f(np.ones(2))
    assert seen == [] and f.trace_count == 0


def test_an_object_array_with_numbers_no_op_can_take():
    """The error is NumPy's own."""
    staged = ag.function(np_sin)
    with pytest.raises(TypeError) as expected:
        np_sin(np.array([None]))
    with pytest.raises(TypeError) as caught:
        staged(np.array([None]))
    assert str(caught.value) == str(expected.value)


def np_sin(x):
    return np.sin(x)


def test_containers_that_contain_themselves():
    """They are values of the run, told by their class alone."""
    items = [1]
    items.append(items)
    named = {"a": 1}
    named["d"] = named

    @ag.function
    def f(x, k):
        x[1][0] += k
        return len(x), x[0], x[1] is x, x[1][1][0]

    @ag.function
    def g(*args, **options):
        return args, options

    assert [f(items, k) for k in (5, 6)] == [(2, 6, True, 6), (2, 12, True, 12)]
    assert f.trace_count == 1
    (first, one), options = g(items, 1, k=named)
    assert first is items and one == 1 and options["k"] is named


def test_parameters_called_like_names_of_ours():
    """Whatever the program and the tests before it call their own things."""
    box = [1]

    @ag.function
    def f(x, _ag_c1=1, _c0=2, _run=3, _v0=4, _g0=5, values=6, call=7, type=8, len=9, tuple=10, isinstance=11):
        return x * box[0], _ag_c1, _c0, _run, _v0, _g0, values, call, type, len, tuple, isinstance

    for _ in range(3):
        assert f(1) == (1, *range(1, 12))
        assert f(1, type=[1], len={"a": 2}) == f.python_function(1, type=[1], len={"a": 2})
        box[0] += 1
        assert f(1, [2], {"a": 3}) == f.python_function(1, [2], {"a": 3})
        box[0] -= 1
