"""Bad input: one line that names the place, an exit status, and never a traceback of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autograph import targets

Command = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("show nothing.py", "nothing.py: no such file"),
        ("show .", ".: not a Python file"),
        ("show nothing:f", "nothing: no such module"),
        ("show a/b:f", "a/b: no such file"),
        ("show ..a:f", "..a: not the name of a file (*.py) or a module"),
        ("show tank.py:drian", "tank.py: no drian there; did you mean drain?"),
        ("show tank.py:Tank.fil", "tank.py: Tank: no fil there; did you mean fill?"),
        ("show tank:LIMIT", "tank: LIMIT is not a function but of type int"),
        ("show math:sqrt", "math: sqrt is not written in Python, so there is no source to convert"),
        (
            "run numpy:linalg.norm",
            "numpy: linalg.norm is not written in Python, so there is no source to convert",
        ),
        ("show", "the following arguments are required: TARGET (see autograph show --help)"),
        ("show tank.py --sideways", "unrecognized arguments: --sideways (see autograph --help)"),
        ("graph tank.py:boom", "tank.py:19: --args is needed for boom(x): missing a required argument: 'x'"),
        (
            "run tank.py:boom --args 1,2",
            'tank.py:19: --args "1,2" does not fit boom(x): too many positional arguments',
        ),
        ("run tank.py:boom --args 1,,", '--args "1,,": invalid syntax'),
        ("run tank.py:boom --args 1)or(call(2)", '--args "1)or(call(2)": not the arguments of a call'),
        ("run tank.py:boom --args 1/0", '--args "1/0": ZeroDivisionError: division by zero'),
        ("run tank.py:boom --args water", "--args \"water\": NameError: name 'water' is not defined"),
        ("convert nothing.py", "nothing.py: no such file or directory"),
        ("convert tank.py -o ./tank.py", "tank.py: -o would overwrite the user's own module"),
        ("show tank.py -o tank.py", "tank.py: -o would overwrite the user's own module"),
        ("convert tank.py -o no/tank.py", "no/tank.py: no such file or directory"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(command: Command, words: str, message: str) -> None:
    """The line says where and what."""
    status, out, err = command(*words.split(" "))
    assert (status, out, err) == (2, "", f"autograph: {message}\n")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = (\n", "bad.py:1: SyntaxError: '(' was never closed"),
        ("def f():\n    raise KeyError(3)\nf()\n", "bad.py:2: importing it raises KeyError: 3"),
        ("import json\njson.loads('?')\n", "bad.py:2: importing it raises JSONDecodeError: Expecting value"),
        ("import no_such_module\n", "bad.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)\n", "bad.py:1: importing it exits with 3"),
        ("x = 1\n", "bad.py: no function is defined there"),
    ],
)
def test_a_file_that_cannot_be_imported_is_one_line(
    command: Command, folder: Path, source: str, message: str
) -> None:
    """The line is the user's last one, not one of a library or of ours."""
    (folder / "bad.py").write_text(source)
    status, out, err = command("show", "bad.py")
    assert (status, out) == (2, "")
    assert err.startswith(f"autograph: {message}")
    assert err.count("\n") == 1


def test_several_functions_need_a_name(command: Command) -> None:
    """A graph is of one function; the message lists those there are."""
    status, _, err = command("graph", "tank.py", "--args", "1")
    assert status == 2
    assert err == (
        "autograph: tank.py: it has several functions; name one, as in tank.py:drain"
        " (drain, boom, Tank.__init__, Tank.fill)\n"
    )


def test_a_module_to_convert_with_a_syntax_error_leaves_no_file(command: Command, folder: Path) -> None:
    """Nothing is written, not even for a moment under another name."""
    (folder / "bad.py").write_text("def f():\n    return (\n")
    status, _, err = command("convert", "bad.py", "-o", "out.py")
    assert (status, err) == (2, "autograph: bad.py:2: SyntaxError: '(' was never closed\n")
    assert sorted(path.name for path in folder.iterdir()) == ["bad.py", "tank.py"]


def test_a_fault_of_ours_is_one_line_too(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 70, and a way to see the traceback."""
    monkeypatch.setattr("autograph.cli.targets", lambda text: 1 / 0)
    message = "autograph: internal error: ZeroDivisionError: division by zero\n"
    assert command("show", "tank.py") == (70, "", message)
    monkeypatch.setenv("AUTOGRAPH_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        command("show", "tank.py")


def test_an_interrupt_ends_quietly(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 130, as shells have it."""

    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("autograph.cli.targets", interrupt)
    assert command("show", "tank.py") == (130, "", "autograph: interrupted\n")


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    """autograph show tank.py | head -1."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    writer = subprocess.Popen(
        [sys.executable, "-m", "autograph", "show", "tank.py:drain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    )
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    assert writer.wait() == 0


def test_a_file_in_a_package_is_imported_as_part_of_it(folder: Path) -> None:
    """Relative imports work, and the module has its full name."""
    (folder / "water").mkdir()
    (folder / "water" / "__init__.py").write_text("")
    (folder / "water" / "rates.py").write_text("RATE = 2\n")
    pump = "from .rates import RATE\n\n\ndef pump(x):\n    return x * RATE\n"
    (folder / "water" / "pump.py").write_text(pump)
    (target,) = targets.targets("water/pump.py")
    assert target.module.__name__ == "water.pump"
    assert target.plain(3) == 6


def test_a_file_named_like_a_library_module_does_not_replace_it(folder: Path) -> None:
    """json.py of the user is loaded, and import json still gives the library's."""
    (folder / "json.py").write_text("def f(x):\n    return x\n")
    (target,) = targets.targets("json.py:f")
    assert target.plain(3) == 3
    assert hasattr(sys.modules["json"], "loads")
