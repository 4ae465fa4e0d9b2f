"""What each command prints and writes."""
from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedSyntaxError

Command = Callable[..., tuple[int, str, str]]


def test_show_prints_one_function(command: Command) -> None:
    """The transpiled source, comments and docstring kept, and nothing else."""
    status, out, err = command("show", "tank.py:drain")
    assert (status, err) == (0, "")
    assert out.lstrip().startswith("def drain(tank, rate=0.5):")
    assert "ag.while_stmt(" in out and "# in place" in out and '"""Take from every tank."""' in out
    assert "\x1b" not in out


def test_show_prints_every_function_of_a_file_with_its_place(command: Command) -> None:
    """In the order of the file, methods included."""
    status, out, _ = command("show", "tank.py")
    heads = [line for line in out.splitlines() if line.startswith("# tank.py:")]
    assert status == 0
    assert heads == [
        "# tank.py:9  drain",
        "# tank.py:19  boom",
        "# tank.py:27  Tank.__init__",
        "# tank.py:30  Tank.fill",
    ]
    compile(out, "shown.py", "exec")


def test_show_takes_modules_classes_and_several_targets(command: Command) -> None:
    """tank:Tank is every method of the class, as a module that can be imported."""
    status, out, _ = command("show", "tank:Tank", "tank.py:boom")
    assert status == 0
    assert [line.split()[-1] for line in out.splitlines() if line.startswith("# tank")] == [
        "Tank.__init__",
        "Tank.fill",
        "boom",
    ]


def test_show_writes_to_a_file(command: Command, folder: Path) -> None:
    """-o, and the standard output stays empty."""
    shown = command("show", "tank.py:boom").out
    assert command("show", "tank.py:boom", "-o", "shown.txt") == (0, "", "")
    assert (folder / "shown.txt").read_text() == shown


def test_show_goes_on_after_a_function_that_cannot_be_converted(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line on standard error, status 1, and the other functions are there."""
    to_code = ag.to_code

    def refuse_boom(f: Callable[..., object]) -> str:
        if f.__name__ != "boom":
            return to_code(f)
        place = f.__code__.co_filename
        raise UnsupportedSyntaxError("no booms", why="too\nloud", fix="whisper", filename=place, lineno=21)

    monkeypatch.setattr(ag, "to_code", refuse_boom)
    status, out, err = command("show", "tank.py")
    assert status == 1
    assert "def drain(" in out and "def fill(" in out and "def boom(" not in out
    assert err == "autograph: tank.py:21: [AG102] no booms; too loud; whisper\n"


def test_graph_prints_the_graph_for_the_arguments(command: Command) -> None:
    """With and without keywords; several --args give several graphs."""
    status, out, err = command("graph", "tank.py:drain", "--args", "np.ones(3), rate=0.25")
    assert (status, err) == (0, "")
    assert out.startswith("graph drain(tank: float64[3], rate: float) -> int")
    assert "while" in out
    assert command("graph", "tank.py:boom", "--args", "1", "--args", "-1.5").out.count("graph boom(") == 2


def test_graph_can_print_the_numpy_program(command: Command) -> None:
    """--program."""
    status, out, _ = command("graph", "tank.py:drain", "--args", "np.ones(3)", "--program")
    assert status == 0
    assert "def drain(" in out
    compile(out, "program.py", "exec")


def test_run_compares_and_times(command: Command) -> None:
    """Result, equality, both times and the number of traces."""
    status, out, err = command("run", "tank.py:drain", "--args", "np.ones(3)")
    assert (status, err) == (0, "")
    labels = [line.split()[0] for line in out.splitlines()[1:]]
    assert out.startswith("drain(np.ones(3))  # tank.py:9\n")
    assert labels == ["result", "equal", "plain", "staged", "traces"]
    assert "result    2\n" in out and "traces    1\n" in out


def test_run_reports_the_users_exception_and_compares_it(command: Command) -> None:
    """Status 4: the function raised, plain and staged alike."""
    status, out, err = command("run", "tank.py:boom", "--args", "0")
    assert (status, err) == (4, "")
    assert "raised    ZeroDivisionError: " in out and "at tank.py:21\n" in out
    assert "printed   before\n" in out
    assert "equal     the staged run leaves the same exception, output and arguments\n" in out


def test_run_says_what_differs(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 3, and the words of ag.testing."""

    def check(*args: object, **kwargs: object) -> None:
        raise ag.testing.Difference("boom: the staged run differs\n  plain gave 1, staged gave 2")

    monkeypatch.setattr(ag.testing, "check", check)
    status, out, _ = command("run", "tank.py:boom", "--args", "1")
    assert status == 3
    assert "  DIFFERENT boom: the staged run differs\n              plain gave 1, staged gave 2\n" in out


def test_arguments_may_use_the_names_of_the_module(command: Command) -> None:
    """So that methods and the user's own classes can be called."""
    status, out, _ = command("run", "tank.py:Tank.fill", "--args", "Tank(3), -1")
    assert status == 0
    assert "result    3\n" in out


def test_explain_says_why_it_was_traced(command: Command) -> None:
    """Each --args is one call."""
    if not hasattr(ag.function, "explain") and not hasattr(ag.Function, "explain"):
        pytest.skip("Function.explain is not there yet")
    status, out, _ = command("explain", "tank.py:drain", "--args", "np.ones(3)", "--args", "np.ones(4)")
    assert status == 0
    assert "trace" in out


def test_convert_writes_a_module_that_can_be_imported(command: Command, folder: Path) -> None:
    """Constants, classes, names and signatures are the same; the functions are transpiled."""
    assert command("convert", "tank.py", "-o", "converted.py") == (0, "", "")
    text = (folder / "converted.py").read_text()
    assert text.startswith('"""Water."""\n') and "# tanks" in text and "ag.while_stmt(" in text
    sys.path.insert(0, str(folder))
    module = importlib.import_module("converted")
    tank = np.array([1.0, 2.0])
    assert module.drain(tank, rate=1.0) == 2
    assert tank.tolist() == [-1.0, 0.0]
    assert module.LIMIT == 3 and module.Tank(3).fill(2) == 5


def test_convert_keeps_the_encoding_of_the_module(command: Command, folder: Path) -> None:
    """A latin-1 module stays one, as its first line still says so."""
    source = '# -*- coding: latin-1 -*-\n"""é"""\n\n\ndef f(x):\n    return x\n'
    (folder / "old.py").write_bytes(source.encode("latin-1"))
    assert command("convert", "old.py", "-o", "new.py").status == 0
    assert '"""é"""' in (folder / "new.py").read_bytes().decode("latin-1")


def test_a_file_is_replaced_whole_and_keeps_its_permissions(command: Command, folder: Path) -> None:
    """No temporary file stays behind."""
    (folder / "out.py").write_text("old")
    (folder / "out.py").chmod(0o640)
    assert command("convert", "tank.py", "-o", "out.py").status == 0
    assert (folder / "out.py").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in folder.iterdir()) == ["out.py", "tank.py"]


def test_a_device_is_written_into_and_a_link_is_followed(command: Command, folder: Path) -> None:
    """Neither is replaced by a file."""
    assert command("show", "tank.py:boom", "-o", os.devnull).status == 0
    assert not Path(os.devnull).is_file()
    (folder / "link.txt").symlink_to(folder / "real.txt")
    assert command("show", "tank.py:boom", "-o", "link.txt").status == 0
    assert (folder / "link.txt").is_symlink() and (folder / "real.txt").is_file()


def test_help_has_examples_and_exit_statuses(command: Command) -> None:
    """For the program and for each command."""
    for words in (["--help"], ["show", "--help"], ["run", "--help"], ["convert", "--help"]):
        status, out, _ = command(*words)
        assert status == 0
        assert "examples:\n  autograph " in out and "exit status:\n  0 " in out
    assert command().status == 2
    assert command("--version").out.startswith("autograph ")


def test_colour_only_on_a_terminal(folder: Path) -> None:
    """A pseudo-terminal gets colour, NO_COLOR turns it off."""
    pytest.importorskip("rich")
    pty = pytest.importorskip("pty")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    for extra, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        master, slave = pty.openpty()
        words = [sys.executable, "-m", "autograph", "show", "tank.py:boom"]
        process = subprocess.run(words, stdout=slave, cwd=folder, env={**environment, **extra}, timeout=60)
        os.close(slave)
        out = os.read(master, 65536)
        os.close(master)
        assert process.returncode == 0
        assert (b"\x1b[" in out) is coloured
