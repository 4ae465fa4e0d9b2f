"""Values of a graph are called what the user called them."""

from __future__ import annotations

import numpy as np

import autograph as ag


def names(f, *args):
    graph = ag.function(f).get_concrete_function(*args).graph
    return [value.name for node in graph.walk() for value in node.outputs]


def test_the_last_value_of_an_assignment_has_its_name():
    """What comes before it on the line is named by op."""

    def f(x, y):
        total = x * y + 1
        return total

    assert names(f, 1, 2) == ["multiply", "total"]


def test_annotated_and_augmented_assignments_name_too():
    """``x: float = ...`` and ``x += ...``."""

    def f(x):
        half: float = x / 2
        half += 1
        return half

    assert names(f, 1.0) == ["half", "half_1"]


def test_comparisons_and_keywords_do_not_name():
    """A line with ``==`` or a keyword argument assigns nothing."""

    def f(x):
        return x.sum(axis=0) == 3

    assert names(f, np.ones((2, 2))) == ["sum_", "equal"]


def test_lists_and_loop_variables_have_their_names():
    """In the graph and in the NumPy program."""

    def f(n):
        squares = []
        for i in range(n):
            squares.append(i * i)
        return squares

    code = ag.function(f).get_concrete_function(3).code
    assert code.splitlines()[1:4] == [
        "    squares = []",
        "    for i in range(n):",
        "        squares.append(i * i)",
    ]
