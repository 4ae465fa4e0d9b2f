"""Where a value outside the trace is found: a name, then attributes and items.

A path can be read now (:meth:`Path.read`), becomes an expression of the guards and nodes of the graph,
and has a text for people: ``self.layers[0].rate``.  ``key`` names it across the traces of one function.
"""
from __future__ import annotations

import builtins
import contextlib
import dis
import functools
import inspect
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import TYPE_CHECKING, Any

from autograph.operators.names import unbound_free_message

from .graph import Op, Operand, Value
from .operands import RawOperand
from .ops import table

if TYPE_CHECKING:
    from .guards import Constants
    from .tracing import Tracer


@dataclass(frozen=True, slots=True)
class Path:
    """The base: ``text`` is for people, ``key`` for memory."""

    text: str
    key: Hashable

    def read(self) -> Any:
        """The value now."""
        raise NotImplementedError

    def expression(self, constants: Constants) -> str:
        """A Python expression for it, of the function's parameters and the constants."""
        raise NotImplementedError

    def to_operand(self, tracer: Tracer) -> Operand:
        """The operand that reads it when the graph runs."""
        raise NotImplementedError

    def release(self) -> None:
        """Let go of what the path led to while tracing."""


@dataclass(frozen=True, slots=True)
class Global(Path):
    """A global of a module."""

    namespace: dict[str, Any] = field(repr=False)
    name: str

    def read(self) -> Any:
        return self.namespace[self.name]

    def expression(self, constants: Constants) -> str:
        return f"{constants.add(self.namespace)}[{self.name!r}]"

    def to_operand(self, tracer: Tracer) -> Operand:
        held = tracer.outside.is_held(self)
        return tracer.record_value(_reader(self.name, lambda: _global(self.namespace, self.name), held), ())


@dataclass(frozen=True, slots=True)
class Cell(Path):
    """A variable of an enclosing function."""

    cell: CellType

    def read(self) -> Any:
        return self.cell.cell_contents

    def expression(self, constants: Constants) -> str:
        return f"{constants.add(self.cell)}.cell_contents"

    def to_operand(self, tracer: Tracer) -> Operand:
        held = tracer.outside.is_held(self)
        return tracer.record_value(_reader(self.text, lambda: _contents(self.cell, self.text), held), ())


@dataclass(frozen=True, slots=True)
class Argument(Path):
    """An argument of the function; ``value`` is None where it is static."""

    value: Value | None
    raw: Any

    def read(self) -> Any:
        return self.raw

    def expression(self, constants: Constants) -> str:
        return self.text

    def to_operand(self, tracer: Tracer) -> Operand:
        return self.raw if self.value is None else self.value

    def release(self) -> None:
        if self.value is not None:
            object.__setattr__(self, "raw", None)


@dataclass(frozen=True, slots=True)
class Constant(Path):
    """An object that is always the same one."""

    raw: Any

    def read(self) -> Any:
        return self.raw

    def expression(self, constants: Constants) -> str:
        return constants.add(self.raw)

    def to_operand(self, tracer: Tracer) -> Operand:
        if type(self.raw) in (list, dict):  # as an operand it would be a display
            return tracer.record_value(_reader(self.text, lambda: self.raw, True), ())
        return self.raw


@dataclass(frozen=True, slots=True)
class Attribute(Path):
    """An attribute of what another path leads to."""

    parent: Path
    name: str

    def read(self) -> Any:
        return getattr(self.parent.read(), self.name)

    def release(self) -> None:
        self.parent.release()

    def expression(self, constants: Constants) -> str:
        return f"{self.parent.expression(constants)}.{self.name}"

    def to_operand(self, tracer: Tracer) -> Operand:
        parent = RawOperand(tracer.outside.operand(self.parent))
        return tracer.record_value(table.get("get_attribute"), (parent, self.name))


@dataclass(frozen=True, slots=True)
class Item(Path):
    """An item of what another path leads to."""

    parent: Path
    index: Any

    def read(self) -> Any:
        return self.parent.read()[self.index]

    def release(self) -> None:
        self.parent.release()

    def expression(self, constants: Constants) -> str:
        index = repr(self.index) if type(self.index) in (int, str) else constants.add(self.index)
        return f"{self.parent.expression(constants)}[{index}]"

    def to_operand(self, tracer: Tracer) -> Operand:
        parent = RawOperand(tracer.outside.operand(self.parent))
        return tracer.record_value(table.get("get_item"), (parent, self.index))


def held(owner: Any, name: str) -> Any:
    """An attribute as the object or its class holds it, or None: nothing of the user's runs to find it."""
    cls = type(owner)
    asked = hasattr(cls, "__getattr__") or isinstance(cls.__getattribute__, FunctionType)
    if not asked and not isinstance(inspect.getattr_static(cls, name, None), property):
        return getattr(owner, name, None)
    found = inspect.getattr_static(owner, name, None)
    return None if isinstance(found, property | MemberDescriptorType) else found


def is_of_argument(path: Path) -> bool:
    """Whether it begins at an argument that each call gives anew."""
    while isinstance(path, Attribute | Item):
        path = path.parent
    return isinstance(path, Argument) and path.value is not None


def is_of_module(path: Path) -> bool:
    """Whether it is an attribute of a module, which is a constant or itself one of a module."""
    if not isinstance(path, Attribute) or not isinstance(path.parent, Constant | Attribute):
        return False
    return (isinstance(path.parent, Constant) or is_of_module(path.parent)) and isinstance(
        path.parent.read(), ModuleType
    )


def of_object(raw: Any) -> Constant:
    """The path to a class, module or function, whatever names it has."""
    return Constant(raw.__name__, ("object", id(raw)), raw)


def attribute(parent: Path, name: str) -> Attribute:
    """``parent.name``."""
    return Attribute(f"{parent.text}.{name}", (parent.key, "." + name), parent, name)


def item(parent: Path, index: Any) -> Item:
    """``parent[index]``."""
    return Item(f"{parent.text}[{index!r}]", (parent.key, index), parent, index)


def of_reader(reader: Callable[[], Any]) -> Path:
    """The path that ``lambda: name`` or ``lambda: name.attribute`` reads."""
    return _of_code(reader)


_NAMING = {f"{does}_{what}" for does in ("LOAD", "STORE", "DELETE") for what in ("GLOBAL", "DEREF", "ATTR")}


@functools.lru_cache(4096)
def _names(code: CodeType) -> tuple[str, ...]:
    """The name and the attributes that the code of a reader or a writer goes along."""
    return tuple(each.argval for each in dis.get_instructions(code) if each.opname in _NAMING)


def _of_code(function: Any) -> Path:
    code = function.__code__
    name, *rest = _names(code)
    if name in code.co_freevars:
        cell = function.__closure__[code.co_freevars.index(name)]
        path: Path = Cell(name, ("cell", id(cell), name), cell)
    else:
        namespace = function.__globals__
        path = Global(name, ("global", id(namespace), name), namespace, name)
    for each in rest:
        path = attribute(path, each)
    return path


def _global(namespace: dict[str, Any], name: str) -> Any:
    """A global as Python looks it up: in the module, then among the builtins."""
    try:
        return namespace[name]
    except KeyError:
        pass
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise NameError(f"name {name!r} is not defined", name=name)


def _contents(cell: CellType, name: str) -> Any:
    """What a variable of an enclosing function holds."""
    with contextlib.suppress(ValueError):
        return cell.cell_contents
    raise NameError(unbound_free_message(name), name=name)


def _reader(name: str, function: Callable[[], Any], held: bool) -> Op:
    """The op that reads a name outside the function, which cannot fail where it surely holds something."""
    total = _always if held else None
    return Op(
        table.apart(name),
        function,
        "call",
        f"read_{name}",
        result="alias",
        region=f"name {name}",
        total=total,
    )


def _always() -> bool:
    return True


def of_writer(writer: Callable[..., None]) -> Path:
    """The path that ``def set(value): global name; name = value`` or ``name.attribute = value`` writes, or
    that ``del name`` takes away."""
    return _of_code(writer)
