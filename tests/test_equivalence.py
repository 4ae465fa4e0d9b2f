"""Every sample function of ``programs/`` does in every mode what it does in plain Python."""
from __future__ import annotations

import pytest
from equivalence import check, parametrize
from programs import arrays, calls, effects, jumps

from autograph import StagingError

NOT_YET = {
    "unpack": "** of a dict that the graph holds",
}
CASES = [case for module in (jumps, arrays, effects, calls) for case in module.CASES]


@pytest.fixture(autouse=True)
def expect_refusals(request, f):
    """What cannot be staged yet has to be refused, and is told here as soon as it can be."""
    if f.__name__ in NOT_YET and "convert_to" not in request.node.name:
        request.applymarker(pytest.mark.xfail(reason=NOT_YET[f.__name__], raises=StagingError, strict=True))


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
