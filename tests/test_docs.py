"""The documentation says what the code does now."""
from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import FunctionType

import pytest

import autograph as ag
from autograph import errors

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_generated_pages_are_up_to_date():
    """``make docs`` has been run since an error's docstring, or what the README shows, has changed."""
    subprocess.run([sys.executable, ROOT / "docs" / "build.py", "--check"], check=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Every relative link of a page is to a file that exists."""
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize(
    "error",
    [
        errors.UnsupportedSyntaxError,
        errors.ValueNeededError,
        errors.CapturedSymbolError,
        errors.VariableCreationError,
    ],
)
def test_the_example_of_an_error_raises_it(error, tmp_path):
    """At the first call or, of a Variable, at the second."""
    block = re.search(r"::\n\n((?:        .*\n|\n)+)", error.__doc__)
    text = textwrap.dedent(block[1])
    file = tmp_path / "example.py"
    file.write_text(text)
    names = {"ag": ag}
    exec(compile(text, str(file), "exec"), names)
    with pytest.raises(error) as raised:
        staged = ag.function(names["f"]) if isinstance(names["f"], FunctionType) else names["f"]
        for x in (3, 4.0):
            staged(x)
    assert raised.value.id == error.id
