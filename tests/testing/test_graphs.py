"""``assert_graph`` and ``expect_traces``: what a failing assertion tells."""
from __future__ import annotations

import numpy as np
import pytest

from autograph.runtime.function import function
from autograph.runtime.testing import assert_graph, expect_traces


def halve(n):
    while n % 2 == 0:
        n = n // 2
    return n


def test_ops_and_pieces_of_text_are_found_or_not():
    """An identifier is the name of an op at any depth; anything else is a piece of the text."""
    assert_graph(halve, (24,), contains=["while", "graph halve(n: int"], absent=["for", "no such text"])


def test_a_missing_op_shows_the_whole_graph():
    """The message can be read without running anything again."""
    with pytest.raises(AssertionError, match=r"the graph has no 'for':\ngraph halve\(n: int\)"):
        assert_graph(halve, (24,), contains=["for"])
    with pytest.raises(AssertionError, match=r"the graph has 'while':\ngraph halve"):
        assert_graph(halve, (24,), absent=["while"])


def test_the_whole_text_is_compared_without_source_comments():
    """Line numbers of the user's file do not make a test brittle."""
    text = str(function(halve).get_concrete_function(24).graph)
    stripped = "\n".join("    " + line.split("  # ")[0].rstrip() for line in text.splitlines())
    assert_graph(halve, (24,), text=f"\n{stripped}\n")
    with pytest.raises(AssertionError, match=r"(?s)the graph's text differs:.*\n-.*nonsense"):
        assert_graph(halve, (24,), text=stripped + "\nnonsense")


def test_traces_are_counted():
    """One trace for two calls alike; the message says how many there were."""
    staged = function(lambda x: x + x)
    with expect_traces(staged, 1):
        staged(np.ones(2))
        staged(np.ones(2))
    with pytest.raises(AssertionError, match="traced 0 times, not 1"), expect_traces(staged, 1):
        staged(np.ones(2))
