"""Staged functions in classes: state per instance, one trace for all."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import autograph as ag


class Scale:
    def __init__(self, k):
        self.k = k
        self.calls = 0

    @ag.function
    def of(self, x):
        """Scale."""
        self.calls += 1
        return x * self.k

    @ag.function
    def twice(self, x):
        return self.of(x) + self.of(x)

    @staticmethod
    @ag.function
    def double(x):
        return x + x

    @ag.function
    @staticmethod
    def triple(x):
        return 3 * x

    @classmethod
    @ag.function
    def name(cls, x):
        return cls.__name__, x

    @ag.function
    @classmethod
    def title(cls, x):
        return cls.__name__.title(), x


class Wide(Scale):
    def __init__(self, k):
        super().__init__(k)

    @ag.function
    def of(self, x):
        return super().of.python_function(self, x) + 100


def test_each_instance_has_its_own_state():
    """And the instances share the traces."""
    scales = [Scale(k) for k in range(5)]
    for scale in scales:
        for _ in range(3):
            assert scale.of(2.0) == 2.0 * scale.k
    assert [scale.calls for scale in scales] == [3] * 5
    assert Scale.of.trace_count <= 2, Scale.of.explain()


def test_a_method_that_calls_staged_methods():
    """They become part of its graph."""
    assert (Scale(2).twice(3), Scale(5).twice(3)) == (12, 30)
    names = {node.op.name for node in Scale.twice.concrete_functions[-1].graph.walk()}
    assert {"multiply", "call"} <= names and "call_value" not in names


def test_static_and_class_methods():
    """Decorated outside or inside, called on the class and on instances."""
    for owner in (Scale, Scale(1)):
        assert (owner.double(2), owner.triple(2)) == (4, 6)
        assert owner.name(1) == ("Scale", 1) and owner.title(1) == ("Scale", 1)
    assert Wide.name(1) == ("Wide", 1)


def test_bound_methods_behave_like_bound_methods():
    """Equality, hash, self, signature, doc, and the attributes of the function."""
    one, other = Scale(1), Scale(1)
    assert one.of == one.of and hash(one.of) == hash(one.of) and one.of != other.of
    assert one.of.__self__ is one and one.of.__func__ is Scale.of
    assert str(inspect.signature(one.of)) == "(x)" and str(inspect.signature(Scale.of)) == "(self, x)"
    assert one.of.__doc__ == "Scale." and one.of.__name__ == "of"
    assert one.of.trace_count == Scale.of.trace_count
    assert Scale.of(one, 2) == 2
    assert (Scale(2).of(1), Scale(3).of(1)) == (2, 3)  # from now on the number is read when the graph runs
    concrete = Scale(4).of.get_concrete_function(1)
    assert concrete(Scale(7), 2) == 14


def test_overridden_methods():
    """The class of the object decides, and each has its traces."""
    assert (Scale(2).of(1), Wide(2).of(1)) == (2, 102)


def test_a_method_replaced_on_the_instance_or_the_class(monkeypatch):
    """Seen by the next call."""

    class Base:
        def step(self, x):
            return x + 1

        @ag.function
        def run(self, x):
            return self.step(x)

    one = Base()
    assert one.run(1) == 2
    one.step = lambda x: x + 10
    assert one.run(1) == 11
    del one.step
    monkeypatch.setattr(Base, "step", lambda self, x: x + 100)
    assert one.run(1) == 101


def test_slots():
    """No dict and no weak references."""

    class Slotted:
        __slots__ = ("k",)

        def __init__(self, k):
            self.k = k

        @ag.function
        def step(self, x):
            self.k += 1
            return x * self.k

    one, other = Slotted(1), Slotted(10)
    assert [one.step(2), one.step(2), other.step(2)] == [4, 6, 22]
    assert Slotted.step.trace_count <= 2


def test_a_dict_of_arrays_as_state():
    """Parameters of a model, updated in place and rebound."""

    class Model:
        def __init__(self, n):
            self.parameters = {"w": np.ones(n), "b": np.zeros(())}
            self.history = []

        @ag.function
        def step(self, x):
            self.parameters["w"] += x
            self.parameters["b"] = self.parameters["b"] + 1
            self.history.append(float(self.parameters["w"].sum()))
            return self.parameters["w"] * self.parameters["b"]

    one, other = Model(2), Model(3)
    for k in range(4):
        np.testing.assert_array_equal(one.step(np.ones(2)), (k + 2.0) * (k + 1) * np.ones(2))
    np.testing.assert_array_equal(other.step(np.ones(3)), 2 * np.ones(3))
    assert one.history == [4.0, 6.0, 8.0, 10.0] and other.history == [6.0]


@pytest.mark.parametrize("stage", [True, False])
def test_a_staged_function_of_a_bound_method(stage):
    """``ag.function(obj.method)`` is bound as well."""

    class Plain:
        k = 3

        def of(self, x):
            return x * self.k

    plain = Plain()
    f = ag.function(plain.of) if stage else plain.of
    assert f(2) == 6
    plain.k = 4
    assert f(2) == 8
