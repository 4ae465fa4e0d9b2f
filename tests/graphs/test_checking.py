"""The checker: each rule, broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from building import Builder, Graph, collatz, drain, named

from autograph.runtime.checking import GraphError, check
from autograph.runtime.graph import Value
from autograph.runtime.types import FLOAT, INT


def test_good_graphs_pass() -> None:
    """With carries, arms, edges and a part that never completes."""
    check(collatz())
    check(drain())
    builder = Builder("f", ("n", INT))
    test = builder.op("less", builder.inputs[0], 0)
    arms = builder.part("then").fail(ValueError()), builder.part("else").give(1)
    builder.give(*builder.structured("if", (test,), [("x", INT)], *arms))
    check(named(builder.graph))


def broken(change: Callable[[Graph], object]) -> str:
    """The reason that the checker gives for a changed ``collatz``."""
    graph = collatz()
    change(graph)
    with pytest.raises(GraphError) as caught:
        check(graph)
    return caught.value.reason


def loop_of(graph: Graph):
    return graph.find("while")[0]


def reverse_body(graph: Graph) -> None:
    loop_of(graph).parts[1].nodes.reverse()


def use_inner_outside(graph: Graph) -> None:
    graph.results = loop_of(graph).parts[1].nodes[0].outputs


def call_two_alike(graph: Graph) -> None:
    loop_of(graph).outputs[0].name = "n"


def give_too_little(graph: Graph) -> None:
    loop_of(graph).parts[1].results = (1,)


def give_another_type(graph: Graph) -> None:
    loop_of(graph).parts[1].results = (0.5, 1)


def start_with_another_type(graph: Graph) -> None:
    loop_of(graph).args = (1.5, 0)


def narrow_output(graph: Graph) -> None:
    loop_of(graph).outputs[1].type = FLOAT


def stop_nowhere(graph: Graph) -> None:
    loop_of(graph).stop = 2


def edge_into_part(graph: Graph) -> None:
    loop_of(graph).after = (loop_of(graph).parts[1].nodes[0],)


def edge_to_itself(graph: Graph) -> None:
    loop_of(graph).after = (loop_of(graph),)


def arm_with_input(graph: Graph) -> None:
    graph.find("if")[0].parts[0].inputs.append(Value("x", INT))


def one_arm(graph: Graph) -> None:
    graph.find("if")[0].parts = graph.find("if")[0].parts[:1]


def no_result(graph: Graph) -> None:
    graph.results = ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (reverse_body, "equal is used before it is defined"),
        (use_inner_outside, "remainder is used outside the part that defines it"),
        (call_two_alike, "two values are called n"),
        (give_too_little, "body has 1 results, not 2"),
        (give_another_type, "n_2 is int, but gets 0.5: float"),
        (start_with_another_type, "the carry n_2 is int, but gets 1.5: float"),
        (narrow_output, "steps is float, but its carry is int"),
        (stop_nowhere, "stop is 2, which is no place in the carry"),
        (edge_into_part, "the edge from remainder leads into another graph"),
        (edge_to_itself, "the edge from while makes a cycle or leads backwards"),
        (arm_with_input, "then has 1 inputs, not 0"),
        (one_arm, "if has 1 parts, not 2"),
        (no_result, "a function gives one result, not 0"),
    ],
    ids=lambda argument: argument.__name__ if callable(argument) else "",
)
def test_each_rule(change: Callable[[Graph], object], reason: str) -> None:
    """One change breaks one rule, and the message says which."""
    assert broken(change) == reason


def test_the_message_shows_the_graph_with_the_bad_line_marked() -> None:
    """The whole text, a ``>`` in the margin."""
    graph = collatz()
    give_another_type(graph)
    with pytest.raises(GraphError) as caught:
        check(graph)
    first, *text = str(caught.value).splitlines()
    assert first == "n_2 is int, but gets 0.5: float"
    assert [line for line in text if line.startswith(">")] == [">   yield 0.5, 1"]
    assert text[0] == "graph collatz(n: int) -> int"
