"""The own tests of networkx pass with the functions of its algorithms converted and called on plain values.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("networkx")

TESTS = Path(__file__).parents[1]
SMOKE = ("networkx.algorithms.shortest_paths.tests.test_weighted", "networkx.algorithms.tests.test_matching")
LONG = ("networkx.algorithms",)


def run_own_tests(*packages: str) -> str:
    """Run the tests of these packages in a process where the functions are converted."""
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "third_party.converting"]
    command += ["--pyargs", *packages]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


def test_some_of_its_tests_pass_converted() -> None:
    """Shortest paths and matchings: loops, heaps, closures, classes inside functions."""
    assert "0 refused" in run_own_tests(*SMOKE)


@pytest.mark.long
def test_all_tests_of_its_algorithms_pass_converted() -> None:
    """Every algorithm that its own tests reach."""
    run_own_tests(*LONG)
