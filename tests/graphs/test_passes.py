"""Passes: what they do, and what they must not do.  Their doctests show each one before and after."""

from __future__ import annotations

from building import MEDDLE, SHOUT, VECTOR, Builder, collatz, drain, named, table

from autograph.runtime.graph import Graph
from autograph.runtime.passes import optimise
from autograph.runtime.passes.branch_pruning import prune_branches
from autograph.runtime.passes.common_subexpressions import merge_common
from autograph.runtime.passes.constant_folding import fold_constants
from autograph.runtime.passes.dead_code import remove_dead
from autograph.runtime.types import BOOL, INT


def ops(graph: Graph) -> list[str]:
    return [node.op.name for node in graph.walk()]


def test_the_old_graph_stays_as_it_is() -> None:
    """It is shown to the user, and run by the interpreter."""
    for graph in (collatz(), drain()):
        before = str(graph)
        optimise(graph)
        assert str(graph) == before


def test_constants_that_raise_are_left_to_the_run() -> None:
    """``1 // 0`` must raise when it is reached."""
    builder = Builder("f")
    builder.give(builder.op("floor_divide", 1, 0))
    assert ops(fold_constants(builder.graph)) == ["floor_divide"]


def test_large_constants_are_not_made() -> None:
    """A program is no place for a number of a million digits."""
    builder = Builder("f")
    builder.give(builder.op("multiply", 1 << 4000, 1 << 4000))
    assert ops(fold_constants(builder.graph)) == ["multiply"]


def test_negative_zero_is_no_zero() -> None:
    """``-0.0`` and ``0.0`` are two constants."""
    builder = Builder("f", ("x", INT))
    first = builder.op("multiply", builder.inputs[0], 0.0)
    second = builder.op("multiply", builder.inputs[0], -0.0)
    graph = merge_common(builder.give(builder.op("add", first, second)).graph)
    assert graph.nodes[-1].args == (first, second)


def test_values_whose_identity_shows_are_not_merged() -> None:
    """Of each group one may be given away; what is only computed with cannot be told from it."""

    def left(result) -> list[str]:
        builder = Builder("f", ("x", INT))
        first, second = (builder.op("add", builder.inputs[0], 1) for _ in range(2))
        return ops(merge_common(builder.give(result(builder, first, second)).graph))

    assert left(lambda builder, a, b: (a, b)) == ["add", "add"]
    assert left(lambda builder, a, b: builder.op("is", a, b)) == ["add", "add", "is"]
    assert left(lambda builder, a, b: builder.op("less", (a,), (b,))) == ["add", "add", "less"]
    assert left(lambda builder, a, b: (a, builder.op("less", b, 3))) == ["add", "less"]


def test_a_pruned_arm_that_raises_ends_the_graph() -> None:
    """Nothing behind it is reached."""
    builder = Builder("f")
    arms = builder.part("then").fail(ValueError("no")), builder.part("else").give(1)
    (x,) = builder.structured("if", (True,), [("x", INT)], *arms)
    builder.give(builder.op("add", x, 1))
    assert str(prune_branches(named(builder.graph))) == "graph f() -> never\n  raise <ValueError>"


def read_twice(between) -> list[str]:
    """The ops left of two reads of one element with something in between."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    first = builder.op("get_item", a, 0)
    between(builder, a)
    second = builder.op("get_item", a, 0)
    return ops(merge_common(builder.give(builder.op("add", first, second)).graph))[:-1]


def test_reads_are_merged_when_nothing_is_written() -> None:
    """Output does not change memory."""
    assert read_twice(lambda builder, a: builder.do(SHOUT, 1)) == ["get_item", "shout"]


def test_reads_are_not_merged_over_a_write() -> None:
    """Also one inside a part, and by code outside."""
    assert read_twice(lambda builder, a: builder.do("set_item", a, 0, 1)) == [
        "get_item",
        "set_item",
        "get_item",
    ]
    assert read_twice(lambda builder, a: builder.do(MEDDLE, 1)) == ["get_item", "meddle", "get_item"]

    def write_in_arm(builder: Builder, a) -> None:
        arm = builder.part("then")
        arm.do("set_item", a, 0, 1)
        builder.structured("if", (builder.op("less", 1, 2),), [], arm.give(), builder.part("else").give())

    assert read_twice(write_in_arm).count("get_item") == 2


def test_new_arrays_are_not_merged() -> None:
    """Each may be changed on its own."""
    builder = Builder("f", ("a", VECTOR))
    (a,) = builder.inputs
    both = builder.op("add", a, 1, type=VECTOR), builder.op("add", a, 1, type=VECTOR)
    assert ops(merge_common(builder.give(both).graph)) == ["add", "add"]


def test_a_carry_that_only_feeds_itself_goes() -> None:
    """And the nodes that compute it."""
    graph = collatz()
    loop = graph.find("while")[0]
    graph.results = (loop.outputs[0],)
    swept = remove_dead(graph)
    assert str(swept).splitlines()[1].startswith("  n_1: int = while carry (n_2: int = n)")
    assert len(swept.find("add")) == 1


def test_the_place_of_the_stop_moves_with_the_carry() -> None:
    """When a carry before it goes."""
    graph = drain()
    graph.results = (graph.inputs[0],)
    (loop,) = remove_dead(graph).find("for")
    assert (loop.stop, [value.name for value in loop.outputs]) == (0, ["stop"])


def test_dead_code_that_may_raise_stays() -> None:
    """The error is part of the run."""
    builder = Builder("f", ("n", INT))
    builder.op("remainder", 1, builder.inputs[0])
    builder.op("add", 1, builder.inputs[0])
    builder.op(table.get("make_list"), builder.inputs[0])
    assert ops(remove_dead(builder.give(0).graph)) == ["remainder"]


def test_an_if_without_effects_and_use_goes() -> None:
    """With all that it computed; one whose arm raises stays."""
    builder = Builder("f", ("flag", BOOL), ("n", INT))
    flag, n = builder.inputs
    then = builder.part("then")
    then.give(then.op("add", n, 1))
    builder.structured("if", (flag,), [("x", INT)], then, builder.part("else").give(0))
    builder.structured(
        "if", (flag,), [], builder.part("then").fail(ValueError()), builder.part("else").give()
    )
    assert ops(remove_dead(builder.give(n).graph)) == ["if", "raise"]
