"""The own tests of networkx pass with the functions of its algorithms converted and called on plain values.

All of them are about 4,000, which take plain Python three minutes and converted code a quarter of an hour;
they run in parts that go to more than one process, each of which converts the package first (15 s).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

algorithms = pytest.importorskip("networkx.algorithms")

TESTS = Path(__file__).parents[1]
SMOKE = ("networkx.algorithms.shortest_paths.tests.test_weighted", "networkx.algorithms.tests.test_matching")
LONG = {
    "ways and orders": ("shortest_paths", "traversal", "tree", "coloring", "operators", "link_analysis"),
    "parts and kinds": ("bipartite", "assortativity", "components", "minors", "centrality", "community"),
    "isomorphism": ("isomorphism",),
    "flow": ("flow",),
    "connectivity": ("connectivity",),
    "approximation": ("approximation",),
    "the others": ("tests",),
}


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
@pytest.mark.parametrize("part", LONG)
def test_all_tests_of_its_algorithms_pass_converted(part) -> None:
    """Every algorithm that its own tests reach."""
    assert "0 refused" in run_own_tests(*(f"networkx.algorithms.{each}" for each in LONG[part]))


def test_every_folder_with_tests_is_in_a_part() -> None:
    """A new version of networkx may bring more."""
    root = Path(algorithms.__path__[0])
    folders = {each.parent.name for each in root.glob("*/tests") if any(each.glob("test_*.py"))}
    assert folders | {"tests"} == {each for part in LONG.values() for each in part}
