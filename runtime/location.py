"""Places in the user's text: of the frame that runs now, or of an instruction."""
from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import TypeVar

import autograph.errors
from autograph.convert import is_converted_code
from autograph.qualified_names import function_of

from .graph import Location, nested

Result = TypeVar("Result")

OWN = os.path.dirname(os.path.abspath(autograph.errors.__file__)) + os.sep
"""The folder of the transpiler."""
RUNTIME = os.path.dirname(os.path.abspath(__file__)) + os.sep
"""The folder of the runtime: inside the other one when installed, beside it in a checkout."""

_positions: dict[CodeType, list[tuple[int | None, ...]]] = {}


def is_runtime(code: CodeType) -> bool:
    """Whether this is code of the runtime, which talks to what stands for the user's objects."""
    return code.co_filename.startswith(RUNTIME)


def is_own(code: CodeType) -> bool:
    """Whether this is code of ours."""
    return code.co_filename.startswith((OWN, RUNTIME))


def user_location() -> Location | None:
    """The place in the user's text that runs now: the innermost converted code, if any."""
    return _place(_running())


def traced_whole(run: Callable[[], Result]) -> Result:
    """Trace a whole graph: places in it do not tell who called it."""
    return run()


Point = tuple[CodeType, int, int]
"""A code object, the offset of the instruction that runs in it, and its line."""


def _running() -> Iterator[Point]:
    """Where converted code is now, from the inside out."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not _WHOLE:
        if is_converted_code(frame.f_code):
            yield frame.f_code, frame.f_lasti, frame.f_lineno
        frame = frame.f_back


_WHOLE = traced_whole.__code__


def in_comprehension() -> bool:
    """Whether converted code runs a comprehension, with whose end its variables go."""
    for code, *_ in _running():
        if function_of(code) == code.co_name:
            return False
        if code.co_name.startswith("build"):  # what conversion makes of one
            return True
    return False


_TRACEBACK = BaseException.__dict__["__traceback__"]


def traceback_of(error: BaseException) -> TracebackType | None:
    """Where an exception came through while tracing, also where its class answers otherwise."""
    trace: TracebackType | None = _TRACEBACK.__get__(error)
    return trace


def drop_traceback(error: BaseException) -> None:
    """Let go of what the frames hold on to."""
    _TRACEBACK.__set__(error, None)


def raised_at(error: BaseException) -> Location | None:
    """The innermost place of the user's that an exception came through, or else that runs now."""
    return _place(_came_through(error))


def _came_through(error: BaseException) -> Iterator[Point]:
    entries: list[TracebackType] = []
    trace = traceback_of(error)
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    for entry in reversed(entries):
        code = entry.tb_frame.f_code
        if code is _WHOLE:
            return
        if not is_own(code):
            yield code, entry.tb_lasti, entry.tb_lineno
    yield from _running()


def _place(points: Iterable[Point]) -> Location | None:
    """The first place, with those of the calls around it.

    What conversion made of one function (parts, tests) counts as one.
    """
    found: list[Location] = []
    inside = False
    for code, instruction, line in points:
        if not inside:
            found.append(location_of(code, instruction, line))
        inside = function_of(code) != code.co_name
        if sys.version_info < (3, 11):
            break  # which function a part belongs to is not known
    return nested(reversed(found))


def user_frame() -> FrameType | None:
    """The innermost frame of converted code, if any."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_converted_code(frame.f_code):
        frame = frame.f_back
    return frame


def is_debugged() -> bool:
    """Whether a debugger or a trace function asks, and not the code that is traced."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame.f_code):
        frame = frame.f_back
    while frame is not None and not is_own(frame.f_code) and not is_converted_code(frame.f_code):
        module = frame.f_globals.get("__name__", "")
        if str(module).partition(".")[0] in _DEBUGGERS:
            return True
        around = frame.f_back
        tracing = (sys.gettrace(), around.f_trace if around is not None else None)
        if any(getattr(each, "__code__", None) is frame.f_code for each in tracing):
            return True
        frame = around
    return False


_DEBUGGERS = frozenset(
    {"bdb", "cmd", "pdb", "ipdb", "pudb", "pydevd", "_pydevd_bundle", "debugpy", "IPython", "stack_data"}
    | {"rich", "traceback", "trace"}
)


def instruction_at(frame: FrameType) -> int:
    """The offset of the instruction that the frame is at.

    Where that calls a Python function, Python 3.12 tells the end of its cache.
    """
    code, offset = frame.f_code.co_code, frame.f_lasti
    while offset > 0 and code[offset] == _CACHE:
        offset -= 2
    return offset


_CACHE = dis.opmap.get("CACHE", -1)


def unpacks(frame: FrameType) -> bool:
    """Whether the frame unpacks a sequence: ``a, b = items``."""
    return frame.f_code.co_code[instruction_at(frame)] == _UNPACK_SEQUENCE


_UNPACK_SEQUENCE = dis.opmap["UNPACK_SEQUENCE"]


def compares_now(frame: FrameType) -> bool:
    """Whether a comparison is what the frame is at."""
    return frame.f_code.co_code[instruction_at(frame)] == _COMPARE


def asks_operand(frame: FrameType) -> bool:
    """Whether the frame is at ``x % y`` or ``x[y]``."""
    code, offset = frame.f_code.co_code, instruction_at(frame)
    name = dis.opname[code[offset]]
    return name in _ASKING or (name == "BINARY_OP" and code[offset + 1] == _REMAINDER)


_ASKING = frozenset({"BINARY_SUBSCR", "BINARY_SLICE", "BINARY_MODULO"})
_REMAINDER = 6  # NB_REMAINDER
_COMPARE = dis.opmap["COMPARE_OP"]


def location_of(code: CodeType, instruction: int, line: int) -> Location:
    """The place of an instruction, with columns where the running Python knows them."""
    if sys.version_info < (3, 11):
        return Location(code.co_filename, line, code.co_name)
    positions = _positions.get(code)
    if positions is None:
        if len(_positions) > 4096:
            _positions.clear()
        positions = _positions[code] = list(code.co_positions())
    if not 0 <= instruction < 2 * len(positions):
        return Location(code.co_filename, line, function_of(code))
    start, end, column, end_column = positions[instruction // 2]
    return Location(code.co_filename, start or line, function_of(code), column, end, end_column)
