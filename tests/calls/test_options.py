"""What ``function`` can be told, and what it keeps of the function that it stages."""

from __future__ import annotations

import dis
import functools
import inspect
import pydoc
import sys
import types

import numpy as np
import pytest

import autograph as ag


def test_static_argnames_have_a_trace_for_each_value():
    """By name, as text or sequence; the value is a constant of the graph."""
    staged = ag.function(lambda x, n: x * n, static_argnames="n")
    assert [staged(1.5, n) for n in (2, 3, 2)] == [3.0, 4.5, 3.0]
    assert staged.trace_count == 2
    assert "n 2 -> 3" in staged.explain() and "static: n, as static_argnames says" in staged.explain()


def test_static_argnames_must_be_parameters():
    """Said when the function is decorated."""
    with pytest.raises(ValueError, match="f\\(\\) has no parameter m"):

        @ag.function(static_argnames=["m"])
        def f(n):
            return n


def test_input_signature_is_one_trace():
    """Whatever fits runs it."""

    @ag.function(input_signature=[ag.TensorSpec((None, 3)), float])
    def f(x, y=2.0):
        return x * y

    for n in range(5):
        assert f(np.ones((n, 3)), float(n)).shape == (n, 3)
    assert f(np.ones((1, 3)))[0, 0] == 2.0
    assert f.trace_count == 1
    assert f.get_concrete_function().graph is f.concrete_functions[0].graph


def test_what_outgrows_the_signature_is_refused():
    """One error with every field; nothing is traced, and the function works on."""

    @ag.function(input_signature=[ag.TensorSpec((None, 3)), float])
    def f(x, y=2.0):
        return x * y

    with pytest.raises(ag.StagingError) as caught:
        f(np.ones((2, 4), "f4"), 1)
    text = str(caught.value)
    assert (
        "x dtype float64 -> float32" in text
        and "x shape (?, 3) -> (2, 4)" in text
        and "y float -> int" in text
    )
    assert f.trace_count == 0
    assert f(np.ones((2, 3)), 1.0).sum() == 6


def test_input_signature_has_no_more_entries_than_parameters():
    """Said when the function is decorated."""
    with pytest.raises(ValueError, match="2 entries"):
        ag.function(lambda x: x, input_signature=[ag.TensorSpec(()), int])


def test_reduce_retracing_can_be_switched_off():
    """Then each shape has its own trace."""
    staged = ag.function(reduce_retracing=False)(lambda x: x + 1)
    for n in range(5):
        staged(np.ones(n))
    assert staged.trace_count == 5


def test_name_is_that_of_the_graph():
    """In graphs and messages."""
    staged = ag.function(lambda x: x, name="identity")
    assert staged.__name__ == "identity"
    assert str(staged.get_concrete_function(1).graph).startswith("graph identity(x: int)")


def test_convert_names_packages_that_are_traced_through(tmp_path, monkeypatch):
    """A function of an installed package is one call of the graph, or part of it where it is named."""
    module = types.ModuleType("some_package")
    exec(compile("def double(x):\n    return x + x\n", np.__file__, "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "some_package", module)

    def f(x):
        return module.double(x)

    assert "add" not in str(ag.function(f).get_concrete_function(1).graph)
    assert left_alone(module.double, ()) == "not the user's own code"
    assert left_alone(module.double, ("some_package",)) is None


def left_alone(function, also):
    from autograph.convert import left_alone

    return left_alone(function, also)


@pytest.mark.parametrize("size", [0, -1, 2.0, None])
def test_cache_size_is_a_whole_number(size):
    """From one on."""
    with pytest.raises(ValueError, match="cache_size"):
        ag.function(lambda x: x, cache_size=size)


def test_the_trace_that_was_used_least_lately_is_dropped():
    """No more than ``cache_size`` are kept, and dropped ones are made again."""
    staged = ag.function(lambda x, n: x + n, static_argnames="n", cache_size=3)
    with pytest.warns(ag.RetraceWarning):
        assert [staged(1, n) for n in range(10)] == list(range(1, 11))
    info = staged.cache_info()
    assert (info.size, info.limit, info.made, info.dropped) == (3, 3, 10, 7)
    assert staged(1, 0) == 1
    assert "not kept: 8 more" in staged.explain()


def test_a_trace_in_use_is_not_dropped():
    """Slow calls make a trace one of the newest."""
    staged = ag.function(lambda x, n: x + n, static_argnames="n", cache_size=8)
    for n in range(7):
        staged(1, n)
    for _ in range(200):
        staged(1, 0)
    for n in range(10, 16):
        staged(1, n)
    with ag.testing.expect_traces(staged, 0):
        staged(1, 0)


def test_clear_cache_forgets_everything():
    """Traces, counts and what was learnt."""
    staged = ag.function(lambda x: x)
    staged(1), staged(1.0)
    staged.clear_cache()
    assert staged.cache_info().size == staged.trace_count == 0
    assert staged(2) == 2 and staged.trace_count == 1


def test_what_is_known_of_the_function_stays():
    """Name, doc, signature, annotations, defaults, module, attributes."""

    def f(x: int, y: float = 2.0, *, z: str = "a") -> float:
        """Doc."""
        return x * y

    f.mark = 1
    staged = ag.function(f)
    for name in (
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
        "__code__",
        "__closure__",
        "__globals__",
        "mark",
    ):
        assert getattr(staged, name) == getattr(f, name)
    assert inspect.signature(staged) == inspect.signature(f)
    assert staged.python_function is staged.__wrapped__ is f
    assert repr(staged) == f"<Function {f.__qualname__}>"


def test_tools_that_look_into_functions_take_staged_ones():
    """``inspect``, ``dis``, ``help`` and ``wraps``; defaults may be exchanged through it."""
    k = 3

    def f(x, y=2, *, z=1):
        """Doc."""
        return x + y + z + k

    staged = ag.function(f)
    for look in (
        inspect.getsource,
        inspect.getdoc,
        inspect.signature,
        inspect.getfullargspec,
        inspect.unwrap,
        dis.code_info,
        lambda g: dis.Bytecode(g).dis(),
        lambda g: pydoc.render_doc(g).partition("\n\n")[2],
        lambda g: functools.wraps(g)(lambda: 1).__doc__,
        lambda g: [cell.cell_contents for cell in g.__closure__],
    ):
        assert look(staged) == look(f)
    staged.__defaults__, staged.__kwdefaults__ = (20,), {"z": 10}
    assert staged(1) == f(1) == 34
    staged.__code__ = (lambda: (k, lambda x, y=2, *, z=1: x * y * z * k))()[1].__code__
    assert staged(1) == f(1) == 600
    with pytest.raises(AttributeError, match="readonly"):
        staged.__closure__ = None


def test_attributes_of_every_name_are_the_users():
    """What the package keeps on a staged function is out of the way, before staging and after."""
    names = (
        "options", "defaults", "reasons", "exact", "specs", "parameters", "warned", "inside", "assumptions",
        "static_argnames", "own_names", "enter", "unbind", "kinds", "lock", "traces", "signature", "graph",
        "code", "name", "cache", "calls", "inputs", "bind", "keys",
    )  # fmt: skip

    def f(x, *items, y=1, **more):
        f.calls = getattr(f, "calls", 0) + 1
        return x + y, f.options, f.parameters, len(items), sorted(more), f.calls

    for name in names[::2]:
        setattr(f, name, name)
    plain, f = f, ag.function(f)
    for name in names[1::2]:
        setattr(f, name, name)
    f.calls = plain.calls = 0
    for name in names:
        if name != "calls":
            assert getattr(f, name) == name
    f.parameters = ["x"]
    assert f(1, 2, y=3, a=4) == (4, "options", ["x"], 1, ["a"], 1)
    f.options, f.reasons, f.exact = {"n": 2}, (), None
    for n in range(4):
        assert f(np.ones(n), *range(n))[1:4] == ({"n": 2}, ["x"], n)
    assert f.get_concrete_function(1.0).signature
    f.enter, f.unbind = 1, 2
    with ag.run_eagerly():
        assert f(1)[0] == 2
    assert f(1)[0] == 2
    public = {"python_function", "trace_count", "concrete_functions"}
    held = vars(f).keys() - {*names} - public
    assert all(name.startswith("_") for name in held)
    f.clear_cache()
    assert f.explain() and f.cache_info() and f(1)[0] == 2


def test_defaults_may_come_and_go():
    """As of a plain function: the parameters that get one need no argument, the others do."""

    def f(x, y, *, z):
        return x + y + z

    staged = ag.function(f)
    staged.__defaults__ = (9,)
    staged.__kwdefaults__ = {"z": 1}
    assert staged(1) == f(1) == 11
    staged.__defaults__ = (5, 6)
    assert staged() == f() == 12
    staged.__defaults__ = None
    for call in (lambda: staged(1), lambda: f(1)):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'y'"):
            call()
    assert staged(1, 2) == 4
    del staged.__kwdefaults__
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'z'"):
        staged(1, 2)


def plus_one(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) + 1

    return wrapper


def test_stacked_decorators():
    """Above another decorator, below one, twice."""

    @ag.function
    @plus_one
    def above(x, y=2):
        return x * y

    @plus_one
    @ag.function
    def below(x, y=2):
        return x * y

    @ag.function
    @ag.function
    def twice(x):
        return x

    for f in (above, below):
        assert (f(3), f(3, y=3), f(x=3)) == (7, 10, 7)
    assert twice(1) == 1


def test_only_python_functions_are_staged():
    """Said at once."""
    for wrong, said in (
        (3, "not 3$"),
        (len, "len>: there is nothing in it to stage"),
        (np.sin, "there is nothing in it to stage"),
        (property(lambda self: 1), "property"),
        (dict, "stage its methods"),
        (np.vectorize(lambda x: x), "stage a function that calls it"),
        (functools.lru_cache(lambda x: x), "stage the function that it wraps"),
        (functools.partial(len), "there is nothing in it to stage"),
    ):
        with pytest.raises(TypeError, match=f"takes a Python function.*{said}"):
            ag.function(wrong)


class Line:
    def __init__(self, slope):
        self.slope = slope

    def __call__(self, x):
        return x * self.slope if x > 0 else x


class StagedLine(Line):
    @ag.function
    def __call__(self, x):
        return x + 1


def test_an_object_that_is_called_is_staged_by_its_class():
    """What it holds is read when the function is called."""
    line = Line(3)
    staged = ag.function(line)
    assert (staged(2), staged(-2)) == (6, -2)
    line.slope = 10
    assert staged(2) == 20
    assert staged.get_concrete_function(2).graph.find("if")
    assert ag.function(StagedLine(1))(1) == 2


def test_a_partial_of_a_function_is_staged():
    """It stays a ``partial``, of the staged function."""

    def f(x, y, z=1):
        return x * y + z

    staged = ag.function(functools.partial(f, 2, z=5))
    assert (staged(3), staged(4, z=0)) == (11, 8)
    assert staged.func.trace_count == 1
    assert inspect.signature(staged) == inspect.signature(functools.partial(f, 2, z=5))
