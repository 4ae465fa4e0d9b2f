"""Variables of enclosing functions that a called function assigns with ``nonlocal``: hidden state of the
parts around.

The transpiler sees what a part itself assigns, and hands it out. What a *called* closure assigns it cannot
see: the variable is in a cell that only the closure knows. So the tracer notes the cells that a call may
assign; when a part ends, those that changed get back what they held before it, and are handed out like the
names of the part's state.

A cell that was made inside the part is nobody's state. It is told from one of outside by tracing the part
once more: it is not there again.
"""
from __future__ import annotations

import dis
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from autograph.convert import keep_in_cells
from autograph.errors import StagingError
from autograph.operators import Undefined

from .assumptions import Restart

if TYPE_CHECKING:
    from .tracing import Tracer


@dataclass(slots=True)
class Hidden:
    """A cell, what it held before a part, and what the part left in it."""

    cell: CellType
    name: str
    function: FunctionType
    """The function that may assign it."""
    before: Any
    after: Any = None


Changes = dict[int, Hidden]


@functools.lru_cache(maxsize=4096)
def _assigned(code: CodeType) -> tuple[str, ...]:
    """The free variables of this code that it, or a function nested in it, assigns."""
    found = set()
    waiting = [code]
    while waiting:
        each = waiting.pop()
        free = set(each.co_freevars)
        for instruction in dis.get_instructions(each):
            if instruction.opname in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in free:
                found.add(instruction.argval)
        waiting += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
    return tuple(name for name in code.co_freevars if name in found)


def assigns(code: CodeType) -> bool:
    """Whether this code assigns variables of enclosing functions."""
    return bool(_assigned(code))


def cells_of(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    """The cells that a call of this converted function, or of a function that it knows, may assign."""
    for _, name, cell in assigning(function):
        yield name, cell


def assigning(
    function: FunctionType, seen: set[int] | None = None
) -> Iterator[tuple[FunctionType, str, CellType]]:
    """The same, with the function that does it."""
    seen = set() if seen is None else seen
    if not function.__closure__ or id(function) in seen:
        return
    seen.add(id(function))
    assigned = _assigned(function.__code__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
        if name in assigned:
            yield function, name, cell
        held = contents(cell, name)
        if type(held) is FunctionType:
            yield from assigning(held, seen)


def contents(cell: CellType, name: str) -> Any:
    """What a cell holds, or the mark of a name that is not set."""
    try:
        return cell.cell_contents
    except ValueError:
        return Undefined(name)


def put(cell: CellType, value: Any) -> None:
    """Let a cell hold ``value``."""
    cell.cell_contents = value


def note(tracer: Tracer, function: FunctionType) -> None:
    """Before a call of ``function``: remember what the cells hold that it may assign."""
    if function.__closure__ and tracer.noted:
        for owner, name, cell in assigning(function):
            for level in tracer.noted:
                if id(cell) not in level:
                    level[id(cell)] = Hidden(cell, name, owner, contents(cell, name))


def take_back(noted: Changes, same: Callable[[Any, Any], bool]) -> Changes:
    """At the end of a part: what changed in it; the cells hold again what they held before."""
    changed = {}
    for key, hidden in noted.items():
        hidden.after = contents(hidden.cell, hidden.name)
        if not same(hidden.before, hidden.after):
            put(hidden.cell, hidden.before)
            changed[key] = hidden
    return changed


def apart_from(changes: Changes, parts: tuple[Any, ...], names: tuple[str, ...] | None) -> Changes:
    """Without the cells of the names that the parts hand out themselves; None: all that they know."""
    own = set()
    for part in parts:
        for name, cell in zip(
            getattr(getattr(part, "__code__", None), "co_freevars", ()),
            getattr(part, "__closure__", None) or (),
            strict=False,
        ):
            if names is None or name in names:
                own.add(id(cell))
    return {key: hidden for key, hidden in changes.items() if key not in own}


def keep(function: FunctionType, name: str) -> None:
    """Have a variable that this converted function uses live in a cell of the graph, if that can be."""
    if keep_in_cells(function.__code__, name):
        raise Restart


def own_variables(parts: tuple[Any, ...], names: tuple[str, ...]) -> list[tuple[CellType, Any]]:
    """The variables that parts bind with ``nonlocal`` and do not hand out, with what they hold.

    After an ``if`` whose arms return nobody reads them but functions that the arms return.
    """
    found = {}
    for part in parts:
        code = getattr(part, "__code__", None)
        if code is not None and part.__closure__:
            assigned = _assigned(code)
            for name, cell in zip(code.co_freevars, part.__closure__, strict=True):
                if name in assigned and name not in names:
                    found[id(cell)] = (cell, contents(cell, name))
    return list(found.values())


def refuse(tracer: Tracer, changes: Changes, where: str) -> StagingError:
    """What is raised where a part has no way to hand hidden state out but in cells."""
    for hidden in changes.values():
        keep(hidden.function, hidden.name)
    names = ", ".join(repr(hidden.name) for hidden in changes.values())
    return tracer.error(
        StagingError,
        f"{names} of an enclosing function changes in {where}",
        why="a function called there assigns it with nonlocal, and it has no way out of there",
        fix="call the function outside, or let it return the value",
    )
