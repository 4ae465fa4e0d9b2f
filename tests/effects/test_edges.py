"""Control edges: sufficient (every order gives the same run) and minimal (each one is needed)."""

from __future__ import annotations

import random

from building import (
    DRAW,
    INTS,
    MEDDLE,
    SHOUT,
    VECTOR,
    Builder,
    RandomGraph,
    arguments,
    calls_of,
    drain,
    interpreted,
    named,
    outcome,
    table,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.runtime.effects import add_control_edges, draw_order
from autograph.runtime.graph import Graph, Node, Op
from autograph.runtime.types import INT


def edges(builder: Builder, aliases=None) -> list[tuple[str, str]]:
    """The edges of the built graph, as pairs of op names."""
    graph = add_control_edges(named(builder.graph), aliases)
    return [(earlier.op.name, node.op.name) for node in graph.nodes for earlier in node.after]


def test_reads_of_an_array_are_not_ordered() -> None:
    """Nothing changes it."""
    builder = Builder("f", ("a", VECTOR))
    for _ in range(3):
        builder.op("add", builder.inputs[0], 1)
    assert edges(builder) == []


def test_a_write_waits_for_the_reads_and_later_reads_wait_for_it() -> None:
    """Through the array itself."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    builder.op("add", a, 1, type=VECTOR)
    builder.op("multiply", a, 2, type=VECTOR)
    builder.op("inplace_add", a, 1, type=VECTOR)
    builder.op("subtract", a, 2, type=VECTOR)
    assert edges(builder) == [
        ("add", "inplace_add"),
        ("multiply", "inplace_add"),
        ("inplace_add", "subtract"),
    ]


def test_a_write_through_a_view_changes_the_base() -> None:
    """A view shares memory."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    view = builder.op("get_item", a, slice(1, None), name="view")
    builder.op("inplace_add", view, 1)
    builder.op("add", a, 1, type=VECTOR)
    assert edges(builder) == [("inplace_add", "add")]


def test_two_arguments_are_apart_unless_they_may_be_one() -> None:
    """``aliases`` groups the inputs that may share memory."""

    def built() -> Builder:
        builder = Builder("f", ("a", VECTOR), ("b", VECTOR))
        builder.op("inplace_multiply", builder.inputs[0], 2.0, type=VECTOR)
        builder.op("add", builder.inputs[1], 1.0, type=VECTOR)
        return builder

    assert edges(built()) == []
    builder = built()
    assert edges(builder, dict.fromkeys(builder.inputs, "one")) == [("inplace_multiply", "add")]


def test_what_is_stored_in_a_list_may_change_through_the_list() -> None:
    """Items taken from it share memory with what was put in."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    items = builder.op("make_list", name="items")
    builder.do(table.find_method("append", list), items, a)
    item = builder.op("get_item", items, 0, name="item")
    builder.op("inplace_add", item, 1)
    builder.op("add", a, 1, type=VECTOR)
    found = edges(builder)
    assert found == [("list_append", "get_item"), ("inplace_add", "add")]


def test_output_random_numbers_and_memory_are_apart() -> None:
    """Each has an order of its own."""
    builder = Builder("f", ("items", INTS))
    for _ in range(2):
        builder.do(SHOUT, 1)
        builder.op(DRAW, type=INT)
        builder.do(table.find_method("append", list), builder.inputs[0], 1)
    assert edges(builder) == [("shout", "shout"), ("draw", "draw"), ("list_append", "list_append")]


def test_code_outside_is_ordered_with_everything_it_can_reach() -> None:
    """Output, random numbers, arguments and what it was given; not new memory that it never saw."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    new = builder.op("add", a, 1, name="new", type=VECTOR)
    builder.do(SHOUT, 1)
    builder.op(MEDDLE, 1, type=INT)
    builder.op("inplace_add", new, 1.0, type=VECTOR)
    builder.op("multiply", a, 2, type=VECTOR)
    # the change of `new` waits only because it may raise
    assert edges(builder) == [
        ("add", "meddle"), ("shout", "meddle"), ("meddle", "inplace_add"), ("meddle", "multiply"),
    ]  # fmt: skip


def test_nothing_visible_happens_before_an_error_that_comes_first() -> None:
    """And errors stay in order; what only new memory shows is free."""
    builder = Builder("f", ("n", INT), ("items", INTS))
    n, items = builder.inputs
    append = table.find_method("append", list)
    new = builder.op("make_list", 0, name="new")
    builder.op("floor_divide", 1, n, name="q")
    builder.do(append, items, 1)
    builder.do(append, new, 1)
    builder.op("remainder", 1, n)
    assert edges(builder) == [("floor_divide", "list_append"), ("list_append", "remainder")]


def test_a_loop_has_the_effects_of_its_parts() -> None:
    """And may never end, so what shows later waits for it."""
    graph = drain()
    builder = Builder("f", *[(value.name, value.type) for value in graph.inputs])
    builder.graph = graph
    graph.results = ()
    builder.op("add", graph.inputs[0], 1, name="copy", type=VECTOR)
    builder.do(SHOUT, 1)
    assert edges(builder) == [("for", "add"), ("for", "shout")]


def test_names_outside_are_apart_and_lead_to_one_world() -> None:
    """Two globals are two names, but what they hold may be one array."""
    read_a, read_b = (
        Op(f"read_{name}", list, "call", name, result="alias", region=f"name {name}") for name in "ab"
    )
    set_a = Op("set_a", print, "call", "set_a", stores=True, region="name a", total=lambda *_: True)
    builder = Builder("f")
    first = builder.op(read_a, name="first", type=VECTOR)
    second = builder.op(read_b, name="second", type=VECTOR)
    builder.op("inplace_multiply", first, 2.0, type=VECTOR)
    builder.do(set_a, 1)
    builder.op("add", second, 1, type=VECTOR)
    assert edges(builder) == [
        ("read_a", "read_b"),
        ("read_b", "inplace_multiply"),
        ("inplace_multiply", "set_a"),
        ("inplace_multiply", "add"),
    ]


def test_what_is_returned_by_code_outside_may_be_anything_it_reaches() -> None:
    """An array that was given to it, or one that the caller has."""
    fetch = Op("fetch", list, "call", "fetch", result="alias", region="outside")
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    got = builder.op(fetch, name="got", type=VECTOR)
    builder.op("inplace_multiply", got, 2.0, type=VECTOR)
    builder.op("add", a, 1, type=VECTOR)
    assert edges(builder) == [("inplace_multiply", "add")]


def test_reading_an_iterator_changes_it() -> None:
    """Two loops over one ``enumerate`` share its items."""
    builder = Builder("f", ("a", VECTOR))
    pairs = builder.op("enumerate", builder.inputs[0])
    builder.op("list", pairs)
    builder.op("tuple", pairs)
    assert ("list", "tuple") in edges(builder)


def closure(graph: Graph, without: tuple[Node, Node] | None = None) -> dict[Node, set[Node]]:
    """For each node all nodes that come before it under operands and edges, perhaps without one edge."""
    producers = {value: node for node in graph.nodes for value in node.outputs}
    before: dict[Node, set[Node]] = {}
    for node in graph.nodes:
        direct = {producers[value] for value in node.uses() if value in producers}
        direct |= {earlier for earlier in node.after if (earlier, node) != without}
        before[node] = direct.union(*(before[each] for each in direct))
    return before


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_no_edge_follows_from_the_others(seed: int) -> None:
    """Without any one edge its two nodes could swap."""
    graph = add_control_edges(named(RandomGraph(random.Random(seed)).graph))
    for part in [graph, *(part for node in graph.walk() for part in node.parts)]:
        for node in part.nodes:
            for earlier in node.after:
                assert earlier not in closure(part, (earlier, node))[node]


def test_without_an_edge_some_order_shows_something_else() -> None:
    """Each edge of this graph can be seen."""
    builder = Builder("f", ("n", INT), ("m", INT), ("a", VECTOR), ("b", VECTOR), ("items", INTS))
    n, m, a, b, items = builder.inputs
    builder.op("inplace_multiply", a, 2.0, type=VECTOR)
    copy = builder.op("add", a, 1.0, type=VECTOR)
    builder.op("inplace_add", a, b, type=VECTOR)
    builder.do(SHOUT, n)
    builder.do(SHOUT, items)
    builder.do(table.find_method("append", list), items, 3)
    builder.op("floor_divide", n, m)
    graph = add_control_edges(named(builder.give(copy).graph))
    args = next(arguments())
    expected = outcome(interpreted(graph), args)
    pairs = [(node, earlier) for node in graph.nodes for earlier in node.after]
    assert len(pairs) >= 5
    for node, earlier in pairs:
        after = node.after
        node.after = tuple(each for each in after if each is not earlier)
        seen = [outcome(interpreted(graph, seed), args) for seed in range(60)]
        node.after = after
        assert any(each != expected for each in seen), f"{earlier.op} -> {node.op}\n{graph}"


def test_orders_are_valid_different_and_repeatable() -> None:
    """The same seed gives the same orders."""
    graph = add_control_edges(named(RandomGraph(random.Random(4)).graph))
    generator = random.Random(1)
    drawn = [draw_order(graph, generator) for _ in range(20)]
    again = random.Random(1)
    assert drawn == [draw_order(graph, again) for _ in range(20)]
    assert len({tuple(map(id, order)) for order in drawn}) > 1
    before = closure(graph)
    for order in drawn:
        assert sorted(map(id, order)) == sorted(map(id, graph.nodes))
        for place, node in enumerate(order):
            assert before[node] <= set(order[:place])


def test_a_long_straight_line_is_ordered_in_no_time() -> None:
    """Linear: twice as many nodes take twice the work."""

    def cost(count: int) -> int:
        builder = Builder("f", ("a", VECTOR))
        for _ in range(count):
            builder.op("inplace_add", builder.inputs[0], 1.0, type=VECTOR)
        return calls_of(lambda: add_control_edges(builder.graph))

    assert cost(4000) < 2.2 * cost(2000)
