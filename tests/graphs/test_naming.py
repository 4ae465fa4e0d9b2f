"""Names of values: the user's, unique, never hiding anything."""

from __future__ import annotations

from building import Builder, collatz, named

from autograph.runtime.types import INT


def names(builder: Builder) -> list[str]:
    return [value.name for node in builder.graph.nodes for value in node.outputs]


def test_the_first_keeps_its_name_and_the_next_are_numbered() -> None:
    """Also where the user has such a name already."""
    builder = Builder("f", ("x", INT), ("x_1", INT))
    for _ in range(3):
        builder.op("add", builder.inputs[0], 1, name="x")
    named(builder.graph)
    assert [value.name for value in builder.inputs] == ["x", "x_1"]
    assert names(builder) == ["x_2", "x_3", "x_4"]


def test_keywords_builtins_and_numpy_are_not_hidden() -> None:
    """They get an underscore."""
    builder = Builder("f", ("lambda", INT), ("max", INT), ("np", INT), ("a.b", INT), ("", INT))
    named(builder.graph)
    assert [value.name for value in builder.inputs] == ["lambda_", "max_", "np_", "a_b", "value"]


def test_naming_again_changes_nothing() -> None:
    """So who prints a graph may name it."""
    graph = collatz()
    before = str(graph)
    assert str(named(graph)) == before


def test_what_becomes_a_variable_is_called_like_it() -> None:
    """``add(steps, 1)`` that is the next ``steps`` is no ``add``."""
    graph = collatz()
    body = graph.find("while")[0].parts[1]
    assert [value.name for value in body.nodes[-1].outputs] == ["steps_2"]


def test_the_carry_has_one_name_in_test_and_body() -> None:
    """It is one variable."""
    test, body = collatz().find("while")[0].parts
    assert (
        [value.name for value in test.inputs] == [value.name for value in body.inputs] == ["n_2", "steps_1"]
    )
