"""What the user's code has, as operands of the graph."""

from __future__ import annotations

import functools
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, MethodWrapperType
from typing import TYPE_CHECKING, Any

from . import calls, exceptions, made_classes, made_functions, suspending
from .graph import Operand
from .operands import Traced, has_symbols
from .ops import table
from .tensor import Method, Tensor

if TYPE_CHECKING:
    from .tracing import Tracer


def lower(tracer: Tracer, operand: Any, display: bool = False) -> Operand:
    """The graph's operand for what the user's code has.

    With ``display`` a traced list may become a display of its items, as the op only reads it.

    Raises:
        StagingError: a symbol of another trace or of a part that has ended, or a function that captures
        symbols.
    """
    kind = type(operand)
    if kind is Tensor:
        return tracer.lower_tensor(operand)
    if id(operand) in tracer.made_classes:
        return tracer.made_classes[id(operand)].to_operand(tracer, display)
    if kind in _SIMPLE:
        return operand
    if kind is tuple or kind is list:
        return kind([lower(tracer, item, display) for item in operand])
    if kind is dict:
        return {key: lower(tracer, item, display) for key, item in operand.items()}
    if kind is slice:
        return slice(*(lower(tracer, item) for item in (operand.start, operand.stop, operand.step)))
    if isinstance(operand, Traced):
        return operand.to_operand(tracer, display)
    if kind is Method:
        return tracer.record_value(table.get("get_attribute"), (operand.tensor, operand.name))
    if isinstance(operand, tuple) and id(kind) in tracer.made_classes:
        return tracer.record_value(made_classes.NAMED_TUPLE, (kind, *operand))
    if isinstance(operand, tuple) and has_symbols(tuple(operand)):
        return tracer.record_value(calls.construct(kind), tuple(operand))  # type: ignore[arg-type]
    if kind is MethodType and has_symbols(operand.__self__):
        return tracer.record_value(table.get("get_attribute"), (operand.__self__, operand.__name__))
    if kind is FunctionType:
        return made_functions.to_operand(tracer, operand)
    if kind is functools.partial:
        return made_functions.partial_to_operand(tracer, operand)
    if kind in _OF_GENERATORS:
        suspending.needed(tracer, operand)
    if isinstance(operand, BaseException) and id(operand) in tracer.exceptions:
        return exceptions.to_operand(tracer, operand)
    return operand


_OF_GENERATORS = frozenset({GeneratorType, BuiltinFunctionType, MethodWrapperType})
_SIMPLE = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type}
)
