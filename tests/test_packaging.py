"""What is installed: every package of both rooms, as ``autograph`` and ``autograph.runtime``."""
from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import autograph.runtime

ROOT = Path(__file__).resolve().parent.parent


def test_the_list_of_packages_in_pyproject_is_complete():
    """A package that is not listed would be missing from a wheel, and no test in a checkout would tell."""
    tomllib = pytest.importorskip("tomllib")  # Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {
        ".".join((*prefix, *path.parent.relative_to(ROOT / folder).parts))
        for folder, prefix in (("autograph", ("autograph",)), ("runtime", ("autograph", "runtime")))
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert listed == found


def test_the_runtime_is_not_a_top_level_module():
    """Nothing as generic as ``runtime`` lands in a user's site-packages."""
    assert autograph.runtime.__name__ == "autograph.runtime"
    spec = subprocess.run(
        [sys.executable, "-c", "import importlib.util; print(importlib.util.find_spec('runtime'))"],
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert spec.stdout.strip() == "None"


def test_versions_agree():
    """``autograph.__version__`` is the distribution's."""
    assert autograph.__version__ == importlib.metadata.version("numpy-autograph")


def test_the_transpiler_works_without_the_runtime():
    """``autograph/`` never imports ``autograph.runtime``, its face aside: other array libraries plug in."""
    importing = [
        f"{path.name}: {line.strip()}"
        for path in sorted((ROOT / "autograph").rglob("*.py"))
        if path != ROOT / "autograph" / "__init__.py" and path.name not in ("cli.py", "__main__.py")
        for line in path.read_text().splitlines()
        if line.strip().startswith(("import autograph.runtime", "from autograph.runtime"))
    ]
    assert importing == []
