"""Tracebacks of NumPy programs with the frames that the plain run has.

What was traced through is no call in a program, and the staged function is entered through a function of
ours.  When an exception leaves, its traceback is written anew: the frames of inlined calls are put in, with
the user's names, files, lines and columns.  Nothing of this costs anything before something is raised.
"""

from __future__ import annotations

import ast
import dis
import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import CodeType, TracebackType
from typing import Any

from autograph.silence import silent

from ..graph import Graph, Location, Node, Value, levels
from .expressions import Line

NAME = "__inlined__"
"""The global of a program that holds its :class:`Inlined`."""


class Inlined:
    """Which place in the user's text each instruction of a program comes from.

    The compiler keeps lines and columns, which do not tell two calls of one function apart.  So the program
    is compiled once more, when this is first asked, with a number for each place as its line.
    """

    def __init__(self, tree: ast.Module, codes: Mapping[str, CodeType]) -> None:
        self._tree = tree
        self._codes = codes
        self._places: _Places | None = None

    def place(self, code: CodeType, instruction: int) -> Location | None:
        """The place of an instruction, if the code belongs to the program and it is known."""
        if self._places is None:
            self._places = self._compiled()
        return self._places.get(id(code), {}).get(instruction)

    def _compiled(self) -> _Places:
        places: _Places = {}
        numbers: list[Location | None] = [None]
        numbered = _numbered(self._tree, numbers, {})
        with silent("<numbered>"):
            module = compile(numbered, "<numbered>", "exec")
        for code in module.co_consts:
            if isinstance(code, CodeType):
                _pair(self._codes[code.co_name], code, numbers, places)
        return places


_Places = dict[int, dict[int, Location]]
"""By the identity of a code object and the offset of an instruction."""


def _pair(code: CodeType, numbered: CodeType, numbers: Sequence[Location | None], places: _Places) -> None:
    """Take the places of the instructions of ``code`` from the same ones of ``numbered``."""
    found = places[id(code)] = {}
    ours, others = list(_instructions(code)), list(_instructions(numbered))
    if [name for _, name, _ in ours] == [name for _, name, _ in others]:
        for (offset, _, _), (_, _, line) in zip(ours, others, strict=True):
            place = numbers[line - 1] if line else None
            if place is not None:
                found[offset] = place
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    inner_numbered = [constant for constant in numbered.co_consts if isinstance(constant, CodeType)]
    for one, two in zip(inner, inner_numbered, strict=True):
        _pair(one, two, numbers, places)


def _numbered(tree: Any, numbers: list[Location | None], known: dict[int, int]) -> Any:
    """A copy of a tree whose lines are places in ``numbers``, counted from 1."""
    if isinstance(tree, list):
        return [_numbered(each, numbers, known) for each in tree]
    if not isinstance(tree, ast.AST):
        return tree
    copy = type(tree)(**{name: _numbered(value, numbers, known) for name, value in ast.iter_fields(tree)})
    line = getattr(tree, "lineno", None)
    if line is not None:
        number = 1
        if isinstance(line, Line):
            number = known.get(id(line), 0)
            if not number:
                numbers.append(line.location)
                number = known[id(line)] = len(numbers)
        copy.lineno = copy.end_lineno = number  # type: ignore[attr-defined]
        copy.col_offset = copy.end_col_offset = 0  # type: ignore[attr-defined]
    return copy


def _instructions(code: CodeType) -> Iterator[tuple[int, str, int | None]]:
    """Offset, name and line of what does something: what else there is may depend on lines."""
    line = None
    for each in dis.get_instructions(code):
        if sys.version_info >= (3, 11):
            line = each.positions.lineno if each.positions is not None else None
        else:
            line = each.starts_line or line
        if each.opname not in ("NOP", "EXTENDED_ARG"):
            yield each.offset, each.opname, line


def restore() -> None:
    """Write the traceback of the exception that leaves a staged function now, and of what led to it.

    The frame that calls this is left out: it is that of the entry.
    """
    error = sys.exc_info()[1]
    if error is None or error.__traceback__ is None:
        return
    error.__traceback__ = _restored(error.__traceback__.tb_next)
    _restore_what_led_to(error)


def restore_handled() -> None:
    """Write the traceback of the exception that a handler of the staged function itself has caught."""
    error = sys.exc_info()[1]
    assert error is not None
    error.__traceback__ = _restored(error.__traceback__)
    _restore_what_led_to(error)


def is_looked_at(node: Node, handler: Graph) -> bool:
    """Whether a handler of a ``try`` may see a traceback that lacks the frames of inlined calls."""
    if node.location is None or node.location.within is not None:
        return False  # one of an inlined call: the frames around it come when the exception leaves
    if all(each.location is None or each.location.within is None for each in node.parts[0].walk()):
        return False
    error = handler.inputs[0]
    return any(_may_look(each, error) for each in handler.walk())


def _may_look(node: Node, error: Value) -> bool:
    op = node.op
    if getattr(op.function, "__module__", None) == "builtins" or op.name == "raise":
        return False
    if op.name == "get_attribute":
        return node.args[0] is error and str(node.args[1]).startswith(("__", "with_"))
    return op.region == "outside" or error in node.operands()


def _restore_what_led_to(error: BaseException) -> None:
    seen = {id(error)}
    waiting = [error.__cause__, error.__context__]
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            each.__traceback__ = _restored(each.__traceback__)
            waiting += [each.__cause__, each.__context__]


def _restored(trace: TracebackType | None) -> TracebackType | None:
    """The traceback with the frames of inlined calls."""
    entries = []
    while trace is not None:
        entries.append((trace, _calls(trace)))
        trace = trace.tb_next
    if not any(calls for _, calls in entries):
        return entries[0][0] if entries else None
    result: TracebackType | None = None
    for entry, calls in reversed(entries):
        if not calls:
            result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
        for place in reversed(calls):
            known = entry.tb_frame.f_locals if place is calls[0] else {}
            frame = _entry_at(place, entry.tb_frame.f_globals, known)
            result = TracebackType(result, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return result


def _calls(entry: TracebackType) -> list[Location]:
    """The calls that an entry stands for, from the outside in, if there are more than one."""
    inlined = entry.tb_frame.f_globals.get(NAME)
    if type(inlined) is not Inlined:
        return []
    place = inlined.place(entry.tb_frame.f_code, entry.tb_lasti)
    if place is None or place.within is None:
        return []
    outer, *calls = levels(place)
    return [replace(outer, function=entry.tb_frame.f_code.co_name), *calls]


def _entry_at(place: Location, names: dict[str, Any], known: Mapping[str, Any]) -> TracebackType:
    """An entry of a traceback: that of code which raises at the place, with these globals and locals."""
    try:
        exec(_raising(place), names, dict(known))
    except TypeError as error:
        assert error.__traceback__ is not None and error.__traceback__.tb_next is not None
        return error.__traceback__.tb_next
    raise AssertionError


@functools.lru_cache(256)
def _raising(place: Location) -> CodeType:
    tree = ast.parse("raise 0")  # a TypeError, which needs no name
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr):
            node.lineno, node.end_lineno = place.line, place.end_line or place.line
            node.col_offset = -1 if place.column is None else place.column
            node.end_col_offset = -1 if place.end_column is None else place.end_column
    code = compile(tree, place.filename, "exec")
    return code.replace(co_name=place.function or "<inlined>")


__all__ = ["NAME", "Inlined", "is_looked_at", "restore", "restore_handled"]
