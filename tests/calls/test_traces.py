"""How many traces a function takes, and what explain() and the warning say about them."""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest
from equivalence import check

import autograph as ag


def total(xs):
    s = 0.0
    for x in xs:
        s = s + x
    return s


def test_one_trace_for_twenty_ints():
    """Numbers are symbols at once."""
    staged = ag.function(lambda n: n * n)
    assert [staged(n) for n in range(20)] == [n * n for n in range(20)]
    assert staged.trace_count == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda n: np.ones(n),
        lambda n: np.ones((3, n)),
        lambda n: (np.ones(n), np.ones(2 * n)),
        lambda n: {"a": [np.ones(n)], "b": {"c": np.ones(n + 1)}},
        lambda n: [np.ones(n), np.ones(n + 1)],
        lambda n: [np.ones(2)] * n,
        lambda n: [1.0] * n,
        lambda n: ["word"] * n,
        lambda n: {"xs": [[1.0] * n, [2.0]]},
        lambda n: dict.fromkeys(range(n), 1.0),
        lambda n: {f"k{n}": 1.0, "b": "word"},
        lambda n: ({"a": {f"k{k}": np.ones(n) for k in range(n)}}, np.ones(n)),
    ],
    ids=[
        "size",
        "inner size",
        "tuple",
        "nested",
        "list of sizes",
        "list of arrays",
        "list of numbers",
        "words",
        "lists",
        "dict of numbers",
        "dict with another key",
        "dicts of arrays",
    ],
)
def test_two_traces_for_twenty_lengths(make):
    """The second length leaves the length free, wherever it is."""

    @ag.function
    def f(value):
        return value

    for n in range(1, 21):
        assert str(f(make(n))) == str(make(n))
    assert f.trace_count == 2, f.explain()


def test_lists_of_every_length_are_summed():
    """A list of another length is a run-time value, and the loop over it a loop of the graph."""
    staged = ag.function(total)
    assert [staged([1.0] * n) for n in range(100)] == [float(n) for n in range(100)]
    assert staged.trace_count == 2, staged.explain()


def test_dicts_that_grow():
    """A memo that is an argument: a dict of any size is a value of the graph, wherever it is."""

    def memo(k, known):
        if k not in known:
            known[k] = k * 2
        return known[k], len(known), list(known)

    def total(known, prices):
        s = 0
        for name in known:
            s = s + known[name] * prices.get(name, 1)
        return s, prices

    staged, known, plain = ag.function(memo), {}, {}
    for k in [*range(12), 3, 80, *range(100)]:
        assert staged(k, known) == memo(k, plain)
        assert known == plain
    assert staged.trace_count == 2, staged.explain()
    staged = ag.function(total)
    for n in range(12):
        given = {f"k{k}": k for k in range(n)}, {f"k{k}": 1.5 for k in range(0, n, 2)}
        assert staged(*given) == total(*given)
    assert staged.trace_count == 2, staged.explain()
    for n in (0, 1, 3):
        given = {f"k{k}": k for k in range(n)}, {f"k{k}": 1.5 for k in range(0, n, 2)}
        check(total, *given)
        check(memo, n, given[0])


def test_dicts_that_say_what_to_do():
    """Where the trace has to know what a dict holds, each set of keys has its own trace."""

    def apply(x, functions):
        for name in functions:
            x = functions[name](x)
        return x

    staged = ag.function(apply)
    for functions in ({}, {"a": np.sin}, {"a": np.sin, "b": np.cos}, {"b": np.cos}, {"a": np.sin}):
        assert staged(0.5, functions) == apply(0.5, functions)


def test_partials_with_other_keywords():
    """The keywords of a partial are told apart: how many there are says what is called."""

    def power(x, by=2, plus=0):
        return x**by + plus

    def call(f, x):
        return f(x)

    staged = ag.function(call)
    for _ in range(2):
        for keywords in ({}, {"by": 3}, {"by": 3, "plus": 1}, {"plus": 1}):
            assert staged(functools.partial(power, **keywords), 2) == power(2, **keywords)
            assert staged([functools.partial(power, **keywords)][0], 2) == power(2, **keywords)


def test_numbers_of_a_list_change_together():
    """One number of a list that changed stands for all of them."""
    staged = ag.function(total)
    for k in range(10):
        assert staged([1.0, 2.0, k * 1.0, k * k * 1.0]) == 3.0 + k + k * k
    assert staged.trace_count <= 2, staged.explain()


def test_what_cannot_be_staged_with_free_sizes_is_staged_for_each():
    """An error that only the generalised trace has is not the user's."""

    @ag.function
    def pick(functions, x):
        for f in functions:
            x = f(x)
        return x

    assert pick([np.sin], 1.0) == np.sin(1.0)
    assert pick([np.sin, np.cos], 1.0) == np.cos(np.sin(1.0))


def test_counters_on_attributes():
    """What a call writes is read anew by the next: one trace."""

    class Counter:
        n = 0

    counter = Counter()

    @ag.function
    def count(x):
        counter.n += 1
        return x * counter.n

    assert [count(1.0) for _ in range(20)] == [float(k) for k in range(1, 21)]
    assert count.trace_count <= 2, count.explain()


def test_objects_that_are_replaced():
    """A global or captured object that is another one each time is told by its class from then on."""

    class State:
        def __init__(self, rate):
            self.rate = rate

    box = {"state": State(0)}

    @ag.function
    def f(x):
        return x * box["state"].rate

    for k in range(10):
        box["state"] = State(k)
        assert f(2.0) == 2.0 * k
    assert f.trace_count <= 3, f.explain()


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
    first, second = (f"{name} (test_traces.py:{n})" for n in (line, line + 2))
    text = call.explain()
    assert f"trace 2: f function {first} -> function {second}\n" in text
    assert f"trace 3: f function {second} -> sin\n" in text
    assert f"f sin -> add_one (test_traces.py:{add_one.__code__.co_firstlineno})\n" in text
    assert "-> a method of a builtin object\n" in text
    used(1)
    inner["k"] = other
    used(1)
    assert f"{first} -> {second}\n" in used.explain()
    inner["k"] = ag.function(add_one)
    used(1)
    assert "inner['k'] function -> add_one (test_traces.py:" in used.explain()


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
    assert not static or "test_traces.py:" in static[0]

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


def test_expect_traces_counts_and_explains():
    """The test helper says why there were more."""
    staged = ag.function(lambda x: x)
    with ag.testing.expect_traces(staged, 2):
        staged(1), staged(1.0), staged(2)
    with pytest.raises(AssertionError, match="x float -> None"), ag.testing.expect_traces(staged, 0):
        staged(None)


def test_a_number_that_python_needs_is_static_wherever_it_is():
    """In a tuple, in keywords, in a dict and on an object: its value is guarded, in every call."""
    functions = (np.sin, np.cos, np.tan)

    class Settings:
        n = 0

    settings = Settings()

    @ag.function(static_argnames="n")
    def apply(x, n):
        for function in functions[:n]:
            x = function(x)
        return x

    @ag.function
    def of_tuple(*args):
        return apply(*args)

    @ag.function
    def of_keywords(x, **options):
        return apply(x, options["n"])

    @ag.function
    def of_attribute(x):
        return apply(x, settings.n)

    for n in (0, 2, 1, 2, 3):
        settings.n = n
        expected = apply(1.0, n)
        assert of_tuple(1.0, n) == of_keywords(1.0, n=n) == of_attribute(1.0) == expected
    assert "static: options['n'], as Python needs " in of_keywords.explain()
    assert "trace 2: options['n'] 0 -> 2" in of_keywords.explain()


def test_lists_of_objects_of_every_length():
    """Objects are told by their class, and a list of another number of them is a run-time value."""

    class Body:
        def __init__(self, mass):
            self.mass = mass

    @ag.function
    def total_mass(bodies):
        total = 0
        for body in bodies:
            total = total + body.mass
        return total

    assert [total_mass([Body(k) for k in range(n)]) for n in range(9)] == [sum(range(n)) for n in range(9)]
    assert total_mass.trace_count <= 3, total_mass.explain()


def test_dicts_in_any_order_share_a_trace():
    """As long as the trace does not go through the keys; the result keeps the order of its call."""

    def picked(d):
        return d["a"] * 2 + d["b"]["x"]

    def given_back(d):
        return d, str(d)

    def walked(d):
        return [key for key in d], list(d.values()), {**d}

    orders = ({"a": 1, "b": {"x": 2, "y": 3}}, {"b": {"y": 3, "x": 2}, "a": 1})
    for f, traces in ((picked, 1), (given_back, 1), (walked, 2)):
        staged = ag.function(f)
        assert [repr(staged(d)) for d in orders] == [repr(f(d)) for d in orders]
        assert staged.trace_count == traces, staged.explain()
    assert "trace 2: d in the order 'a', 'b' -> 'b', 'a'\n" in staged.explain()


def test_keys_of_dicts_are_told_apart_by_class():
    """``True`` equals ``1``, and is another key."""
    staged = ag.function(lambda d: list(d))
    assert [staged(d) for d in ({1: 0}, {True: 0}, {1: 0, "a": 0})] == [[1], [True], [1, "a"]]


def test_two_traces_for_any_number_of_arguments():
    """``*args`` is free in its length from the second length on, as lists are."""

    def of_all(first, *rest, k=2, **others):
        total = 0
        for x in rest:
            total += x * k
        return total, len(rest), rest, sum(rest), max(rest) if rest else first, others

    staged = ag.function(of_all)
    for n in range(20):
        for one in (1, 1.5):
            rest = [one * k for k in range(n)]
            assert staged(1, *rest, k=n, z=n) == of_all(1, *rest, k=n, z=n)
    assert staged.trace_count == 2, staged.explain()
    concrete = staged.concrete_functions[-1]
    assert concrete(1, (1, 2), 2, {"z": 1}) == of_all(1, 1, 2, k=2, z=1)
    assert concrete.structured_input_signature[0] == (int, ...)


def test_functions_among_any_number_of_arguments():
    """What a trace has to know is known in each."""

    @ag.function
    def chain(*functions):
        x = 1.0
        for f in functions:
            x = f(x)
        return x

    for n in range(5):
        assert chain(*[np.sin] * n) == chain.python_function(*[np.sin] * n)


def test_methods_with_any_number_of_arguments():
    """Called from outside, and from a staged method with a list of the run."""

    class Scale:
        k = 2

        @ag.function
        def each(self, *xs):
            return [x * self.k for x in xs]

        @ag.function
        def below(self, n):
            items = []
            for i in range(n):
                items.append(i)
            return self.each(*items)

    scale = Scale()
    for n in range(6):
        assert scale.each(*range(n)) == scale.below(n) == [2 * x for x in range(n)]


def test_stars_are_a_tuple_and_a_dict_of_the_call():
    """Which the function may change, give on and hand back, whatever their length."""

    def f(a, b=5, /, *xs, k=1, **options):
        options["n"] = len(xs)
        z = options.pop("z", None)
        return (
            a,
            b,
            xs,
            k,
            options,
            z,
            sorted(options),
            xs[::-1],
            [x for x in xs if x > 1],
            (lambda *q: q)(*xs),
        )

    staged = ag.function(f)
    for n in range(5):
        for options in ({}, {"z": 1}, {"k": 2, "z": 3}, {"a": 1, "b": 2}):
            assert staged(n, *range(n), **options) == f(n, *range(n), **options)

    @ag.function
    def total(*xs):
        return xs[0] + total(*xs[1:]) if xs else 0

    assert [total(*range(n)) for n in range(6)] == [0, 0, 1, 3, 6, 10]


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
