"""What ``explain()`` and ``RetraceWarning`` say about traces: why they were made, and what to do."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph as ag


def test_explain_names_what_changed():
    """The sentences of the design."""

    @ag.function
    def f(x, cfg):
        return x * cfg["k"]

    f(np.zeros(2), {"k": 1})
    f(np.zeros(3), {"k": 1})
    f(np.zeros(3), {"k": 2})
    f(np.zeros(3), {"k": 3})
    text = f.explain()
    assert text.startswith("f: 3 traces\ntrace 1: the first call\n"), text
    assert "trace 2: x shape (2,) -> (3,)\n" in text
    assert "trace 3: cfg['k'] 1 -> 2\n" in text
    assert text.count(" ms") == 3


def test_explain_names_kinds_where_the_kind_changed():
    """As ``int -> float``, wherever the number is; what stays a number of its class is left out."""

    class P:
        x = 1.0

    p, rows = P(), []
    scaled = ag.function(lambda p, cfg: [p.x * cfg[name] for name in cfg])
    for x, cfg in (
        (1.0, {"a": 1, "b": 2}),
        (2, {"a": 1, "b": 2}),
        (2, {"b": 3, "a": 4}),
        (np.float32(1), {"b": 3, "a": 4}),
        (np.ones(3), {"b": 3, "a": 4}),
        ("ab", {"b": 3, "a": 4}),
    ):
        p.x = x
        scaled(p, cfg)
    rows = [line.partition(": ")[2] for line in scaled.explain().splitlines() if line.startswith("trace")]
    assert rows == [
        "the first call",
        "p.x float -> int",
        "cfg in the order 'a', 'b' -> 'b', 'a'",
        "p.x int -> np.float32",
        "p.x np.float32 -> array float64[3]",
        "p.x array float64[3] -> 'ab'",
    ]


def test_explain_tells_functions_by_name_and_line():
    """Two lambdas are at two lines."""
    line = test_explain_tells_functions_by_name_and_line.__code__.co_firstlineno + 4
    inner = {
        "k": lambda x: x + 1,
    }
    other = lambda x: x * 2  # noqa: E731
    call = ag.function(lambda f, x: f(x))
    used = ag.function(lambda x: inner["k"](x))
    call(inner["k"], 1), call(other, 1), call(np.sin, 1), call(add_one, 1), call([1].count, 1)
    name = "test_explain_tells_functions_by_name_and_line.<locals>.<lambda>"
    first, second = (f"{name} (test_explanations.py:{n})" for n in (line, line + 2))
    text = call.explain()
    assert f"trace 2: f function {first} -> function {second}\n" in text
    assert f"trace 3: f function {second} -> sin\n" in text
    assert f"f sin -> add_one (test_explanations.py:{add_one.__code__.co_firstlineno})\n" in text
    assert "-> a method of a builtin object\n" in text
    used(1)
    inner["k"] = other
    used(1)
    assert f"{first} -> {second}\n" in used.explain()
    inner["k"] = ag.function(add_one)
    used(1)
    assert "inner['k'] function -> add_one (test_explanations.py:" in used.explain()


def add_one(x):
    return x + 1


def test_explain_leaves_out_what_follows():
    """An object that is another thing now is the cause, not what is found through it; many causes are cut."""

    class Link:
        def __init__(self, k, sub):
            self.k, self.sub = k, sub

        @ag.function
        def f(self, x):
            return self.k * x if self.sub is None else self.sub.f(x) + 1

    chain = None
    for k in range(4):
        chain = Link(k, chain)
        chain.f(2)
    assert "trace 3: self.sub.sub None -> a test_explain_leaves_out" in Link.f.explain()
    assert "nothing" not in Link.f.explain()
    staged = ag.function(lambda words: [word + "." for word in words.values()])
    staged({name: "a" for name in "abcdefgh"})
    staged({name: "b" for name in "abcdefgh"})
    assert "trace 2: words['a'] 'a' -> 'b', words['b'] 'a' -> 'b', " in staged.explain()
    assert "words['d'] 'a' -> 'b', and 4 more\n" in staged.explain()


def test_explain_names_guards_on_attributes():
    """As ``self.rate 0.1 -> 0.2``."""

    class Model:
        rate = 0.1

        @ag.function
        def step(self, x):
            return x * self.rate

    model = Model()
    model.step(1.0)
    model.rate = 0.2
    model.step(1.0)
    assert "trace 2: self.rate 0.1 -> 0.2\n" in Model.step.explain()


def test_explain_names_the_line_that_made_an_argument_static():
    """What Python needed, where, and the line itself."""

    @ag.function
    def f(x, axis):
        return (x, -x)[axis] if isinstance(axis, float) else "ab"[axis] + str(np.empty((2, 3)).shape[axis])

    @ag.function
    def g(functions, n):
        return {"one": 1, "two": 2}.get(str(n)), functions[0](n)

    f(1.0, 0)
    static = [line for line in f.explain().splitlines() if line.startswith("static")]
    assert not static or "test_explanations.py:" in static[0]

    @ag.function
    def h(x, n):
        for function in (np.sin, np.cos, np.tan)[:n]:
            x = function(x)
        return x

    assert h(1.0, 2) == np.cos(np.sin(1.0))
    assert h(1.0, 3) == np.tan(np.cos(np.sin(1.0)))


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ((1,), (1.0,), "x int -> float"),
        ((np.ones(2),), (np.ones(2, "f4"),), "x dtype float64 -> float32"),
        ((np.ones(2),), (np.ones((2, 2)),), "x shape (2,) -> (2, 2)"),
        (("a",), ("b",), "x 'a' -> 'b'"),
        (((1, 2.0),), ((1, 2),), "x[1] float -> int"),
        (({"a": 1},), ({"a": 1, "b": 2},), "x length 1 -> 2"),
        (({"a": (1,)},), ({"a": (None,)},), "x['a'][0] int -> None"),
        ((True,), (1,), "x True -> int"),
    ],
    ids=str,
)
def test_reasons(first, second, text):
    """Argument, field, old and new."""
    staged = ag.function(lambda x: x)
    staged(*first)
    staged(*second)
    assert f"trace 2: {text}\n" in staged.explain()


def test_a_warning_when_traces_keep_growing():
    """Once, at the line of the call, with the cause."""
    staged = ag.function(lambda x, mode: x + len(mode))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(20):
            staged(1, "m" * n)
    assert len(caught) == 1
    assert caught[0].category is ag.RetraceWarning and caught[0].filename == __file__
    assert "'mode'" in str(caught[0].message) and "traced 8 times" in str(caught[0].message)


def add_all(x, y):
    """Any two things."""
    return [x, y]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([np.ones((1,) * n) for n in range(10)], "'y' came with another shape .* Give 'y' one shape"),
        (
            [np.ones(2, f"S{n}") for n in range(1, 10)],
            "'y' came with another dtype .* Convert 'y' to one dtype",
        ),
        (["m" * n for n in range(10)], "'y' came with another value .* pass a number or an array"),
        ([(1,) * n for n in range(10)], "'y' came with another length .* Make 'y' a list or an array"),
        ([{f"k{n}": np.sin} for n in range(10)], "'y' came with other keys .* Give 'y' the same keys"),
        (
            [(lambda n: lambda x=n: x)(n) for n in range(10)],
            "'y' was another function .* Make the function once",
        ),
    ],
    ids=["shape", "dtype", "text", "tuple", "dict", "function"],
)
def test_the_warning_says_what_to_do_about_what_changed(values, text):
    """The advice fits the kind of change: an array is not told to become an array."""
    staged = ag.function(add_all)
    with pytest.warns(ag.RetraceWarning, match=text):
        for value in values:
            staged(1, value)


def test_the_warning_about_objects_that_are_linked():
    """A method that calls itself for the next object has a graph for each depth; a loop has one for all."""

    class Link:
        def __init__(self, k, sub):
            self.k, self.sub = k, sub

        @ag.function
        def total(self, x):
            return self.k * x if self.sub is None else self.sub.total(x) + self.k

        @ag.function
        def looped(self, x):
            total = 0
            while self is not None:
                total, self = total + self.k * (x if self.sub is None else 1), self.sub
            return total

    chain = None
    with pytest.warns(ag.RetraceWarning, match="'self' led to other objects in each .* use a loop") as caught:
        for k in range(12):
            chain = Link(k, chain)
            assert chain.total(2) == chain.looped(2)
    assert len(caught) == 1
    assert Link.looped.trace_count == 1, Link.looped.explain()


def test_the_warning_about_dicts_in_many_orders():
    """Where the trace goes through the keys."""
    staged = ag.function(lambda d: list(d.items()))
    names = "abcde"
    with pytest.warns(ag.RetraceWarning, match="'d' came with its keys in another order .* in one order"):
        for k in range(10):
            order = [names[k % 5], *names[: k % 5], *names[k % 5 + 1 :]]
            if k > 4:
                order = [order[0], *order[:0:-1]]
            staged({name: np.sin for name in order})


def test_no_warning_for_what_settles():
    """Kinds, sizes and numbers that change do not warn."""
    staged = ag.function(lambda x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for value in (1, 1.0, 1j, "a", None, *map(np.ones, range(20)), *([0] * n for n in range(20))):
            staged(value)


def test_explain_says_why_sizes_are_not_left_free():
    """In the words of the refusal."""

    @ag.function
    def f(x):
        x.shape = (-1,) if x.shape[0] == "a" else x.shape
        return x

    with pytest.raises(ag.StagingError):
        f(np.ones(2))
    f._exact["key"] = "the array attribute 'shape' cannot be assigned"
    assert "sizes are not left free: the array attribute 'shape' cannot be assigned" in f.explain()
