"""The transpiled text of whole functions, as it was looked at and found good.

``GOLDEN=write pytest tests/transpiled`` writes the files anew; read the difference before you keep it.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph as ag

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MODULES = ("samples", "programs.arrays", "programs.calls", "programs.effects", "programs.jumps", "collatz", "newton", "kalman", "kmeans", "bisection", "power")  # fmt: skip
for place in (ROOT / "examples", ROOT / "tests" / "language", ROOT / "tests"):
    sys.path.append(str(place))


def functions() -> list[Any]:
    """The functions of the sample modules, their own only."""
    found = []
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for one in vars(module).values():
            one = getattr(one, "python_function", one)
            if (
                inspect.isfunction(one)
                and one.__module__ == module.__name__
                and not inspect.isgeneratorfunction(one)
            ):
                found.append(pytest.param(one, id=f"{name.rpartition('.')[2]}.{one.__name__}"))
    return found


@pytest.mark.parametrize("f", functions())
def test_the_text_is_the_one_on_file(f: Any, request: pytest.FixtureRequest) -> None:
    """Every change of the text is seen."""
    file = HERE / "golden" / (request.node.callspec.id + ".txt")
    text = ag.to_code(f).rstrip() + "\n"
    compile(text, str(file), "exec")
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()
