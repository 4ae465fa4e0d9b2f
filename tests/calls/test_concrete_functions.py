"""One trace by itself: called, described, and refusing what it was not made for."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import autograph as ag

Pair = collections.namedtuple("Pair", "x y")


@ag.function
def scale(x, settings, k=2, *, shift=0.0):
    return x * settings["a"] * k + shift, [x], {"k": k}


def test_positionally_or_by_name():
    """Defaults are filled in."""
    concrete = scale.get_concrete_function(np.ones(2), {"a": 1.0})
    expected = scale.python_function(np.ones(2), {"a": 1.0})
    for result in (
        concrete(np.ones(2), {"a": 1.0}),
        concrete(np.ones(2), settings={"a": 1.0}, k=2),
        concrete(settings={"a": 1.0}, x=np.ones(2), shift=0.0),
    ):
        assert str(result) == str(expected)


def test_specs_stand_for_arrays_also_inside_containers():
    """Any size goes where the spec leaves it free."""

    @ag.function
    def f(d, pair):
        return d["a"][0] + d["b"] + pair.x

    spec = ag.TensorSpec((None,))
    concrete = f.get_concrete_function({"a": [spec], "b": ag.TensorSpec(())}, Pair(spec, None))
    for n in (1, 5):
        ones = np.ones(n)
        np.testing.assert_array_equal(concrete({"a": [ones], "b": np.array(2.0)}, Pair(ones, None)), 4 * ones)


def test_names_of_specs_are_names_of_arguments():
    """As in ``TensorSpec(name=)``."""

    @ag.function
    def f(x):
        return x + 1

    concrete = f.get_concrete_function(ag.TensorSpec((), name="start"))
    assert concrete(start=np.array(1.0)) == concrete(x=np.array(1.0)) == 2.0


def test_structured_signature_and_outputs():
    """Specs of arrays, classes of numbers, values of what is static."""
    concrete = scale.get_concrete_function(ag.TensorSpec((None, 2), np.float32, name="x"), {"a": 1.0}, k=3)
    args, kwargs = concrete.structured_input_signature
    assert args == (ag.TensorSpec((None, 2), np.dtype("f4"), "x"), {"a": float}, int)
    assert kwargs == {"shift": float}

    @ag.function
    def f(x, mode):
        return x + 1, (x.sum(), mode), len(x)

    concrete = f.get_concrete_function(np.ones(3), None)
    assert concrete.structured_input_signature == ((ag.TensorSpec((3,), np.dtype("f8"), "x"), None), {})
    first, (second, third), count = concrete.structured_outputs
    assert first == ag.TensorSpec((3,), np.dtype("f8")) and second is np.float64 and count is int
    assert third is type(None) and concrete.outputs == concrete.structured_outputs


@pytest.mark.parametrize(
    ("args", "kwargs", "lines"),
    [
        ((np.ones(3), {"a": 1.0}), {}, ["x shape (2,) -> (3,)"]),
        ((np.ones(2, int), {"a": 1}), {}, ["x dtype float64 -> int64", "settings['a'] float -> int"]),
        ((np.ones(2),), {}, ["settings: missing, must be {'a': float}"]),
        ((np.ones(2), {"a": 1.0}), {"q": 1}, ["q: there is no such parameter"]),
        ((np.ones(2), {"a": 1.0}), {"x": 1}, ["x: given twice"]),
        ((np.ones(2), {"b": 1.0}), {}, ["settings {'a': float} -> {'b': float}"]),
        ((1, 2, 3, 4, 5), {}, ["5 arguments for 4 parameters", "x array float64 shape (2,) -> int"]),
    ],
)
def test_inputs_that_do_not_fit_are_listed(args, kwargs, lines):
    """Field by field, and nothing runs."""
    concrete = scale.get_concrete_function(np.ones(2), {"a": 1.0})
    with pytest.raises(ag.StagingError) as caught:
        concrete(*args, **kwargs)
    for line in lines:
        assert line in str(caught.value)


def test_what_the_trace_relies_on_is_checked():
    """A number that was read while tracing is another one: refused, not computed with the old one."""
    concrete = ag.function(scale.python_function).get_concrete_function(np.ones(2), {"a": 0.125})
    with pytest.raises(ag.StagingError, match=r"settings\['a'\] 0.125 -> 2.0"):
        concrete(np.ones(2), {"a": 2.0})


def test_it_says_what_it_is():
    """Name, signature, graph and program as text."""

    @ag.function
    def f(x, mode="a"):
        return x

    concrete = f.get_concrete_function(1)
    assert repr(concrete) == "<ConcreteFunction f(x: int, mode: 'a')>"
    assert concrete.signature == {"x": "int", "mode": "'a'"}
    assert "def f(" in concrete.code and str(concrete.graph).startswith("graph f(")
