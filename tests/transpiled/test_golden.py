"""The transpiled text of whole functions, as it was looked at and found good.

``GOLDEN=write pytest tests/transpiled`` writes the files anew; read the difference before you keep it.
"""

from __future__ import annotations

import importlib
import inspect
import linecache
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph as ag

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MODULES = (
    *("samples", "programs.arrays", "programs.calls", "programs.effects", "programs.jumps"),
    *("collatz", "newton", "kalman", "kmeans", "bisection", "power"),
)
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


def test_no_comment_is_lost() -> None:
    """Comments at headers, at the ends of blocks and at the end of the function find a place."""

    def f(x):  # header
        # before
        try:  # try it
            # inside
            y = 1 / x  # risky
            # end of body
        # about the handler
        except ZeroDivisionError:  # caught
            y = 0
            # end of handler
        # about else
        else:  # else here
            y += 1
        # about finally
        finally:  # finally here
            y *= 2  # doubled
        # before while
        while y < 3:  # loop
            y += 1  # one
            # end of loop
        return y  # out
        # last words

    text = ag.to_code(f)
    lost = [part for part in re.findall("#.*", inspect.getsource(f)) if part not in text]
    assert lost == []


def test_no_comment_at_a_jump_or_a_link_is_lost() -> None:
    """Comments around ``continue``, ``break``, ``return``, ``pass`` and ``elif`` stay at their place."""

    def f(x, values):
        # one
        if x == 1:  # two
            # three
            return 1  # four
            # five
        # six
        elif x == 2:  # seven
            pass  # eight
        # nine
        else:  # ten
            x += 1
        # eleven
        for v in values:
            # twelve
            if v < 0:  # thirteen
                # fourteen
                continue  # fifteen
            # sixteen
            w = v
            # seventeen
            if w > 3:  # eighteen
                break  # nineteen
            # twenty
            if w == 1:
                continue
            # twentyone
            if w == 2:
                return [i for i in range(w)]  # twentytwo
        # twentythree
        while True:  # twentyfour
            if x > 9:
                # twentyfive
                return x  # twentysix
            x += 1

    text = ag.to_code(f)
    lost = [part for part in re.findall("# .*", inspect.getsource(f)) if not re.search(rf"{part}\b", text)]
    assert lost == []
    assert re.search(r"# twentyone\n +# if w == 2:\n", text)
    assert re.search(r"# sixteen\n +w = v\n", text)


@pytest.mark.parametrize(
    "guard",
    [
        "x += {0}\n if x == {0}: return {0}",
        "if x == {0}: return {0}",
        "if x >= {0}: x -= 1\n else: return x",
    ],
)
def test_guards_in_a_row_do_not_indent(guard: str) -> None:
    """Twenty early returns with or without work between them: the parts stand beside each other, no flags."""
    source = "def f(x):\n" + "".join(f" {guard.format(n)}\n" for n in range(20)) + " return -x\n"
    filename = f"<guards {guard}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    space: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), space)
    text = ag.to_code(space["f"])
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) <= 16
    assert "returned" not in text
    for x in (0, 1, 3, 10, 19, 190, 5.5):
        ag.testing.check(space["f"], x, orders=1)


ARMS = ("if x == {0}: return {0}", "elif x == {0}: y = {0}", "elif x == {0}: return {0}")


@pytest.mark.parametrize("arm", ARMS)
def test_long_chains_do_not_nest(arm: str) -> None:
    """Hundreds of early returns or ``elif`` arms give text that Python reads, and that does the same."""
    source = "def f(x):\n y = -1\n if x == -1: return 5\n"
    source += "".join(f" {arm.format(n)}\n" for n in range(250)) + " return y\n"
    filename = f"<chain {arm}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    space: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), space)
    pasted: dict[str, Any] = {"ag": ag}
    exec(ag.to_code(space["f"]), pasted)
    for x in (-1, 0, 14, 15, 16, 100, 249, 250):
        assert pasted["f"](x) == ag.convert(space["f"])(x) == space["f"](x)


def test_our_decorator_does_not_take_the_name() -> None:
    """``ag`` in the user's module is ``ag`` in the text, when it is the same module."""

    @ag.do_not_convert
    def f(x):
        return x and ag.__version__

    assert "ag.and_(x, lambda: ag.__version__)" in ag.to_code(f)
    assert ag.convert(lambda x: x and ag.__version__)(1) == ag.__version__
