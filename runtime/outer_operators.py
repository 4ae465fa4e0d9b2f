"""What operators do on objects of outside: a method of the user's is traced through, one of a builtin class
is the run's, and where the class has none Python says what is wrong.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import exceptions
from .containers import TracedContainer
from .operands import RawOperand, Traced
from .ops import table
from .outer_containers import OuterContainer
from .outer_objects import OuterObject, raw_of, special_method, unwrapped
from .tensor import Tensor

if TYPE_CHECKING:
    from .tracing import Tracer


def special(name: str) -> Callable[..., Any]:
    def method(self: OuterObject, *args: Any) -> Any:
        tracer = object.__getattribute__(self, "tracer")
        raw = raw_of(self)
        found = special_method(tracer, self, name)
        if isinstance(found, types.FunctionType):
            return settled(tracer, name, tracer.call(found, (self, *args), {}), self, *args)
        if found is None:
            return _without(tracer, self, name, args)
        if name == "__eq__" and found is object.__eq__:
            return raw is unwrapped(args[0]) or NotImplemented
        if name == "__ne__" and found is object.__ne__:
            return NotImplemented if raw is not unwrapped(args[0]) else False
        if name in _ORDERING:
            tracer.compares()
        itself = RawOperand(self.to_operand(tracer, False))
        if hasattr(operator, name):  # the operator, which asks the other operand and words the error too
            return tracer.record(
                table.unknown_call(getattr(operator, name), f"operator.{name}"), (itself, *args)
            )
        swapped = f"__{name[3:]}"
        if name[2] == "r" and hasattr(operator, swapped):
            op = table.unknown_call(getattr(operator, swapped), f"operator.{swapped}")
            return tracer.record(op, (*args, itself))
        return tracer.record(table.unknown_method(name), (itself, *args))

    method.__name__ = name
    return method


def _without(tracer: Tracer, outer: OuterObject, name: str, args: tuple[Any, ...]) -> Any:
    """An operator that the class of the object has not: unless the other operand knows it, Python says what
    is wrong."""
    raw = raw_of(outer)
    straight = getattr(operator, name, None)
    if not args or name in _MUST_EXIST:
        if straight is None:
            return NotImplemented
        return exceptions.python_does(straight, raw, *map(unwrapped, args))
    (other,) = args
    if not isinstance(other, OuterObject) and isinstance(other, _OTHERS):
        return NotImplemented
    reflected = straight is None
    plain = f"__{name[3:]}" if reflected or (name[2] == "i" and name != "__invert__") else name
    for operand, method in ((outer, plain), (other, _MIRRORED.get(plain, plain))):
        if isinstance(operand, OuterObject) and not reflected and method != name:
            if special_method(tracer, operand, method) is not None:
                return NotImplemented
    function = getattr(operator, plain) if reflected else straight
    operands = (other, outer) if reflected else (outer, other)
    return exceptions.python_does(function, *map(unwrapped, operands))


def asks_right(tracer: Tracer, left: Any, name: str, right: Any) -> bool:
    """Whether native code would ask the right operand of a comparison, which then is in other words about it.
    """
    if isinstance(left, Tensor | Traced | np.ndarray | np.generic):
        return False
    if isinstance(right, OuterObject):
        return not isinstance(special_method(tracer, right, _MIRRORED[name]), types.FunctionType)
    return isinstance(right, OuterContainer | TracedContainer)


def settled(tracer: Tracer, name: str, result: Any, left: Any, *right: Any) -> Any:
    """What a method of an operator gave; where a builtin class has given it, it may be ``NotImplemented``."""
    producer = result._ag_value.producer if type(result) is Tensor else None
    function = producer.op.function if producer is not None else None
    if name not in _MIRRORED or not isinstance(function, types.WrapperDescriptorType):
        return result
    return tracer.record(table.unknown_call(_settle, "settle"), (name, result, left, *right))


def _settle(name: str, result: Any, left: Any, right: Any) -> Any:
    """Python's way to go on when the method of the left operand does not know what to do."""
    if result is NotImplemented:
        mirrored = getattr(type(right), _MIRRORED[name], None)
        if mirrored is not None and (name in _COMPARING or type(left) is not type(right)):
            result = mirrored(right, left)
    if result is not NotImplemented:
        return result
    if name in ("__eq__", "__ne__"):
        return (left is right) == (name == "__eq__")
    unable = [type(type(each).__name__, (), {})() for each in (left, right)]
    return getattr(operator, name)(*unable)  # which raises what Python says


_OTHERS = (Tensor, Traced, np.ndarray, np.generic)
"""What has a way of its own with any object."""
_ORDERING = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}
_COMPARING = {**_ORDERING, "__eq__": "__eq__", "__ne__": "__ne__"}
_ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
_MIRRORED = {**{f"__{name}__": f"__r{name}__" for name in _ARITHMETIC}, **_COMPARING}
"""The method that the right operand is asked for."""

_MUST_EXIST = frozenset(
    {"__getitem__", "__setitem__", "__delitem__", "__enter__", "__exit__", "__len__", "__call__"}
)
_SPECIALS = (
    *(f"__{kind}{name}__" for kind in ("", "r", "i") for name in _ARITHMETIC),
    *("__neg__", "__pos__", "__abs__", "__invert__"),
    *_COMPARING,
    *("__getitem__", "__setitem__", "__delitem__", "__enter__", "__exit__"),
)
for _name in _SPECIALS:
    setattr(OuterObject, _name, special(_name))
