"""A staged function that is called while tracing: one graph a signature, and every call a node."""

from __future__ import annotations

import collections
import functools
import traceback

import numpy as np
import pytest
from equivalence import check

import autograph as ag

Pair = collections.namedtuple("Pair", "x y")
rate = 1.0
weights = np.ones(2)


@ag.function
def double(x):
    y = x + x
    return y


@ag.function
def add_into(x, y):
    x += y


@ag.function
def first(x):
    return x[0]


@ag.function
def same_and_more(x):
    return x, x + 1


@ag.function
def listed(x):
    return [x, x * 2]


@ag.function
def described(x):
    return {"a": x, "b": [x, 3], "c": (x, None, "text")}


@ag.function
def append(items, x):
    items.append(x)
    return len(items)


@ag.function
def say(x):
    print("say", x)
    return x


@ag.function
def risky(x):
    if x > 2:
        raise ValueError(f"too large: {x}")
    return x * 10


@ag.function
def inverse(x):
    return 1 / x


@ag.function
def weighted(x):
    return x * rate + weights.sum()


@ag.function
def set_rate(x):
    global rate
    rate = x


@ag.function
def apply(f, x):
    return f(x)


@ag.function
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@ag.function
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@ag.function
def normalised(x):
    s = 0.0
    for v in x:
        s += v * v
    s = np.sqrt(s)
    for i in range(len(x)):
        if s > 0:
            x[i] = x[i] / s
        else:
            x[i] = 0
    m = x.max()
    n = x.min()
    return x - n, m - n, (m + n) / 2, m * n


def graph_of(f, *args):
    staged = ag.function(f)
    staged(*args)
    return staged.concrete_functions[-1].graph


def test_a_hundred_calls_are_traced_once():
    """In a straight line, in a loop and in an arm, with one graph that the text shows once."""

    def f(x, n):
        for name in ("a", "b", "c", "d") * 12:
            x = double(x) if name else x
        for name in ("a", "b", "c", "d") * 12:
            x = double(x) if name else x
        for _ in range(n):
            x = double(x)
        if x > 3:
            x = double(x) + double(x)
        return x

    before = double.trace_count
    graph = graph_of(f, 1.0, 2)
    assert double.trace_count == before + 1
    assert str(graph).count("graph double(") == 1
    assert len(graph.find("call")) == 99
    check(f, 1.0, 2)


def test_each_signature_has_a_graph():
    """Types of symbols, static values, and how containers nest."""

    def f(x):
        return double(x), double(x * 1.0), double("a"), double("b"), double((x,)), double(3), double(4)

    check(f, 2)
    callees = {node.parts[0] for node in graph_of(f, 2).find("call")}
    assert len(callees) == 2  # int and float: the others compute nothing when the graph runs


def test_the_text_of_a_shared_graph():
    """Its own head, its names, and calls with the names of what they give."""

    def f(x):
        a, b = same_and_more(x)
        return double(a) * double(b)

    text = "\n".join(line.partition("  #")[0].rstrip() for line in str(graph_of(f, 3)).splitlines())
    assert text == (
        "graph f(x: int) -> int\n"
        "  result: int = call same_and_more(x)\n"
        "  result_1: int = call double(x)\n"
        "  result_2: int = call double(result)\n"
        "  multiply: int = multiply(result_1, result_2)\n"
        "  return multiply\n"
        "\n"
        "graph same_and_more(x_1: int) -> int\n"
        "  add: int = add(x_1, 1)\n"
        "  return add\n"
        "\n"
        "graph double(x_2: int) -> int\n"
        "  y: int = add(x_2, x_2)\n"
        "  return y"
    )


def test_small_graphs_are_put_in_place_and_large_ones_are_functions():
    """Of the NumPy program; one that is called once is put in place whatever its size."""

    def twice(x, y):
        return normalised(x), normalised(y), double(x)

    def once(x):
        return normalised(x)

    def code(f, *args):
        staged = ag.function(f)
        staged(*args)
        return staged.concrete_functions[0].code

    a = np.array([3.0, 4.0])
    assert code(twice, a.copy(), a.copy()).count("def normalised(") == 1
    assert "double(" not in code(twice, a.copy(), a.copy())
    assert "normalised(" not in code(once, a.copy())
    check(twice, np.array([3.0, 4.0]), np.array([1.0, 2.0]))
    check(once, np.zeros(3))


def test_results_may_be_arguments_and_their_parts():
    """One array under several names, views, and changes through them."""

    def f(x, y):
        a, b = same_and_more(x)
        c, _ = same_and_more(b)
        row = first(a)
        add_into(x, y)
        add_into(row, y[1])
        add_into(x, x)
        row[0] = 99
        return a is x, a, b, c, row

    check(f, np.arange(6.0).reshape(2, 3), np.ones((2, 3)))


@pytest.mark.parametrize("x", [0, 2, 12])
def test_lists_and_dicts_that_a_call_gives(x):
    """They are new ones, known while tracing until something changes them when the graph runs."""

    def f(x):
        items = listed(x)
        items.append(5)
        others = listed(items[1])
        others[0] = items
        if x > 1:
            items.append(7)
        for i in range(x):
            others.append(i)
        named = described(x)
        named["z"] = described(named["b"][0] + 1)
        return items, others, named, list(named), items is listed(x)

    check(f, x)


def test_lists_that_a_call_gets():
    """What it changes is changed for the caller, in loops too."""

    def f(x):
        items = [1]
        n = append(items, x) + append(items, x + 1)
        for i in range(x):
            append(items, i)
        return items, n, append([x], x), append([x, [x]], [x])

    check(f, 3)
    check(f, 12)


def test_the_same_list_twice():
    """In one result."""

    @ag.function
    def made(x):
        items = [x]
        return items, items, (items,)

    def f(x):
        a, b, (c,) = made(x)
        a.append(2)
        return a is b, b is c, a, b, c

    check(f, 1)


@pytest.mark.parametrize("x", [0, 3])
def test_effects_come_in_order(x):
    """Output and random numbers of calls among those of the caller."""

    def f(x):
        say(x)
        y = say(x + 1)
        print("caller", np.random.rand())
        for i in range(x):
            say(i)
        if x > 1:
            say(y)
        return say(y), np.random.rand()

    check(f, x)


def test_exceptions_come_out_of_calls():
    """Caught and not, with their texts, and with floating-point errors that NumPy was told to raise."""

    def caught(n):
        total = 0
        for i in range(n):
            try:
                total += risky(i)
            except ValueError as error:
                print(error)
                total -= 1
        return total

    def told(x):
        a = None
        with np.errstate(divide="raise"):
            try:
                a = inverse(x)
            except FloatingPointError as error:
                a = str(error)
        with np.errstate(divide="ignore"):
            return a, inverse(x)

    check(caught, 6)
    check(lambda x: risky(x) + risky(x + 1), 1)
    check(lambda x: risky(x) + risky(x + 1), 2)
    check(told, np.zeros(2))


def test_a_traceback_shows_the_line_that_raised():
    """In the function that was called, which is a function of the program."""

    @ag.function
    def f(x):
        return normalised(x), normalised(x)

    with pytest.raises(TypeError) as caught:
        f(np.array(["a", "b"]))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.name, last.line) == ("normalised", "s += v * v")


def test_calls_that_do_not_bind():
    """Python's own error."""

    def few(x):
        return append(x)

    def many(x):
        return double(x, x)

    check(few, 1)
    check(many, 1)


def test_arguments_by_name_defaults_and_stars():
    """However they are given."""

    @ag.function
    def f(x, k=2, *rest, m=3, **others):
        return x * k + m + sum(rest) + sum(others.values())

    def g(x):
        return f(x), f(x, 3), f(x, 3, 4, x, m=x), f(x, k=x, z=3, y=x), f(x, 1, *(2, 3), **{"q": x})

    check(g, 2)
    check(g, np.arange(3.0))


def test_values_that_python_needs():
    """The caller knows them, or they become static for the caller."""

    @ag.function
    def nested(x, n):
        for i in range(n):
            x = (x, i)
        return x

    @ag.function
    def picked(n):
        return (10, 20, 30)[n]

    def f(x, n):
        return nested(x, n), nested(x, 2), picked(n), picked(1)

    check(f, 1, 2)


def test_functions_as_arguments():
    """Of modules, staged, made by the caller, bound to objects, partial."""

    class Scale:
        k = 3

        @ag.function
        def by(self, x):
            return x * self.k

    scale = Scale()

    def f(x):
        return (
            *(apply(np.sin, x), apply(double, x), apply(lambda y: y + x, x), apply(lambda y: y * 2, x)),
            *(apply(functools.partial(np.add, 1), x), apply(scale.by, x)),
        )

    check(f, 2.0)
    check(f, np.arange(3.0))


def test_functions_that_call_each_other():
    """To a depth that depends on data, from a loop too."""

    def f(n):
        count = 0
        for i in range(n):
            if is_even(i):
                count += 1
        return count, is_odd(n), is_even(3)

    check(f, 5)
    check(f, 0)


def test_state_of_objects():
    """What calls change is seen by the calls after them, and by the caller."""

    class Model:
        def __init__(self):
            self.n, self.w, self.rate = 0, np.ones(3), 0.5

        @ag.function
        def step(self, x):
            self.n += 1
            self.w *= self.rate
            return x * self.w.sum() + self.n

    model = Model()

    def restore(state):
        model.n, model.w, model.rate = state[0], state[1].copy(), state[2]

    def f(k):
        s = model.step(1.0) + model.step(2.0)
        for i in range(k):
            s += model.step(i)
        if s > 3:
            s += model.step(s)
        model.rate = 0.25
        return s + model.step(2), model.n

    check(f, 4, state=lambda: (model.n, model.w.copy(), model.rate), restore=restore, calls=2)

    def g(one, other):
        return one.step(1.0) + other.step(1.0) * 2 + one.step(1.0) * 3

    check(g, Model(), Model())


def test_globals_that_change_between_calls():
    """In their value, and in the type of their value."""

    def restore(state):
        globals().update(rate=state[0], weights=state[1].copy())

    def f(x):
        global rate, weights
        a = weighted(x)
        rate = rate + 1
        b = weighted(x)
        weights = np.ones(3, "f4")
        c = weighted(x)
        set_rate(x)
        return a, b, c, weighted(x)

    def g(n):
        global weights
        found = []
        for i in range(n):
            found.append(weighted(i))
            weights = weights[:1].astype("f4")
            set_rate(i)
        return found

    check(f, 2.0, state=lambda: (rate, weights.copy()), restore=restore, calls=2)
    check(g, 4, state=lambda: (rate, weights.copy()), restore=restore, calls=2)


def test_variables_of_enclosing_functions():
    """That calls assign with ``nonlocal``."""

    def counter():
        n = 0

        @ag.function
        def more(x):
            nonlocal n
            n += x
            return n

        def put(value):
            nonlocal n
            n = value

        return more, lambda: n, put

    more, get, put = counter()

    def f(x):
        a = more(x)
        for i in range(3):
            more(i)
        if x > 1:
            more(100)
        return a, more(x)

    check(f, 2, state=get, restore=put, calls=2)


def test_something_unknown_runs_in_a_call():
    """What was read before it may have changed."""
    box = {"k": 1}

    @ag.do_not_convert
    def unknown(x):
        box["k"] += 1
        return x

    @ag.function
    def f(x):
        return unknown(x) * box["k"]

    def g(x):
        return box["k"], f(x), f(x), box["k"], f(x), box["k"]

    check(g, 2, state=lambda: box["k"], restore=lambda k: box.update(k=k), calls=2)


def test_options_of_the_callee_hold():
    """``input_signature``, ``static_argnames`` and ``name``."""

    @ag.function(input_signature=[ag.TensorSpec((None,), np.float64)], name="total")
    def summed(x):
        return x.sum()

    @ag.function(static_argnames="n")
    def times(x, n):
        return x * n

    def f(x):
        return summed(x[:2]) + summed(x[1:]) + summed(x)

    check(f, np.arange(5.0))
    before = summed.trace_count
    assert "graph total(x_1: float64[?]) -> np.float64" in str(graph_of(f, np.arange(5.0)))
    assert summed.trace_count == before + 1
    with pytest.raises(ag.StagingError, match="x dtype float64 -> float32"):
        ag.function(lambda x: summed(x))(np.ones(3, "f4"))
    with pytest.raises(ag.StagingError, match=r"x array float64 shape \(\?,\) -> int"):
        ag.function(lambda x: summed(3))(1)
    g = ag.function(lambda x, n: times(x, n))
    assert (g(2, 3), g(2, 4), g.trace_count) == (6, 8, 2)
    assert "it as the static argument 'n' of times" in g.explain()


def test_named_tuples():
    """Given, and given back."""

    @ag.function
    def turned(p):
        return Pair(p.y, p.x + p.y)

    def f(a, b):
        q = turned(turned(Pair(a, b)))
        return q.x, q, isinstance(q, Pair)

    check(f, 1, 2)


def test_explain_counts_graphs_inside_others():
    """They are not among the traces that calls from outside enter at, nor were they dropped."""

    @ag.function
    def inner(x):
        return x * 2

    outer = ag.function(lambda x: inner(x) + inner(x + 1) + inner(x * 1.0))
    assert outer(1) == 8.0
    assert inner.explain() == "inner: 0 traces\nin the graphs of other functions: 2 more"
    assert inner.cache_info().made == inner.cache_info().dropped == 0
    inner(1)
    assert "trace 1: the first call" in inner.explain()


def test_lists_of_the_caller_are_looked_at():
    """A callee that only reads a list or dict of the trace shares its graph, and sees what is in it then."""

    @ag.function
    def dense(parameters, x):
        w, b = parameters
        return x @ w + b * parameters[1].sum() + len(parameters)

    @ag.function
    def named(settings, x):
        return x * settings["k"] + sum(settings.values()) + ("z" in settings)

    def f(x):
        parameters = [np.ones((2, 2)), x[0]]
        settings = {"k": x.sum(), "l": 2}
        for _ in ("a", "b", "c"):
            x = dense(parameters, x)
        parameters[1] = x[1]
        settings["z"] = 3
        return dense(parameters, x), named(settings, x), parameters, settings

    check(f, np.ones((2, 2)))
    dense.clear_cache()
    graph_of(f, np.ones((2, 2)))
    assert dense.trace_count == 1


def test_lists_of_the_caller_that_are_changed_kept_or_compared():
    """The calls are traced through, or carry the list itself."""
    kept = []

    @ag.function
    def changed(items, x):
        items.append(x)
        return items

    @ag.function
    def keep(items):
        kept.append(items)

    @ag.function
    def equal(items, others):
        return items is others, items == others, items in [others]

    @ag.function
    def inner(items, n):
        for i in range(n):
            items[0] += i
        return items[0]

    def f(x):
        items = [x, 1]
        others = [x, 1]
        nested = [items, items]
        a = changed(items, 2)
        b = equal(items, others), equal(items, items), equal(nested[0], nested[1])
        c = inner(items, 3), inner(others, x)
        keep(others)
        others.append(4)
        return a is items, b, c, items, others, nested, changed(nested, items)

    def restore(state):
        kept[:] = state

    check(f, 2, state=lambda: list(kept), restore=restore, calls=2)
