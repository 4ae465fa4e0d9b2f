"""Transpiled code on plain values is the plain function: random programs."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import load, observe, write

from autograph.convert import convert


def compare(random: Random) -> None:
    """Run one program plain and converted."""
    text = write(random)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            make = load(text)
    except SyntaxError:
        return  # the writer does not know every rule
    for p, q in ((0, 1), (3, 2)):
        plain = observe(make, lambda f: f, p, q)
        assert observe(make, convert, p, q) == plain, text


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_a_random_program_converted_shows_the_same(random: Any) -> None:
    """Result, exception with its message, order of effects, and what closures see later are the same."""
    compare(random)


SEEDS = (9, 17, 50, 301, 306, 591, 1109, 1165, 1362, 1369, 1893, 2640, 3316, 5364, 7260, 7683)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_that_once_differed(seed: int) -> None:
    """Programs that found a defect stay."""
    compare(Random(seed))
