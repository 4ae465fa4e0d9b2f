"""The page about backends is true: its program runs."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "backends.md"


def test_the_program_of_the_page_runs(tmp_path):
    """The example is a whole program, run from a file of its own."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "page.py"
    file.write_text(program, encoding="utf-8")
    subprocess.run([sys.executable, str(file)], check=True, capture_output=True)
