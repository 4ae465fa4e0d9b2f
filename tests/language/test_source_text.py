"""The text that is converted is the one that the running code came from."""

from __future__ import annotations

import importlib
import py_compile
import subprocess
import sys

import pytest

import autograph as ag

BEFORE = "def f(x):\n    return x + 1\n"
AFTER = "def f(x):\n    return x + 200\n"
MOVED = "\n\n" + AFTER


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes and imports the module, anew if it was imported already."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "edited_module.py"

    def write(text, reload=True):
        path.write_text(text)
        importlib.invalidate_caches()
        module = sys.modules.get("edited_module")
        if module is None:
            return importlib.import_module("edited_module")
        return importlib.reload(module) if reload else module

    yield write
    sys.modules.pop("edited_module", None)


@pytest.mark.parametrize("after", [AFTER, MOVED])
def test_a_module_that_is_edited_and_imported_again_has_its_new_text(write, after):
    """Also where the lines of the function are the same ones."""
    assert ag.function(write(BEFORE).f)(1) == 2
    assert ag.function(write(after).f)(1) == 201
    assert ag.function(write(BEFORE).f)(1) == 2


@pytest.mark.parametrize("after", [AFTER, MOVED, "", "def f(x):\n    return (\n"])
def test_a_text_that_was_edited_after_the_import_is_refused(write, after):
    """Python runs the old code, so the new text must not be converted."""
    write(BEFORE)
    module = write(after, reload=False)
    with pytest.raises(ag.StagingError, match="AG101"):
        ag.function(module.f)(1)
    assert module.f(1) == 2


def test_annotations_are_evaluated_when_python_does(write):
    """``from __future__ import annotations`` holds for functions and classes inside functions too."""
    module = write(
        "from __future__ import annotations\n"
        "def f(x):\n"
        "    def g(v: Missing) -> Missing: return v\n"
        "    class C:\n"
        "        a: Missing = 1\n"
        "    y: Missing = 2\n"
        "    return g(x) + C.a + y, g.__annotations__, C.__annotations__\n"
    )
    ag.testing.check(module.f, 1)


STARTED = """\
import autograph as ag

@ag.function
def f(x):
    return x + 1 if x > 0 else x

print(f(1), f.trace_count)
"""


def _run_python(*args, **options) -> str:
    done = subprocess.run(
        [sys.executable, *args], text=True, capture_output=True, check=False, timeout=60, **options
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("flag", ["-c", "-Bc"])
def test_the_text_after_c_is_found(flag):
    """``python -c text``, also behind other flags."""
    assert _run_python(flag, STARTED) == "2 1\n"


def test_a_file_that_is_the_standard_input_is_read(tmp_path):
    """``python < file``; what comes through a pipe is gone, and the reason says so."""
    path = tmp_path / "program"
    path.write_text(STARTED)
    with path.open() as file:
        assert _run_python(stdin=file) == "2 1\n"
    assert "from its standard input, which keeps no text" in _run_python(input=STARTED)


def test_a_module_without_its_text_names_the_file(tmp_path):
    """Only the compiled file is there."""
    path = tmp_path / "compiled_only.py"
    path.write_text(STARTED)
    py_compile.compile(str(path), cfile=str(tmp_path / "compiled_only.pyc"))
    path.unlink()
    said = _run_python("-c", "import compiled_only", cwd=tmp_path)
    assert "only the compiled file of its module is there" in said
    assert "fix: put compiled_only.py beside it" in said
