"""What type checkers see of a staged function: its own parameters and result."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import autograph as ag

@ag.function
def area(width: float, height: int = 2) -> float:
    return width * height

@ag.function(static_argnames="n", cache_size=3)
def repeat(text: str, n: int) -> str:
    return text * n

class Tank:
    level: float = 0.0

    @ag.function
    def drain(self, rate: float) -> float:
        return self.level - rate

reveal_type(area(1.0))
reveal_type(repeat("a", n=2))
reveal_type(Tank().drain(0.5))
reveal_type(area.trace_count)
reveal_type(area.get_concrete_function(1.0))
area("a")
area(1.0, depth=2)
Tank().drain("a")
"""


def test_mypy_sees_the_plain_signature(tmp_path):
    """Results are revealed, and wrong calls are errors."""
    pytest.importorskip("mypy")
    tree = tmp_path / "tree"
    (tree / "autograph").mkdir(parents=True)
    for each in (ROOT / "autograph").iterdir():
        if each.suffix == ".py" or each.is_dir() and each.name != "__pycache__":
            (tree / "autograph" / each.name).symlink_to(each)
    if not (tree / "autograph" / "runtime").exists():
        (tree / "autograph" / "runtime").symlink_to(ROOT / "runtime")
    (tree / "autograph" / "py.typed").touch()
    file = tree / "user_code.py"
    file.write_text(CODE)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports", "--cache-dir",
         str(tmp_path / "cache"), str(file)],
        cwd=tree, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    revealed = re.findall(r'Revealed type is "([^"]+)"', run.stdout)
    assert [each.removeprefix("builtins.").rpartition(".")[2] for each in revealed] == [
        "float", "str", "float", "int", "ConcreteFunction",
    ], run.stdout + run.stderr  # fmt: skip
    lines = [int(line) for line in re.findall(r"user_code\.py:(\d+): error", run.stdout)]
    first = CODE.split("\n").index('area("a")') + 1
    assert lines == [first, first + 1, first + 2], run.stdout
