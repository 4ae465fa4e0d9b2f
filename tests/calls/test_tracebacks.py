"""Tracebacks show the user's frames alone."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

import autograph as ag
from autograph.errors import StagingError


def frames(error):
    return [(entry.filename, entry.name) for entry in traceback.extract_tb(error.__traceback__)]


def third(a):
    b = a + 1
    return b[3]


def reshaped(a):
    a.shape = (2, 2)
    return a


def test_an_exception_of_the_program_has_no_frame_of_ours():
    """On the first call, which traces, and on the next; the last frame is at the line that raised."""
    staged = ag.function(third)
    for _ in range(2):
        with pytest.raises(IndexError) as caught:
            staged(np.zeros(2))
        assert {filename for filename, _ in frames(caught.value)} == {__file__}
        last = traceback.extract_tb(caught.value.__traceback__)[-1]
        assert (last.lineno, last.name) == (third.__code__.co_firstlineno + 2, "third")


def test_a_refusal_has_no_frame_of_ours(monkeypatch):
    """The message names the line; a switch of the environment brings our frames back."""
    staged = ag.function(reshaped)
    with pytest.raises(StagingError) as caught:
        staged(np.zeros(4))
    assert {filename for filename, _ in frames(caught.value)} == {__file__}
    assert "a.shape = (2, 2)" in str(caught.value)
    monkeypatch.setenv("AUTOGRAPH_INTERNAL_FRAMES", "1")
    with pytest.raises(StagingError) as caught:
        staged(np.zeros(4))
    assert any("runtime" in filename for filename, _ in frames(caught.value))


def test_arguments_that_do_not_bind_are_pythons_own_error():
    """Python binds them, at a frame that bears the user's names."""
    with pytest.raises(TypeError, match=r"third\(\) missing 1 required positional argument: 'a'") as caught:
        ag.function(third)()
    assert {filename for filename, _ in frames(caught.value)} == {__file__}
