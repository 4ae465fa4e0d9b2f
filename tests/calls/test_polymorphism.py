"""One function for arguments of every kind: what each kind gives, and how many traces the kinds take."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import fractions
import functools

import numpy as np
import optree
import pytest
from equivalence import check

import autograph as ag


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Settings:
    x: object
    k: object = 3


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object


Pair = collections.namedtuple("Pair", "x y")


@optree.register_pytree_node_class(namespace="autograph-tests")
class Node:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __tree_flatten__(self):
        return (self.left, self.right), None, None

    @classmethod
    def __tree_unflatten__(cls, metadata, children):
        return cls(*children)


def same(value):
    return value


def twice(value):
    return value + value


def call(function, x):
    return function(x)


VALUES = {
    "text": "x", "empty text": "", "bytes": b"x", "None": None, "bool": True, "int": 3, "big int": 10**30,
    "float": 0.5, "nan": float("nan"), "minus zero": -0.0, "complex": 1j, "range": range(3),
    "slice": slice(1, 3),
    "ellipsis": ..., "dates": np.array(["2020-01-01"], "M8[D]"), "spans": np.array([3], "m8[s]"),
    "records": np.zeros(2, [("a", int), ("b", float)]), "objects": np.array([1, "a", None], object),
    "texts": np.array(["a", "bc"]), "byte texts": np.array([b"a"]), "0-d": np.array(3.0),
    "empty": np.zeros((0, 2)),
    "big-endian": np.ones(2, ">f8"), "float32": np.float32(2), "int8": np.int8(4), "np.bool": np.bool_(True),
    "np.str_": np.str_("abc"), "np.bytes_": np.bytes_(b"ab"), "date": np.datetime64("2020-01-01"),
    "record": np.zeros(2, [("a", int)])[0], "list": [1, 2.0, np.ones(2)],
    "nested": {"b": 1, "a": [1, {"c": (2,)}]},
    "set": {1, 2}, "frozenset": frozenset([1]), "bytearray": bytearray(b"ab"),
    "deque": collections.deque([1]),
    "ordered dict": collections.OrderedDict(a=1), "counter": collections.Counter("aab"), "empty list": [],
    "long list": [1.0] * 100, "long dict": {k: k for k in range(100)}, "tuple keys": {(1, 2): 3},
    "enum": Mode.FAST,
    "int enum": Level.HIGH, "named tuple": Pair(np.ones(2), 3), "dataclass": Settings(np.ones(2)),
    "frozen": Frozen(1), "date object": datetime.date(2020, 1, 1), "fraction": fractions.Fraction(1, 3),
    "class": int, "dtype": np.dtype("f4"),
    "masked": np.ma.array([1, 2], mask=[0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_a_value_of_any_kind_goes_through(name):
    """What comes out is what went in."""
    check(same, VALUES[name])


@pytest.mark.parametrize("name", [n for n, v in VALUES.items() if hasattr(type(v), "__add__")])
def test_a_value_of_any_kind_is_added_to_itself(name):
    """The operator of its own class is meant, its errors too."""
    check(twice, VALUES[name])


@pytest.mark.parametrize("name", VALUES)
def test_a_second_call_finds_the_trace(name):
    """A call with the same value, and one with an equal copy of what is mutable, needs no new trace."""
    staged = ag.function(same)
    staged(VALUES[name])
    staged(VALUES[name])
    assert staged.trace_count == 1, staged.explain()


def test_the_first_example():
    """One function for an int, a float and a text; a concrete function is called by name."""

    @ag.function
    def double(a):
        return a + a

    assert (double(1), double(1.1)) == (2, 2.2)

    @ag.function
    def join(a):
        return np.strings.add(a, a)

    assert join(np.array("a")) == np.array("aa")
    concrete = join.get_concrete_function(ag.TensorSpec(shape=None, dtype=str))
    assert concrete(a=np.array("a")) == np.array("aa")


def test_kinds_of_numbers_have_their_own_traces():
    """An int stays an int, a NumPy scalar a NumPy scalar: promotion depends on it."""
    staged = ag.function(twice)
    results = [staged(x) for x in (1, 1.0, 1j, np.float32(1), np.int8(1), np.ones(1, "f4"))]
    assert [type(x) for x in results] == [int, float, complex, np.float32, np.int8, np.ndarray]
    assert staged.trace_count == 6


def test_an_enum_decides_while_tracing():
    """One trace a member."""

    @ag.function
    def scale(mode, x):
        return x + 1 if mode is Mode.FAST else x * 2

    assert [scale(Mode.FAST, 3), scale(Mode.SLOW, 3), scale(Mode.FAST, 4)] == [4, 6, 5]
    assert scale.trace_count == 2


@pytest.mark.parametrize("make", [Settings, Pair, Node], ids=lambda cls: cls.__name__)
def test_records_share_traces(make):
    """Ten objects of one class with other arrays and numbers: one trace, or two where a number changes."""

    @ag.function
    def product(record):
        first, second = (record.left, record.right) if isinstance(record, Node) else record_items(record)
        return first * second

    def record_items(record):
        return (record.x, record.k) if isinstance(record, Settings) else (record.x, record.y)

    for k in range(10):
        np.testing.assert_array_equal(product(make(np.ones(2) * k, k)), np.ones(2) * k * k)
    assert product.trace_count <= 2, product.explain()


def test_dicts_in_any_order():
    """The order of a dict is what the function sees."""

    def walk(d):
        return list(d), d["a"] - d["b"]

    check(walk, {"a": 1, "b": 2})
    check(walk, {"b": 1, "a": 2})


@pytest.mark.parametrize(
    "function", [twice, np.sin, functools.partial(max, 2), abs, lambda x: x + 5, ag.function(twice)]
)
def test_functions_as_arguments(function):
    """A function, a ufunc, a partial, a builtin, a lambda, a staged function."""
    check(call, function, 3)


def test_bound_methods_are_new_objects_each_time():
    """They are told apart by function and self: no new trace for the same method, nor for another object."""

    class Scale:
        def __init__(self, k):
            self.k = k

        def of(self, x):
            return x * self.k

    staged = ag.function(call)
    two = Scale(2)
    assert [staged(two.of, 1), staged(two.of, 2), staged(two.of, 3)] == [2, 4, 6]
    assert staged.trace_count == 1
    assert [staged(Scale(k).of, 1) for k in range(5)] == [0, 1, 2, 3, 4]
    assert staged.trace_count <= 2, staged.explain()


def test_methods_of_builtin_objects():
    """A bound method written in C runs when the graph runs."""
    check(call, [3, 4].index, 4)
    check(call, "{}".format, 4)


def test_defaults_stars_and_keywords():
    """Every way to hand over an argument."""

    def f(a, /, b=2, *rest, c=3, **others):
        return a, b, sum(rest), c, sorted(others)

    check(f, 1)
    check(f, 1, 2, 3, 4, c=5, d=6, e=7)
    check(f, 1, b=np.ones(2), a=3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1, 2]),
        lambda: zip([1], [2]),
        lambda: map(abs, [-1, 2]),
        lambda: enumerate([3]),
        lambda: reversed([1, 2]),
    ],
    ids=["iter", "zip", "map", "enumerate", "reversed"],
)
def test_iterators_are_used_up_by_the_program(make):
    """Tracing takes nothing out of them."""

    @ag.function
    def collect(items):
        found = []
        for item in items:
            found.append(item)
        return found

    for _ in range(2):
        items = make()
        assert collect(items) == list(make())
        assert list(items) == []
    assert collect.trace_count == 1


def test_zeros_and_nan_are_told_apart():
    """A guard on a number sees the sign of a zero, and takes nan for nan."""

    @ag.function
    def text(settings):
        return str(settings["z"])

    assert [text({"z": z}) for z in (0.0, -0.0, 0.0)] == ["0.0", "-0.0", "0.0"]

    @ag.function(static_argnames="n")
    def static(n):
        return n

    assert [str(static(n)) for n in (0.0, -0.0, float("nan"), float("nan"))] == ["0.0", "-0.0", "nan", "nan"]
    assert static.trace_count == 3


def test_keys_of_dicts_are_told_apart_by_class():
    """``True`` equals ``1`` and is another key."""
    staged = ag.function(lambda d: list(d))
    assert [str(staged(d)) for d in ({1: 2}, {True: 2}, {1: 2})] == ["[1]", "[True]", "[1]"]


def test_parameters_may_have_any_name():
    """Also those of builtins and of locals that calls are entered with."""

    def f(type, len, tuple, repr, _v0, _run, _g0, call, _ag):
        return type["a"][0] + len + tuple + repr + _v0 + _run + _g0 + call + _ag

    staged = ag.function(f)
    for k in range(3):
        assert staged({"a": [k]}, 1, 2, 3, 4, 5, 6, 7, 8) == 36 + k


def test_many_arguments_and_deep_containers():
    """No limit of ours."""
    staged = ag.function(lambda *args, **kwargs: (args[-1], len(kwargs)))
    assert staged(*range(300), **{f"k{k}": k for k in range(60)}) == (299, 60)
    deep = 1.0
    for _ in range(100):
        deep = [deep]
    same_object = ag.function(lambda x: x)
    assert same_object(deep) is deep and same_object(deep) is deep
