"""Every sample function of ``programs/`` does in every mode what it does in plain Python."""
from __future__ import annotations

import pytest
from equivalence import check, parametrize
from programs import arrays, calls, effects, jumps

CASES = [case for module in (jumps, arrays, effects, calls) for case in module.CASES]


@parametrize(CASES)
def test_sample_functions_convert_to_themselves(f, args):
    """Transpiled code on plain values."""
    check(f, *args, modes=["converted"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@parametrize(CASES)
def test_sample_functions_stage_to_themselves(f, args):
    """The NumPy program."""
    check(f, *args, modes=["staged"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@parametrize(CASES)
def test_sample_functions_run_alike_in_any_valid_order(f, args):
    """The graph on the interpreter, three random orders."""
    check(f, *args, modes=["interpreted"], orders=3)
