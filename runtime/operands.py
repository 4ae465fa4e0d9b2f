"""What counts as symbolic, and how type rules see operands."""
from __future__ import annotations

import functools
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from .graph import Operand, Value, Weakly
from .tensor import Method, Tensor
from .types import UNKNOWN, Instance, Tuple, Type, type_of

if TYPE_CHECKING:
    from .tracing import Tracer


class Traced:
    """The base of what stands for a container, an object or a name while tracing, a tensor aside."""

    __slots__ = ()

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        """The graph's operand; with ``display`` a fresh copy will do, as the op only reads it."""
        raise NotImplementedError

    def type_hint(self) -> Type:
        """The type that the operand will have."""
        return UNKNOWN

    def is_outside(self) -> bool:
        """Whether it stands for something outside that every part can reach."""
        return False

    def usable(self, tracer: Tracer) -> bool:
        """Whether it may be used in the part that is open now."""
        return True

    def to_iterable(self, tracer: Tracer) -> Any:
        """What a ``for`` loops over: a tensor, or something to loop over while tracing."""
        return self

    def truth(self, tracer: Tracer) -> Any:
        """What decides as a test: a tensor or a bool."""
        return True


@dataclass(frozen=True, slots=True)
class RawValue(Traced):
    """A value used exactly as it is, even one that may be unset."""

    value: Value

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return self.value

    def type_hint(self) -> Type:
        return self.value.type


def has_symbols(operand: Any) -> bool:
    """Whether a value that the graph makes is in here."""
    kind = type(operand)
    if kind is Tensor or kind is Method or isinstance(operand, Traced):
        return True
    if kind is tuple or kind is list or kind is set or isinstance(operand, tuple):
        return any(has_symbols(item) for item in operand)
    if kind is dict:
        return any(has_symbols(item) for item in operand.values())
    if kind is slice:
        return has_symbols((operand.start, operand.stop, operand.step))
    if kind is MethodType:
        return has_symbols(operand.__self__)
    if kind is functools.partial:
        return has_symbols((operand.func, operand.args, operand.keywords))
    return False


def abstract(operand: Operand) -> Any:
    """What a type rule sees of an operand: types for values, constants as they are."""
    kind = type(operand)
    if kind is Value:
        return operand.type
    if kind is tuple or kind is list:
        return kind(abstract(item) for item in operand)
    if kind is dict:
        return {key: abstract(item) for key, item in operand.items()}
    if kind is slice:
        return slice(abstract(operand.start), abstract(operand.stop), abstract(operand.step))
    if kind is Weakly:
        return Instance(type(operand()))
    if kind is np.ndarray or isinstance(operand, np.generic):
        return type_of(operand)
    return operand


def type_of_operand(operand: Operand) -> Type:
    """The type of a lowered operand."""
    if type(operand) is Value:
        return operand.type
    if type(operand) is tuple:
        return Tuple(tuple(type_of_operand(item) for item in operand))
    return Instance(type(operand())) if type(operand) is Weakly else type_of(operand)


@dataclass(frozen=True, slots=True)
class RawOperand(Traced):
    """Something that is lowered already."""

    operand: Operand

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return self.operand

    def type_hint(self) -> Type:
        return type_of_operand(self.operand)
