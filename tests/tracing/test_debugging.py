"""A debugger may look at the names of a function while it is traced."""

from __future__ import annotations

import io
import pdb
import sys

import numpy as np

import autograph as ag


def doubled(x, items):
    y = x * 2
    items.append(y)
    return y


def test_a_trace_function_sees_what_symbols_stand_for():
    """The text of a symbol tells its name and type."""
    seen = []

    def look(frame, event, argument):
        if frame.f_code.co_filename == __file__ and frame.f_code.co_name == "doubled" and event == "return":
            seen.extend(repr(frame.f_locals[name]) for name in ("y", "items") if name in frame.f_locals)
        return look

    staged = ag.function(doubled)
    before = sys.gettrace()
    sys.settrace(look)
    try:
        staged(np.ones(3), [])
    finally:
        sys.settrace(before)
    assert "float64[3], known when the graph runs>" in seen[0]
    assert seen[1] == "[]"


def test_pdb_prints_symbols_while_tracing():
    """``p y`` at a breakpoint that is met while tracing."""
    output = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("c\np y\nq\n"), stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    debugger.set_break(__file__, doubled.__code__.co_firstlineno + 2)
    before = sys.gettrace()
    try:
        debugger.runcall(ag.function(doubled), np.ones(3), [])
    except BaseException as error:  # ``q`` ends the run
        assert type(error).__name__ == "BdbQuit"
    finally:
        sys.settrace(before)
        debugger.clear_all_breaks()
    assert "known when the graph runs>" in output.getvalue()


def test_the_users_own_code_gets_no_text_of_a_symbol():
    """What asks while tracing, and is no debugger, is refused or done by the run."""

    def texts(x):
        return repr(x), str([x]), f"{x}", "%s" % x

    ag.testing.check(texts, np.ones(2))
