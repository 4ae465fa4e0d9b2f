"""NumPy programs: whole texts, and where their errors point."""

from __future__ import annotations

import math
import sys
import traceback

import numpy as np
import pytest
from building import (
    BOOL,
    DRAIN,
    FLOAT,
    INT,
    INTS,
    MEDDLE,
    SHOUT,
    VECTOR,
    Builder,
    IteratorType,
    collatz,
    drain,
    named,
    source,
    table,
)  # fmt: skip

from autograph.operators import Undefined
from autograph.runtime.backends.interpreter import run
from autograph.runtime.backends.numpy_code import Program, compile_graph
from autograph.runtime.graph import Graph, Location
from autograph.runtime.passes import optimise
from autograph.runtime.types import STR, UNKNOWN, Tuple


def text(builder: Builder) -> str:
    return compile_graph(named(builder.graph)).text


def test_the_loop_that_the_user_wrote() -> None:
    """A ``while`` and an ``if``: the same lines as the plain code."""
    program = compile_graph(optimise(collatz()))
    assert (
        program.text
        == """\
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps
"""
    )
    assert program.function(27) == 111


def test_a_stop_flag_becomes_a_break() -> None:
    """In-place ops stay in place; the flag is gone."""
    program = compile_graph(optimise(drain()))
    assert (
        program.text
        == """\
def drain(tank, rate, limit):
    steps = 0
    for i in range(limit):
        if tank.max() <= 0:
            break
        tank -= rate
        steps = steps + 1
    return tank, steps
"""
    )
    tank = np.array([3.0, 1.0, 2.0, 0.5])
    assert program.function(tank, 1.0, 10) == (tank, 3) and tank.tolist() == [0.0, -2.0, -1.0, -2.5]


def test_arms_that_return() -> None:
    """The end of the function goes into the arms, and ``else`` is not needed after ``return``."""
    builder = Builder("sign", ("x", INT))
    (x,) = builder.inputs
    inner = builder.part("else")
    arms = inner.part("then").give(1), inner.part("else").give(0)
    inner.give(*inner.structured("if", (inner.op("greater", x, 0),), [("r", INT)], *arms))
    builder.give(
        *builder.structured(
            "if", (builder.op("less", x, 0),), [("r", INT)], builder.part("then").give(-1), inner
        )
    )
    assert (
        text(builder)
        == """\
def sign(x):
    if x < 0:
        return -1
    if x > 0:
        return 1
    return 0
"""
    )


def test_and_or_and_conditional_expressions() -> None:
    """An ``if`` whose arm gives its test is ``and`` or ``or``; one on one line is a conditional."""
    builder = Builder("between", ("x", INT), ("low", INT), ("high", INT))
    x, low, high = builder.inputs
    test = builder.op("less", low, x)
    then = builder.part("then")
    then.give(then.op("less", x, high))
    (both,) = builder.structured("if", (test,), [("both", BOOL)], then, builder.part("else").give(test))
    orelse = builder.part("else")
    orelse.give(orelse.op("equal", x, 7))
    (either,) = builder.structured("if", (both,), [("either", BOOL)], builder.part("then").give(both), orelse)
    arms = builder.part("then").give(x), builder.part("else").give(0)
    (chosen,) = builder.structured("if", (either,), [("chosen", INT)], *arms)
    builder.give(builder.op("add", chosen, 1))
    assert (
        text(builder)
        == """\
def between(x, low, high):
    return (x if low < x and x < high or x == 7 else 0) + 1
"""
    )


def test_carries_that_change_places() -> None:
    """As the user would: one assignment, no third local."""
    builder = Builder("fibonacci", ("n", INT))
    items = builder.op("range", builder.inputs[0], type=IteratorType(INT))
    body = builder.part("body", ("i", INT), ("a", INT), ("b", INT))
    _, a, b = body.inputs
    body.give(b, body.op("add", a, b))
    builder.give(builder.structured("for", (items, 0, 1), [("a", INT), ("b", INT)], body)[0])
    program = compile_graph(named(builder.graph))
    assert (
        program.text
        == """\
def fibonacci(n):
    a = 0
    b = 1
    for i in range(n):
        a, b = b, a + b
    return a
"""
    )
    assert program.function(10) == 55


def test_items_are_unpacked_in_the_head_of_the_loop() -> None:
    """``for i, x in enumerate(a)``."""
    builder = Builder("weigh", ("a", VECTOR))
    pairs = builder.op("enumerate", builder.inputs[0])
    body = builder.part("body", ("item", Tuple((INT, FLOAT))), ("total", FLOAT))
    item, total = body.inputs
    index, value = body.structured("unpack", (item,), [("i", INT), ("x", FLOAT)])
    body.give(body.op("add", total, body.op("multiply", index, value)))
    builder.give(*builder.structured("for", (pairs, 0.0), [("total", FLOAT)], body))
    assert (
        text(builder)
        == """\
def weigh(a):
    total = 0.0
    for i, x in enumerate(a):
        total = total + i * x
    return total
"""
    )


def test_effects_stay_in_order() -> None:
    """What is evaluated later in the text than in the graph gets a local."""
    builder = Builder("f", ("x", INT))
    (x,) = builder.inputs
    first, second = (builder.op(MEDDLE, x, name=name, type=INT) for name in ("first", "second"))
    builder.give(builder.op("subtract", second, first))
    assert (
        text(builder)
        == """\
# meddle: building._meddle


def f(x):
    first = meddle(x)
    return meddle(x) - first
"""
    )


def test_a_read_stays_before_the_write() -> None:
    """An element is read before it is overwritten, even when it is used once."""
    builder = Builder("swap", ("a", VECTOR))
    (a,) = builder.inputs
    first = builder.op("get_item", a, 0, name="first")
    builder.do("set_item", a, 0, builder.op("get_item", a, 1))
    builder.do("set_item", a, 1, first)
    builder.give(a)
    assert (
        text(builder)
        == """\
def swap(a):
    first = a[0]
    a[0] = a[1]
    a[1] = first
    return a
"""
    )


def test_in_place_on_what_may_be_immutable_does_not_change_the_old_name() -> None:
    """``y = x; y += 1`` leaves a number ``x`` alone."""
    builder = Builder("f", ("x", UNKNOWN))
    (x,) = builder.inputs
    y = builder.op("inplace_add", x, 1, name="y", type=UNKNOWN)
    program = compile_graph(named(builder.give((x, y)).graph))
    assert (
        program.text
        == """\
def f(x):
    y = x
    y += 1
    return x, y
"""
    )
    assert program.function(1) == (1, 2)


def test_statements_of_every_kind() -> None:
    """Items, attributes, lists, dicts, slices, f-strings, ``in``, ``del`` and ``raise ... from``."""
    builder = Builder("f", ("o", UNKNOWN), ("items", INTS), ("n", INT))
    o, items, n = builder.inputs
    builder.do("set_attribute", o, "size", builder.op("get_attribute", o, "width"))
    builder.do("del_attribute", o, "width")
    builder.do("del_item", items, slice(1, None))
    builder.do(table.find_method("append", list), items, n)
    found = builder.op("contains", items, n)
    name = builder.op("join", "n = ", builder.op("format", n, ".2f", type=STR), "!")
    then = builder.part("then")
    then.fail(then.op(table.unknown_call(ValueError, "ValueError"), name))
    then.graph.nodes[-1].args += (None,)
    builder.structured("if", (builder.op("not", found),), [], then, builder.part("else").give())
    builder.give(
        builder.op("make_dict", ("key", "other"), ((n,), builder.op("get_item", items, (0, slice(n), ...))))
    )
    assert (
        text(builder)
        == """\
def f(o, items, n):
    o.size = o.width
    del o.width
    del items[1:]
    items.append(n)
    contains = n in items
    join = f'n = {n:.2f}!'
    if not contains:
        raise ValueError(join) from None
    return {'key': (n,), 'other': items[0, :n, ...]}
"""
    )


def test_a_test_of_several_statements() -> None:
    """The loop tests inside."""
    builder = Builder("f", ("n", INT))
    test = builder.part("test", ("n", INT))
    test.do(SHOUT, test.inputs[0])
    test.give(test.op("less", 0, test.inputs[0]))
    body = builder.part("body", ("n", INT))
    body.give(body.op("subtract", body.inputs[0], 1))
    builder.give(*builder.structured("while", (builder.inputs[0],), [("n", INT)], test, body))
    assert (
        text(builder)
        == """\
# shout: building._shout


def f(n):
    while True:
        shout(n)
        if not 0 < n:
            break
        n = n - 1
    return n
"""
    )


def test_a_loop_that_may_have_stopped_before_it_starts() -> None:
    """Its first iterations ran elsewhere."""
    builder = Builder("f", ("stop", BOOL), ("n", INT))
    stop, n = builder.inputs
    test = builder.part("test", ("stop", BOOL), ("n", INT))
    test.give(test.op("less", 0, test.inputs[1]))
    body = builder.part("body", ("stop", BOOL), ("n", INT))
    last = body.op("subtract", body.inputs[1], 1)
    body.give(body.op("equal", last, 2), last)
    builder.give(builder.structured("while", (stop, n), [("stop", BOOL), ("n", INT)], test, body, stop=0)[1])
    program = compile_graph(named(builder.graph))
    assert [program.function(stop, 5) for stop in (True, False)] == [5, 2]
    assert [run(builder.graph, [stop, 5]) for stop in (True, False)] == [5, 2]


def test_a_called_graph_is_a_function_beside() -> None:
    """It may call itself, and use values of its caller."""
    helper = Builder("scale", ("x", INT))
    builder = Builder("main", ("a", INT), ("factor", INT))
    a, factor = builder.inputs
    helper.give(helper.op("multiply", helper.inputs[0], factor))
    (once,) = builder.structured("call", (a,), [("once", INT)], helper)
    builder.give(*builder.structured("call", (once,), [("twice", INT)], helper))
    program = compile_graph(named(builder.graph))
    assert (
        program.text
        == """\
def scale(x, factor):
    return x * factor


def main(a, factor):
    return scale(scale(a, factor), factor)
"""
    )
    assert program.function(2, 5) == run(builder.graph, [2, 5]) == 50


def same_bits(left: object, right: object) -> bool:
    if isinstance(left, float):
        return math.copysign(1, left) == math.copysign(1, right) and repr(left) == repr(right)  # type: ignore[arg-type]
    return type(left) is type(right) and repr(left) == repr(right)


@pytest.mark.parametrize("constant", [
    0, -1, 10**30, True, None, ..., "a'b\n", b"x", 0.1, -0.0, math.inf, -math.inf, math.nan, 1e-320, 2j,
    1 - 2j,
    complex(-0.0, 2), np.float32(0.1), np.dtype("f4"), np.float64, int, len, np.sin, (1, (2.5, ())), [1, [2]],
    {"a": -1},
    slice(1, None, 2), Undefined("x"), frozenset((1,)),
], ids=repr)  # fmt: skip
def test_constants_come_out_as_they_are(constant: object) -> None:
    """As a literal or as a global of the program."""
    builder = Builder("f")
    assert same_bits(compile_graph(builder.give(constant).graph).function(), constant)


def test_literals_are_folded_into_no_other_meaning() -> None:
    """``(-2) ** 2`` keeps its parentheses."""
    builder = Builder("f", ("x", INT))
    builder.give(builder.op("add", builder.op("power", -2, 2), builder.op("multiply", builder.inputs[0], -1)))
    assert text(builder) == "def f(x):\n    return (-2) ** 2 + x * -1\n"


def test_globals_do_not_collide_with_locals_or_builtins() -> None:
    """Each object has a name of its own; ``np`` is ``np``."""
    builder = Builder("scale", ("helper", INT), ("np", INT))
    first = builder.op(table.unknown_call(lambda x: x, "helper"), builder.inputs[0])
    second = builder.op(table.unknown_call(lambda x: -x, "helper"), builder.inputs[1])
    third = builder.op(table.unknown_call(lambda x: x * 2, "len"), second)
    builder.give(builder.op(table.find_call(np.sum), (first, third)))
    program = compile_graph(named(builder.graph))
    assert program.text.endswith("""\
def scale(helper, np_):
    return np.sum((helper_1(helper), len_(helper_2(np_))))
""")
    assert program.function(1, 2) == -3
    assert set(program.constants) == {"np", "helper_1", "helper_2", "len_"}


def test_the_text_runs_when_pasted() -> None:
    """With the constants that it lists."""
    builder = Builder("norm", ("a", VECTOR))
    builder.give(builder.op(table.find_call(np.linalg.norm), builder.inputs[0], math.inf))
    program = compile_graph(named(builder.graph))
    assert (
        program.text
        == """\
import numpy as np
# inf: inf


def norm(a):
    return np.linalg.norm(a, inf)
"""
    )
    pasted: dict[str, object] = {"inf": math.inf}
    exec(program.text, pasted)
    assert pasted["norm"](np.arange(4.0)) == 3.0  # type: ignore[operator]


def last_frame(program: Program, *args: object) -> tuple[str, int | None, str, str | None]:
    with pytest.raises(Exception) as caught:
        program.function(*args)
    frames = traceback.extract_tb(caught.value.__traceback__)
    frame = next(frame for frame in reversed(frames) if frame.filename.startswith("/home/user"))
    return frame.filename, frame.lineno, frame.name, frame.line


def test_a_traceback_shows_the_users_file_line_and_function() -> None:
    """Under the name that the user gave, also for a lambda."""
    program = compile_graph(optimise(drain()))
    wrong = np.array(["a", "b"])
    assert last_frame(program, wrong, 1.0, 3) == ("/home/user/drain.py", 4, "drain", "if tank.max() <= 0:")
    assert last_frame(program, np.ones(4), np.ones(3), 3)[1:] == (6, "drain", "tank -= rate")
    graph = Graph("<lambda>", [], list(raising(None).nodes), raising(None).results)
    assert compile_graph(graph).function.__code__.co_name == "<lambda>"


def raising(location: Location | None) -> Graph:
    builder = Builder(
        "f", ("x", INT), filename=source("/home/user/f.py", "def f(x):\n    return 1 + 2 // x\n")
    ).at(2)
    if location is not None:
        builder.location = lambda: location  # type: ignore[method-assign]
    divided = builder.op("floor_divide", 2, builder.inputs[0])
    builder.give(builder.op("add", 1, divided))
    return named(builder.graph)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="columns are known from Python 3.11 on")
def test_columns_point_at_the_expression() -> None:
    """When the location has them; without them there is no caret."""
    with pytest.raises(ZeroDivisionError) as caught:
        compile_graph(raising(Location("/home/user/f.py", 2, "f", 15, 2, 21))).function(0)
    assert "return 1 + 2 // x\n               ~~^^~~" in "".join(traceback.format_exception(caught.value))
    with pytest.raises(ZeroDivisionError) as caught:
        compile_graph(raising(None)).function(0)
    shown = "".join(traceback.format_exception(caught.value)).splitlines()
    assert shown[-2:] == ["    return 1 + 2 // x", "ZeroDivisionError: integer division or modulo by zero"]


def test_a_loop_costs_no_more_than_plain_python() -> None:
    """The same instructions, one for one, as the user's own text."""
    import dis

    namespace: dict[str, object] = {}
    exec(DRAIN.replace("steps += 1", "steps = steps + 1"), namespace)
    plain = [instruction.opname for instruction in dis.get_instructions(namespace["drain"])]  # type: ignore[arg-type]
    staged = [
        instruction.opname for instruction in dis.get_instructions(compile_graph(optimise(drain())).function)
    ]
    assert len(staged) <= len(plain)


def test_a_helper_from_another_file_is_a_function_of_its_file() -> None:
    """What was inlined points into its own file again, with the frames that the plain run has."""
    source("/home/user/main.py", "def main(x, y):\n    y = helper(x) + 1\n    return y\n")
    source("/home/user/helper.py", "def helper(x):\n    z = 2 // x\n    return z * z % 7\n")
    builder = Builder("main", ("x", INT))
    places = iter([("helper", 2), ("helper", 3), ("helper", 3), ("main", 2)])

    def location() -> Location:
        function, line = next(places)
        return Location(f"/home/user/{function}.py", line, function)

    builder.graph.location = Location("/home/user/main.py", 1, "main")
    builder.location = location  # type: ignore[method-assign]
    z = builder.op("floor_divide", 2, builder.inputs[0], name="z")
    rest = builder.op("remainder", builder.op("multiply", z, z), 7)
    builder.give(builder.op("add", rest, 1, name="y"))
    program = compile_graph(named(builder.graph))
    assert program.text == """\
def helper(x):
    z = 2 // x
    return z * z % 7


def main(x):
    return helper(x) + 1
"""
    with pytest.raises(ZeroDivisionError) as caught:
        program.function(0)
    frames = [(f.filename, f.lineno, f.name) for f in traceback.extract_tb(caught.value.__traceback__)[1:]]
    assert frames == [("/home/user/main.py", 2, "main"), ("/home/user/helper.py", 2, "helper")]
