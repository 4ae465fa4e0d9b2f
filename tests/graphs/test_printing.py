"""The text of graphs, whole."""

from __future__ import annotations

import numpy as np
from building import MEDDLE, SHOUT, VECTOR, Builder, collatz, drain, named, table

from autograph.operators import Undefined
from autograph.runtime.effects import add_control_edges
from autograph.runtime.printing import operand_text, to_text
from autograph.runtime.types import INT


def test_a_while_shows_its_carry_its_test_and_its_body() -> None:
    """Types on every value, the source line once for each new line, parts indented."""
    assert (
        str(collatz())
        == """\
graph collatz(n: int) -> int
  n_1: int, steps: int = while carry (n_2: int = n, steps_1: int = 0)  # collatz.py:3   while n != 1:
  test
    not_equal: bool = not_equal(n_2, 1)
    yield not_equal
  body
    remainder: int = remainder(n_2, 2)                                 # collatz.py:4   if n % 2 == 0:
    equal: bool = equal(remainder, 0)
    n_3: int = if equal
    then
      n_4: int = floor_divide(n_2, 2)                                  # collatz.py:5   n = n // 2
      yield n_4
    else
      multiply: int = multiply(3, n_2)                                 # collatz.py:7   n = 3 * n + 1
      n_5: int = add(multiply, 1)
      yield n_5
    steps_2: int = add(steps_1, 1)                                     # collatz.py:8   steps += 1
    yield n_3, steps_2
  return steps"""
    )


def test_a_for_shows_where_it_breaks_and_what_is_changed_in_place() -> None:
    """``break if`` for the stop flag, ``into`` for what an op writes."""
    assert (
        str(drain())
        == """\
graph drain(tank: float64[4], rate: float, limit: int) -> (float64[4], int)
  range_: iterator[int] = range(limit)                     # drain.py:3   for i in range(limit):
  steps: int, stop: bool = for i: int in range_ carry (steps_1: int = 0, stop_1: bool = False)
    max_: np.float64 = max(tank)                           # drain.py:4   if tank.max() <= 0:
    empty: np.bool = less_equal(max_, 0)
    steps_2: int, stop_2: bool = if empty
    then
      yield steps_1, True
    else
      tank_1: float64[4] = subtract(tank, rate) into tank  # drain.py:6   tank -= rate
      steps_3: int = add(steps_1, 1)                       # drain.py:7   steps += 1
      yield steps_3, False
    yield steps_2, stop_2
    break if stop_2
  return (tank, steps)"""
    )


def test_edges_name_values_or_labels() -> None:
    """A node without output that is referred to has a label; others have none."""
    builder = Builder("speak", ("a", VECTOR))
    (a,) = builder.inputs
    builder.do("set_item", a, 0, 1.0)
    builder.do(SHOUT, a)
    held = builder.op(MEDDLE, a, name="held", type=INT)
    builder.do(SHOUT, held)
    graph = add_control_edges(named(builder.give(held).graph))
    assert (
        str(graph)
        == """\
graph speak(a: float64[4]) -> int
  @set_item_1: set_item(a, 0, 1.0) into a
  @shout_1: shout(a) after @set_item_1
  held: int = meddle(a) after @shout_1
  shout(held)
  return held"""
    )


def test_a_called_graph_is_printed_once_behind() -> None:
    """Also one that calls itself."""
    factorial = Builder("factorial", ("n", INT))
    (n,) = factorial.inputs
    then = factorial.part("then").give(1)
    orelse = factorial.part("else")
    (rest,) = orelse.structured("call", (orelse.op("subtract", n, 1),), [("rest", INT)], factorial)
    orelse.give(orelse.op("multiply", n, rest))
    factorial.give(
        *factorial.structured("if", (factorial.op("less", n, 2),), [("product", INT)], then, orelse)
    )
    builder = Builder("main", ("k", INT))
    (first,) = builder.structured("call", (builder.inputs[0],), [("first", INT)], factorial)
    builder.give(*builder.structured("call", (first,), [("second", INT)], factorial))
    assert (
        str(named(builder.graph))
        == """\
graph main(k: int) -> int
  first: int = call factorial(k)
  second: int = call factorial(first)
  return second

graph factorial(n: int) -> int
  less: bool = less(n, 2)
  product: int = if less
  then
    yield 1
  else
    subtract: int = subtract(n, 1)
    rest: int = call factorial(subtract)
    product_1: int = multiply(n, rest)
    yield product_1
  return product"""
    )


def test_a_graph_that_only_raises_returns_never() -> None:
    """No result, no ``return``."""
    graph = Builder("fail").fail(ValueError("no")).graph
    assert str(graph) == "graph fail() -> never\n  raise <ValueError>"


def test_constants_show_no_address() -> None:
    """Names and classes, not the ``repr`` of objects."""
    operands = (
        1,
        -0.0,
        "a",
        None,
        ...,
        np.float64,
        np.dtype("f4"),
        len,
        np.sin,
        Undefined("x"),
        object(),
        np.zeros(3),
    )
    assert operand_text(operands) == (
        "(1, -0.0, 'a', None, ..., float64, float32, len, sin, undefined, <object>, <ndarray>)"
    )


def test_a_marked_node_has_a_sign_in_the_margin() -> None:
    """For the checker's message."""
    graph = collatz()
    (multiply,) = graph.find("multiply")
    lines = [line for line in to_text(graph, multiply).splitlines() if line.startswith(">")]
    assert [line.partition("  #")[0].rstrip() for line in lines] == [">     multiply: int = multiply(3, n_2)"]


def test_calls_of_other_libraries_show_their_names() -> None:
    """An op without row is shown under the symbol of its function."""
    builder = Builder("f", ("x", INT))
    builder.give(builder.op(table.unknown_call(divmod, "divmod"), builder.inputs[0], 2, name="both"))
    assert "both: unknown = divmod(x, 2)" in str(builder.graph)
