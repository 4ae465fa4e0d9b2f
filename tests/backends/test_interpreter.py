"""The interpreter: Python's meaning of every structured op."""

from __future__ import annotations

import random

import pytest
from building import BOOL, INT, UNKNOWN, Builder, collatz, named

from autograph.runtime.backends.interpreter import run


def test_while_and_if() -> None:
    """In the program's order and in random ones."""
    assert run(collatz(), [27]) == 111
    assert [run(collatz(), [27], order=random.Random(seed)) for seed in range(3)] == [111] * 3


def test_the_wrong_number_of_arguments_is_refused() -> None:
    """With both numbers."""
    with pytest.raises(TypeError, match="graph collatz takes 1 arguments, not 2"):
        run(collatz(), [1, 2])


def test_a_loop_stops_after_the_body_that_says_so() -> None:
    """``for`` takes no further item."""
    builder = Builder("f", ("items", UNKNOWN))
    body = builder.part("body", ("i", INT), ("stop", BOOL), ("last", INT))
    body.give(body.op("equal", body.inputs[0], 2), body.inputs[0])
    builder.give(
        builder.structured(
            "for", (builder.inputs[0], False, -1), [("stop", BOOL), ("last", INT)], body, stop=0
        )
    )
    items = iter([1, 2, 3, 4])
    assert run(named(builder.graph), [items]) == (True, 2)
    assert next(items) == 3


@pytest.mark.parametrize(("items", "message"), [
    ((1,), "not enough values to unpack (expected 2, got 1)"),
    ((1, 2, 3), "too many values to unpack (expected 2"),
])  # fmt: skip
def test_unpacking_raises_pythons_error(items: tuple[int, ...], message: str) -> None:
    """When the count differs."""
    builder = Builder("f", ("items", UNKNOWN))
    builder.give(builder.structured("unpack", builder.inputs, [("a", INT), ("b", INT)])[0])
    builder.graph.nodes[0].args = tuple(builder.inputs)
    with pytest.raises(ValueError) as caught:
        run(builder.graph, [items])
    assert str(caught.value).startswith(message)


def test_raise_keeps_its_cause() -> None:
    """``raise ... from``, and ``from None``."""
    error, cause = ValueError("no"), KeyError("why")
    builder = Builder("f").fail(error)
    builder.graph.nodes[0].args = (error, cause)
    with pytest.raises(ValueError) as caught:
        run(builder.graph, [])
    assert caught.value is error and error.__cause__ is cause
