"""Every function of ``examples/`` does in every mode what it does in plain Python, on its real input."""
from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from equivalence import check, parametrize

FOLDER = Path(__file__).resolve().parent.parent / "examples"
sys.path.insert(0, str(FOLDER))
CASES = [
    (f, *args)
    for name in ("collatz", "newton", "kmeans", "kalman", "bisection", "power")
    for f, args in importlib.import_module(name).examples()
]


@pytest.mark.parametrize("mode", ["converted", "staged", "interpreted"])
@parametrize(CASES)
def test_examples_are_the_plain_functions(f, args, mode):
    """One call of each, in one mode."""
    check(f, *args, modes=[mode], orders=1)
