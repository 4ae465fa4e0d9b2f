"""Iterators: ``iter``, ``next``, ``zip``, ``enumerate``, ``reversed``, ``map`` and ``filter`` of traced code.

Over what only the run knows they are nodes.  Over what is known while tracing they run while tracing, lazily
as Python's own do, as long as they are gone through where they were made.  One that is needed in another
part, or by the run, is a node from the next trace on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from types import FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any

from . import containers, control_flow, exceptions, generators, made_functions
from .builtins import HANDLERS, Handler, handles, is_dynamic, items, record
from .graph import Operand, Value
from .operands import Traced, has_symbols
from .ops import table
from .outer_objects import OuterObject, special_method
from .tensor import Tensor
from .types import UNKNOWN

if TYPE_CHECKING:
    from .tracing import Tracer

LOOPED = 64
"""One with more items than this that a loop goes through is gone through at once."""


class TracedIterator(Traced):
    """An iterator that runs while tracing, in the part where it was made."""

    __slots__ = ("block", "cls", "key", "left", "source", "tracer")

    def __init__(
        self, tracer: Tracer, cls: type, key: Hashable, source: Iterator[Any], length: int | None
    ) -> None:
        self.tracer = tracer
        self.cls = cls
        self.key = key
        self.block = tracer.block
        self.source: Iterator[Any] | None = source
        self.left = length
        """How many items are left, where that is known."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.cls

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        raise tracer.assumptions.learn(self.key)

    def usable(self, tracer: Tracer) -> bool:
        return self.block in tracer.stack

    def check(self) -> Iterator[Any]:
        """What gives the items, here and now.

        Raises:
            Restart: this is another part, or how many items are left depends on the run.
        """
        if self.tracer.block is not self.block or self.source is None:
            raise self.tracer.assumptions.learn(self.key)
        return self.source

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        source = self.check()
        if self.left is not None:
            self.left = max(self.left - 1, 0)
        return exceptions.python_does(next, source)

    def to_loop(self, breaks: bool) -> Any:
        """What a loop goes through: the items at once, where they are many and making them shows nothing."""
        source = self.check()
        if self.left is None or self.left <= LOOPED:
            return self
        if self.cls is map:
            raise self.tracer.assumptions.learn(self.key)
        return list(self.left_open() if breaks else source)

    def left_open(self) -> Iterator[Any]:
        """The rest of the items, of which the run takes as many as it needs."""
        source = self.check()
        if self.cls is map or self.left is None:  # it may do something for each of them
            raise self.tracer.assumptions.learn(self.key)
        self.source = None
        return source


def _length(known: list[Any]) -> int | None:
    lengths = [len(each) if hasattr(type(each), "__len__") else None for each in known]
    return min(lengths) if lengths and None not in lengths else None  # type: ignore[type-var]


def _combine(function: Any) -> Handler:
    def handler(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if function is reversed and isinstance(args[0], OuterObject):
            method = special_method(tracer, args[0], "__reversed__")
            if isinstance(method, FunctionType):
                return tracer.call(method, args, {})
            return tracer.record(table.unknown_call(reversed, "reversed"), args)
        place = tracer.occurrence(function.__name__)
        if any(map(is_dynamic, args)) or has_symbols(kwargs) or place in tracer.assumptions.dynamic:
            return record(tracer, function, args, kwargs)
        known = [items(tracer, arg) for arg in args]
        made = exceptions.python_does(function, *known, **kwargs)
        length = _length(known[:1] if function is enumerate else known)
        if kwargs.get("strict") and len({len(each) for each in known if hasattr(type(each), "__len__")}) != 1:
            length = None  # it raises when it is gone through
        return TracedIterator(tracer, type(made), place, made, length)

    return handler


for _function in (enumerate, zip, reversed):
    HANDLERS[_function] = _combine(_function)


@handles(map)
def _map(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function, *iterables = args
    place = tracer.occurrence("map")
    if any(map(is_dynamic, iterables)) or place in tracer.assumptions.dynamic:
        return _calling(tracer, map, args)
    known = [items(tracer, iterable) for iterable in iterables]
    together = exceptions.python_does(zip, *known, strict=False)
    mapped = (tracer.call(function, each, {}) for each in together)
    return TracedIterator(tracer, map, place, mapped, _length(known))


@handles(filter)
def _filter(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function, iterable = args
    place = tracer.occurrence("filter")
    if is_dynamic(iterable) or place in tracer.assumptions.dynamic:
        return _calling(tracer, filter, args)

    def kept() -> Iterator[Any]:
        for item in items(tracer, iterable):
            result = item if function is None else tracer.call(function, (item,), {})
            test = control_flow.truth(tracer, result)
            if type(test) is Tensor:
                raise tracer.assumptions.learn(place)
            if test:
                yield item

    return TracedIterator(tracer, filter, place, kept(), None)


def _calling(tracer: Tracer, function: Any, args: tuple[Any, ...]) -> Any:
    """An iterator that calls a function of the user's: going over it may do anything."""
    called, *iterables = args
    row = table.find_call(function) or table.unknown_call(function, function.__name__)
    later = Value(function.__name__, UNKNOWN)
    if type(called) is FunctionType:
        called = made_functions.call_later(tracer, called, later)
    value = tracer.record_value(row, (called, *iterables))
    if later in tracer.lazy:
        tracer.lazy[value] = tracer.lazy.pop(later)
    if isinstance(called, FunctionType | Tensor):
        value.type = UNKNOWN
    return tracer.wrap(value)


@handles(next)
def _next(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    iterator, *default = args
    if type(iterator) is GeneratorType:
        generators.note(tracer, iterator)
    elif isinstance(iterator, OuterObject):
        return tracer.record(table.unknown_call(next, "next"), args)
    elif type(iterator) is not TracedIterator:
        return record(tracer, next, args)
    return exceptions.python_does(next, iterator, *default)


@handles(iter)
def _iter(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    place = tracer.occurrence("iter")
    if len(args) == 1 and place not in tracer.assumptions.dynamic:
        (iterable,) = args
        if type(iterable) in (GeneratorType, TracedIterator):
            return iterable
        static = isinstance(iterable, containers.TracedContainer) and not is_dynamic(iterable)
        if static or type(iterable) in (tuple, range):
            made = iter(items(tracer, iterable))
            return TracedIterator(tracer, type(made), place, made, len(items(tracer, iterable)))
    return tracer.record(table.find_call(iter) or table.unknown_call(iter, "iter"), args)
