"""How many traces a function takes."""

from __future__ import annotations

import functools

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
