"""What compiling a graph costs, counted in calls: linear in its length, and not exponential in its depth."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from building import BOOL, INT, MEDDLE, VECTOR, Builder, Graph, calls_of, named

from autograph.runtime.backends.numpy_code import compile_graph
from autograph.runtime.checking import check
from autograph.runtime.effects import add_control_edges
from autograph.runtime.graph import Value
from autograph.runtime.passes import optimise


def compiled(graph: Graph) -> int:
    """How many Python calls everything behind tracing makes: what it costs, free of the machine's mood."""
    named(graph)

    def work() -> None:
        add_control_edges(graph)
        check(graph)
        compile_graph(optimise(graph))

    return calls_of(work)


def line(count: int) -> Graph:
    builder = Builder("f", ("a", VECTOR))
    (value,) = builder.inputs
    for number in range(count):
        op = "inplace_add" if number % 3 == 0 else "multiply"
        value = builder.op(op, value, 1.5, type=VECTOR)
    return builder.give(value).graph


def nested_ifs(builder: Builder, n: Value, depth: int) -> None:
    if not depth:
        builder.give(builder.op("add", n, 1))
        return
    arms = builder.part("then"), builder.part("else").give(0)
    nested_ifs(arms[0], n, depth - 1)
    builder.give(*builder.structured("if", (builder.op("less", n, depth),), [("n", INT)], *arms))


def nested_loops(builder: Builder, n: Value, depth: int) -> None:
    if not depth:
        builder.give(builder.op("add", n, 1))
        return
    test = builder.part("test", ("n", INT))
    test.give(test.op("less", test.inputs[0], depth))
    body = builder.part("body", ("n", INT))
    nested_loops(body, body.inputs[0], depth - 1)
    builder.give(*builder.structured("while", (n,), [("n", INT)], test, body))


def nested_ands(builder: Builder, n: Value, depth: int) -> None:
    """``a and (b and ...)`` whose innermost operands are used the wrong way round."""
    if not depth:
        first, second = (builder.op(MEDDLE, n, name=name, type=INT) for name in ("first", "second"))
        builder.give(builder.op("less", second, first))
        return
    test = builder.op("less", n, depth)
    then = builder.part("then")
    nested_ands(then, n, depth - 1)
    builder.give(*builder.structured("if", (test,), [("both", BOOL)], then, builder.part("else").give(test)))


@pytest.mark.parametrize("nest", [nested_ifs, nested_loops, nested_ands])
def test_depth_is_not_exponential(nest: Callable[[Builder, Value, int], None]) -> None:
    """Eighteen deep takes at most twelve times the work of six deep."""

    def cost(depth: int) -> int:
        builder = Builder("f", ("n", INT))
        nest(builder, builder.inputs[0], depth)
        return compiled(builder.graph)

    cost(3)
    assert cost(18) < 12 * cost(6)


def test_length_is_linear() -> None:
    """Four times the nodes take hardly more than four times the work."""
    compiled(line(10))
    assert compiled(line(2000)) < 5 * compiled(line(500))
