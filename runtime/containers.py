"""Lists and dicts while tracing.

One made by the traced code is *static* as long as only code outside staged parts changes it: then it is a
Python container of whatever the code put in, and costs nothing when the graph runs.  The first change inside
a staged part, or a use that needs the container itself when the graph runs, makes it *dynamic*: a list value
of the graph, whose changes are nodes. What needs that earlier than it is found out is learnt by a restart.
Containers of outside are told in ``outer_containers.py``.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import exceptions
from .assumptions import NotShared
from .graph import Operand
from .location import is_debugged
from .operands import RawOperand, Traced, has_symbols
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Dict, Instance, List, Type

if TYPE_CHECKING:
    from .tracing import Tracer

class TracedContainer(Traced):
    """A list or dict of the traced code: ``held`` while static, ``tensor`` once it lives in the graph."""

    __slots__ = ("_held", "block", "gone_through", "key", "lent", "tensor", "tracer")
    cls: type = object
    changing: frozenset[str] = frozenset()
    comparing: frozenset[str] = frozenset()

    def __init__(self, tracer: Tracer, items: Any, key: Hashable, lent: bool = False) -> None:
        self.tracer = tracer
        self.lent = lent
        """Whether it belongs to a caller of the graph that is traced now, where it may be looked at only."""
        self._held = items
        self.key = key
        self.block = tracer.block
        self.tensor: Tensor | None = None
        self.gone_through = False

    @property
    def held(self) -> Any:
        """What is in it while it is static.

        Raises:
            Restart: the code that is traced now runs at another time, when there may be something else in it.
        """
        later = self.tracer.later
        if later and self.block in self.tracer.stack[: self.tracer.stack.index(later[-1])]:
            raise self.tracer.assumptions.learn(self.key)
        return self._held

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.cls

    # As an operand

    def make(self) -> Tensor:
        """Record the node that makes the container."""
        raise NotImplementedError

    def to_tensor(self) -> Tensor:
        """The container as a value of the graph, from now on."""
        if self.lent:
            raise NotShared
        if self.tensor is None:
            if self.tracer.block is not self.block:
                raise self.tracer.assumptions.learn(self.key)
            with self.going_through():
                self.tensor = self.make()
        return self.tensor

    @contextlib.contextmanager
    def going_through(self) -> Iterator[None]:
        """While all that it holds is looked at.

        Raises:
            Restart: it contains itself, so it has to be there before what it holds.
        """
        if self.gone_through:
            raise self.tracer.assumptions.learn(self.key)
        self.gone_through = True
        try:
            yield
        finally:
            self.gone_through = False

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        if self.tensor is None and display:
            with self.going_through():
                return tracer.lower(self.held, display)
        return tracer.lower_tensor(self.to_tensor())

    def type_hint(self) -> Type:
        return List(UNKNOWN) if self.cls is list else Dict(UNKNOWN)

    def to_iterable(self, tracer: Tracer) -> Any:
        return self.held if self.tensor is None else self.tensor

    def truth(self, tracer: Tracer) -> Any:
        return bool(self.held) if self.tensor is None else self.tensor

    def usable(self, tracer: Tracer) -> bool:
        return self.block in tracer.stack

    # What the user's code does with it

    def method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method of the container."""
        needs = self.tensor is not None or (any(map(has_symbols, args)) and name not in _PLACES)
        if name in self.comparing and has_symbols(self.held):
            needs = True
        if needs:
            return self.tracer.call(getattr(self.to_tensor(), name), args, kwargs)
        args = tuple([adopt(self.tracer, arg) for arg in args])
        self.change(name)
        return self.result(exceptions.python_does(getattr(self.held, name), *args, **kwargs))

    def change(self, name: str) -> None:
        """Before a change: one inside a part makes the container dynamic."""
        if name in self.changing and self.lent:
            raise NotShared
        if name in self.changing and self.tracer.block is not self.block:
            raise self.tracer.assumptions.learn(self.key)

    def result(self, found: Any) -> Any:
        """What a method or operator gave, as the traced code sees it."""
        if type(found) is list and self.cls is list:
            return new_list(self.tracer, found)
        if type(found) is dict and self.cls is dict:
            return new_dict(self.tracer, found)
        return found

    def __getitem__(self, index: Any) -> Any:
        return get_item(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.tensor is not None or has_symbols(index):
            self.to_tensor()[index] = value
            return
        self.change("__setitem__")
        exceptions.python_does(operator.setitem, self.held, index, value)

    def __delitem__(self, index: Any) -> None:
        if self.tensor is not None or has_symbols(index):
            del self.to_tensor()[index]
            return
        self.change("__setitem__")
        exceptions.python_does(operator.delitem, self.held, index)

    def __len__(self) -> int:
        return len(self.held) if self.tensor is None else len(self.tensor)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.held) if self.tensor is None else iter(self.tensor)

    def __repr__(self) -> str:
        if is_debugged():
            return repr(self.held if self.tensor is None else self.tensor)
        return repr(self.to_tensor())

    def __bool__(self) -> bool:
        return bool(self.held) if self.tensor is None else bool(self.tensor)

    def __contains__(self, item: Any) -> bool:
        if self.tensor is not None or has_symbols(item) or has_symbols(self.held):
            return bool(self.tracer.contains(self.to_tensor(), item))
        return item in self.held

    __hash__ = None  # type: ignore[assignment]


_PLACES = frozenset({"append", "extend", "insert", "update", "setdefault"})
"""Methods that only keep their arguments, so that symbols among them do not matter."""


class Choice(Traced):
    """One of several known functions, by a place that only the run knows: a call of it is a chain of ``if``.
    """

    __slots__ = ("functions", "place", "tracer")

    def __init__(self, tracer: Tracer, functions: list[Any], index: Any) -> None:
        self.tracer = tracer
        self.functions = functions
        places = RawOperand(list(range(len(functions))))
        self.place = tracer.apply("get_item", places, index)  # raises where the list would

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return tracer.lower(tracer.apply("get_item", RawOperand(tracer.lower(self.functions)), self.place))

    def usable(self, tracer: Tracer) -> bool:
        return self.place._ag_block in tracer.stack

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function that is chosen."""
        return self.chosen(lambda function: self.tracer.call(function, args, kwargs))

    def chosen(self, call: Callable[[Any], Any]) -> Any:
        """What ``call`` gives for the function that is chosen."""

        def chain(k: int) -> Any:
            if k == len(self.functions) - 1:
                return call(self.functions[k])
            chosen = self.tracer.apply("equal", self.place, k)
            return self.tracer.if_stmt(chosen, lambda: call(self.functions[k]), lambda: chain(k + 1), (), ())

        return chain(0)


def _are_functions(items: Any) -> bool:
    return type(items) is list and 0 < len(items) <= 16 and all(isinstance(each, _CHOSEN) for each in items)


_CHOSEN = (FunctionType, BuiltinFunctionType, functools.partial, np.ufunc)


def get_item(container: TracedContainer, index: Any) -> Any:
    """``container[index]``."""
    if container.tensor is None and type(index) is Tensor and _are_functions(container.held):
        return Choice(container.tracer, list(container.held), index)
    if container.tensor is not None or has_symbols(index):
        return container.to_tensor()[index]
    return container.result(exceptions.python_does(operator.getitem, container.held, index))


class TracedList(TracedContainer):
    """A list made by the traced code."""

    __slots__ = ()
    cls = list
    changing = frozenset(
        {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "__setitem__", "__iadd__"}
    )
    comparing = frozenset({"remove", "index", "count", "sort"})

    def make(self) -> Tensor:
        return make_list(self.tracer, self.held)

    def method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if (name == "insert" and has_symbols(args[0])) or (name == "extend" and _is_dynamic(args[0])):
            return self.tracer.call(getattr(self.to_tensor(), name), args, kwargs)
        if name == "sort" and self.tensor is None and "key" in kwargs and not has_symbols(self.held):
            from .builtins import keyed

            by = keyed(self.tracer, self.held, kwargs)
            if by is None:
                return self.tracer.call(self.to_tensor().sort, args, kwargs)
            kwargs = by
        if name == "extend" and self.tensor is None:
            items = self.tracer.iterable_of(args[0])
            if type(items) is Tensor:
                return self.tracer.call(self.to_tensor().extend, (items,), {})
            args = (list(items),)
        return super().method(name, args, kwargs)

    def __add__(self, other: Any) -> Any:
        if self.tensor is not None or _is_dynamic(other):
            return self.to_tensor() + other
        return self.result(exceptions.python_does(operator.add, self.held, _plain(other)))

    def __radd__(self, other: Any) -> Any:
        if self.tensor is not None:
            return other + self.tensor
        return self.result(exceptions.python_does(operator.add, _plain(other), self.held))

    def __iadd__(self, other: Any) -> Any:
        if self.tensor is not None or _is_dynamic(other):
            self.to_tensor().__iadd__(other)
        else:
            self.method("extend", (other,), {})
        return self

    def __mul__(self, count: Any) -> Any:
        if self.tensor is not None or has_symbols(count):
            return self.to_tensor() * count
        return self.result(exceptions.python_does(operator.mul, self.held, count))

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> Any:
        if self.tensor is not None or has_symbols(count):
            self.to_tensor().__imul__(count)
        else:
            self.change("__iadd__")
            exceptions.python_does(operator.imul, self.held, count)
        return self


class TracedDict(TracedContainer):
    """A dict made by the traced code."""

    __slots__ = ()
    cls = dict
    changing = frozenset({"pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__ior__"})

    def make(self) -> Tensor:
        return make_dict(self.tracer, self.held)

    def method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.tensor is None and name in ("keys", "values", "items") and not args:
            return getattr(self.held, name)()
        if name in ("setdefault", "get", "pop") and args and has_symbols(args[0]):
            return self.tracer.call(getattr(self.to_tensor(), name), args, kwargs)
        if name == "update" and self.tensor is None:
            args = tuple(self.pairs(each) for each in args)
            if any(_is_dynamic(each) or has_symbolic_keys(each) for each in args):
                return self.tracer.call(self.to_tensor().update, args, kwargs)
        return super().method(name, args, kwargs)

    def pairs(self, given: Any) -> Any:
        """What ``update`` takes in, as a plain container if it is known."""
        if isinstance(given, TracedContainer):
            return _plain(given)
        return list(self.tracer.iterable_of(given)) if hasattr(type(given), "__next__") else given

    def __or__(self, other: Any) -> Any:
        if self.tensor is not None or _is_dynamic(other):
            return self.to_tensor() | other
        return self.result(self.held | _plain(other))

    def __ior__(self, other: Any) -> Any:
        self.method("update", (other,), {})
        return self


ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")


def _compare(name: str) -> Callable[[TracedContainer, Any], Any]:
    def method(self: TracedContainer, other: Any) -> Any:
        if name in ORDERING and not isinstance(other, Tensor | Traced):
            self.tracer.compares()
        if (
            self.tensor is not None
            or has_symbols(self.held)
            or _is_dynamic(other)
            or has_symbols(_plain(other))
        ):
            return getattr(self.to_tensor(), name)(other)
        return getattr(self.held, name)(_plain(other))

    return method


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(TracedContainer, _name, _compare(_name))


def bind_methods(container: Any) -> None:
    """Give a stand-in for a list or dict the methods of its class, and its name in the errors of Python."""
    for name in dir(container.cls):
        if not name.startswith("_"):
            setattr(container, name, _method(name))
    container.__name__ = container.cls.__name__


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self.method(name, args, kwargs)

    method.__name__ = name
    return method


for _traced in (TracedList, TracedDict):
    bind_methods(_traced)
Sequence.register(TracedList)  # a native ``match`` asks
Mapping.register(TracedDict)


def _plain(other: Any) -> Any:
    from .outer_objects import unwrapped

    return other.held if isinstance(other, TracedContainer) and other.tensor is None else unwrapped(other)


def has_symbolic_keys(given: Any) -> bool:
    """Whether only the run knows where the pairs of this go."""
    if type(given) not in (list, tuple):
        return False
    return any(type(pair) is not tuple or has_symbols(pair[:1]) for pair in given)


def _is_dynamic(other: Any) -> bool:
    return type(other) is Tensor or (isinstance(other, TracedContainer) and other.tensor is not None)


def adopt(tracer: Tracer, arg: Any) -> Any:
    """A display written as an argument, which the transpiled text leaves plain, becomes a container of the
    trace: it may be given out again, and changed.
    """
    if type(arg) is list:
        return new_list(tracer, [adopt(tracer, item) for item in arg])
    if type(arg) is dict:
        return new_dict(tracer, {key: adopt(tracer, item) for key, item in arg.items()})
    if type(arg) is tuple:
        return tuple([adopt(tracer, item) for item in arg])
    return new_set(tracer, arg) if type(arg) is set else arg


def new_list(tracer: Tracer, items: list[Any]) -> Any:
    """A list display of the traced code."""
    key = tracer.occurrence("list")
    return make_list(tracer, items) if key in tracer.assumptions.dynamic else TracedList(tracer, items, key)


def new_dict(tracer: Tracer, items: dict[Any, Any]) -> Any:
    """A dict display of the traced code."""
    key = tracer.occurrence("dict")
    return make_dict(tracer, items) if key in tracer.assumptions.dynamic else TracedDict(tracer, items, key)


def new_set(tracer: Tracer, items: set[Any]) -> Any:
    """A set display of the traced code: always a value of the graph."""
    value = tracer.record_value(table.get("make_set"), tuple(items))
    value.type = Instance(set)
    return tracer.wrap(value)


def make_list(tracer: Tracer, items: list[Any]) -> Tensor:
    """A list value of the graph; what it holds later is not known, so its items have no type."""
    value = tracer.record_value(table.get("make_list"), tuple(items))
    value.type = List(UNKNOWN)
    return Tensor(value, tracer.block, tracer)


def make_dict(tracer: Tracer, items: dict[Any, Any]) -> Tensor:
    """A dict value of the graph."""
    return make_pairs(tracer, list(items.items()))


def make_pairs(tracer: Tracer, pairs: list[tuple[Any, Any]]) -> Tensor:
    """The same of its pairs, whose keys may be symbolic."""
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    value = tracer.record_value(table.get("make_dict"), (keys, values))
    value.type = Dict(UNKNOWN)
    return Tensor(value, tracer.block, tracer)
