"""Lists and dicts of outside while tracing: read where they are, item by item, by path.

One that the function changes is a value of the graph from the start of the trace (``Outside.write``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import exceptions, paths
from .containers import ORDERING, bind_methods, new_dict, new_list
from .graph import Operand
from .location import is_debugged
from .operands import RawOperand, Traced, has_symbols
from .paths import Path
from .tensor import Tensor
from .types import UNKNOWN, Dict, List, Type

if TYPE_CHECKING:
    from .tracing import Tracer

KNOWN_ITEMS = 64
"""A container of outside with more items is a value of the graph from the start."""


class OuterContainer(Traced):
    """A list or dict that the function finds outside and does not change."""

    __slots__ = ("path", "raw", "tracer")
    cls: type = object
    reading: frozenset[str] = frozenset()

    def __init__(self, tracer: Tracer, path: Path, raw: Any) -> None:
        self.tracer = tracer
        self.path = path
        self.raw = raw

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.cls

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        operand = tracer.outside.operand(self.path)
        if not display:
            tracer.outside.write(self.path)
        return operand

    def to_tensor(self) -> Tensor:
        """The container as a value of the graph, to be read only."""
        value = self.tracer.lower(RawOperand(self.tracer.outside.operand(self.path)))
        return self.tracer.tensor_of(value, self.type_hint())

    def type_hint(self) -> Type:
        return List(UNKNOWN) if self.cls is list else Dict(UNKNOWN)

    def truth(self, tracer: Tracer) -> Any:
        return bool(self.raw)

    def is_outside(self) -> bool:
        return True

    def find(self, index: Any) -> Any:
        """The item at a known place."""
        from .state import find

        held = exceptions.python_does(operator.getitem, self.raw, index)
        return find(self.tracer, paths.item(self.path, index), held)

    def change(self) -> Tensor:
        """The container as a value to be changed: from the start of the trace."""
        self.tracer.outside.write(self.path)
        return self.to_tensor()

    def method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method: on its items where it only reads, else on the value."""
        if name in self.reading and not any(map(has_symbols, args)):
            return self.known(name, args)
        return self.tracer.call(getattr(self.change(), name), args, kwargs)

    def known(self, name: str, args: tuple[Any, ...]) -> Any:
        """A reading method."""
        raise NotImplementedError

    def __getitem__(self, index: Any) -> Any:
        if has_symbols(index) or type(index) is slice:
            return self.to_tensor()[index]
        return self.find(index if type(index) is not int or index >= 0 else index + len(self.raw))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.change()[index] = value

    def __delitem__(self, index: Any) -> None:
        del self.change()[index]

    def __len__(self) -> int:
        return len(self.raw)

    def __bool__(self) -> bool:
        return bool(self.raw)

    def __repr__(self) -> str:
        return repr(self.raw if is_debugged() else self.to_tensor())

    def _operator(self, name: str, other: Any) -> Any:
        if name in ORDERING:
            self.tracer.compares()
        return getattr(self.to_tensor(), name)(other)

    __hash__ = None  # type: ignore[assignment]


class OuterList(OuterContainer):
    """A list of outside."""

    __slots__ = ()
    cls = list
    reading = frozenset({"copy"})

    def to_iterable(self, tracer: Tracer) -> Any:
        return [self.find(k) for k in range(len(self.raw))]

    def known(self, name: str, args: tuple[Any, ...]) -> Any:
        return new_list(self.tracer, self.to_iterable(self.tracer))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_iterable(self.tracer))

    def __contains__(self, item: Any) -> bool:
        return bool(self.tracer.contains(self.to_tensor(), item))

    def __iadd__(self, other: Any) -> Any:
        return self.change().__iadd__(other)


class OuterDict(OuterContainer):
    """A dict of outside with texts or numbers as keys."""

    __slots__ = ()
    cls = dict
    reading = frozenset({"keys", "values", "items", "get", "copy"})

    def in_order(self) -> Iterator[Any]:
        """The keys; from now on the trace relies on their order."""
        self.tracer.guards.order(self.path, self.raw)
        return iter(self.raw)

    def to_iterable(self, tracer: Tracer) -> Any:
        return list(self.in_order())

    def known(self, name: str, args: tuple[Any, ...]) -> Any:
        if name == "get":
            key, *default = args
            return self.find(key) if key in self.raw else (default[0] if default else None)
        if name == "keys":
            return list(self.in_order())
        if name == "values":
            return [self.find(key) for key in self.in_order()]
        if name == "items":
            return [(key, self.find(key)) for key in self.in_order()]
        return new_dict(self.tracer, {key: self.find(key) for key in self.in_order()})

    def __iter__(self) -> Iterator[Any]:
        return self.in_order()

    def __contains__(self, item: Any) -> bool:
        if has_symbols(item):
            return bool(self.tracer.contains(self.to_tensor(), item))
        return item in self.raw


def _outer_operator(name: str) -> Callable[..., Any]:
    def method(self: OuterContainer, other: Any) -> Any:
        return self._operator(name, other)

    return method


for _name in ("add", "radd", "mul", "rmul", "eq", "ne", "lt", "le", "gt", "ge", "or", "ror"):
    setattr(OuterContainer, f"__{_name}__", _outer_operator(f"__{_name}__"))
for _outer in (OuterList, OuterDict):
    bind_methods(_outer)
Sequence.register(OuterList)  # a native ``match`` asks
Mapping.register(OuterDict)
