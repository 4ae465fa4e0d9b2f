"""Random effectful graphs: every way of running them shows the same."""

from __future__ import annotations

import random

import pytest
from building import VECTOR, RandomGraph, arguments, interpreted, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.runtime.backends.numpy_code import compile_graph
from autograph.runtime.checking import check
from autograph.runtime.effects import add_control_edges
from autograph.runtime.graph import Graph
from autograph.runtime.naming import name_values
from autograph.runtime.passes import PASSES


def compare(seed: int, size: int = 12) -> None:
    graph = RandomGraph(random.Random(seed), size).graph
    name_values(graph)
    # the two arrays are one in some calls, and so are the lists that code outside keeps
    arrays = {value: "arrays" for value in graph.inputs if value.type == VECTOR}
    add_control_edges(graph, arrays)
    check(graph)
    optimised: Graph = graph
    stages = {"program": compile_graph(graph)}
    for each in PASSES:
        optimised = each(optimised)
        check(optimised)
        stages[each.__name__] = compile_graph(optimised)
    for args in arguments():
        expected = outcome(interpreted(graph), args)
        for order in range(3):
            assert outcome(interpreted(graph, order), args) == expected, f"order {order}\n{graph}"
        for name, program in stages.items():
            found = outcome(lambda args: program.function(*args), args)
            assert found == expected, f"{name}\n{graph}\n{program.text}"


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_interpreter_in_any_order_program_and_passes_agree(seed: int) -> None:
    """Results, changed arguments, output and errors are those of the program order, in every mode."""
    compare(seed)


@pytest.mark.long
@settings(max_examples=2000)
@given(st.integers(0, 10**9))
def test_larger_graphs_agree_too(seed: int) -> None:
    """The same for more and larger graphs."""
    compare(seed, 25)
