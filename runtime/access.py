"""Attributes, items and comparisons of symbols: what the traced code means by them, and their nodes.

An attribute is known from the type, is a method to be called, or is looked up when the graph runs.  What the
user's class does for it (a property, ``__contains__``) is traced through.
"""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import ValueNeededError

from . import containers, exceptions, outer_containers, outer_operators, paths
from .operands import RawOperand, Traced, has_symbols
from .ops import attributes, methods, table
from .outer_objects import OuterObject, refuse_class, special_method, unwrapped
from .tensor import Method, Tensor
from .types import Array, Dict, List, Optional, Python, Scalar, class_of, sample_of

if TYPE_CHECKING:
    from .tracing import Tracer


# Attributes ------------------------------------------------------------------------------------------------


def get_attribute(tracer: Tracer, tensor: Tensor, name: str) -> Any:
    """``tensor.name``: known from the type, a method to be called, or a node."""
    kind = tensor._ag_value.type
    if isinstance(kind, Optional):
        tensor = tracer.defined(tensor)
        kind = tensor._ag_value.type
    if isinstance(kind, Array | Scalar):
        return _array_attribute(tracer, tensor, kind, name)
    cls = class_of(kind)
    if cls is None:
        return tracer.apply("get_attribute", tensor, name)
    if name == "__class__":
        return cls
    found = tracer.guards.class_attribute(cls, name)
    if hasattr(cls, "__autograph_state__"):  # of ours: its code runs when the graph runs
        return Method(tensor, name) if callable(found) else tracer.apply("get_attribute", tensor, name)
    if isinstance(found, property) and found.fget is not None:
        return tracer.call(found.fget, (tensor,), {})
    if name == "__dict__":  # what is done with it may set any attribute
        tracer.assumptions.assigns(None)
    if isinstance(found, _HIDDEN) and not _knows_method(tracer, tensor, cls, name):
        return tracer.apply("get_attribute", tensor, name)
    if isinstance(found, types.FunctionType):
        return types.MethodType(found, tensor)
    if isinstance(found, classmethod):
        return types.MethodType(found.__func__, cls)
    if isinstance(found, staticmethod):
        return found.__func__
    if isinstance(found, types.MethodDescriptorType | types.WrapperDescriptorType):
        return Method(tensor, name)
    if isinstance(kind, Python | List | Dict) and not hasattr(cls, name):
        text = f"{cls.__name__!r} object has no attribute {name!r}"
        raise exceptions.deliberate(AttributeError(text, name=name, obj=tensor))
    return tracer.apply("get_attribute", tensor, name)


_HIDDEN = (
    types.FunctionType,
    classmethod,
    staticmethod,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)
"""What of a class an attribute of the object hides."""


def _knows_method(tracer: Tracer, tensor: Tensor, cls: type, name: str) -> bool:
    producer = tensor._ag_value.producer
    is_new = producer is not None and producer.op.name.startswith("new ")
    return tracer.assumptions.knows_method(cls, name, is_new)


def _array_attribute(tracer: Tracer, tensor: Tensor, kind: Array | Scalar, name: str) -> Any:
    try:
        return attributes.static(name, kind)
    except LookupError:
        pass
    if name in methods.REFUSED_METHODS:
        raise tracer.error(
            ValueNeededError,
            f"the array method {name!r} cannot be staged",
            why="it changes the memory that other arrays may share",
            fix="make a new array, or call it outside the function",
        )
    if table.find_method(name) is not None:
        return Method(tensor, name)
    row = table.find_attribute(name)
    if row is not None:
        found = tracer.record(row, (tensor,))
        if name == "shape" and isinstance(kind, Array) and kind.shape is not None:
            return tuple(d if isinstance(d, int) else s for d, s in zip(kind.shape, found, strict=True))
        return found
    try:
        held = getattr(sample_of(kind), name)
    except AttributeError as error:  # in NumPy's words, which tell what to write instead
        wanted = AttributeError(*error.args, name=name, obj=tensor)
    else:
        return Method(tensor, name) if callable(held) else tracer.apply("get_attribute", tensor, name)
    raise exceptions.deliberate(wanted)


def set_attribute(tracer: Tracer, tensor: Tensor, name: str, value: Any) -> None:
    """``tensor.name = value``."""
    kind = tensor._ag_value.type
    if isinstance(kind, Array) and name in ("shape", "dtype", "strides", "data"):
        raise tracer.error(
            ValueNeededError,
            f"assigning the {name!r} of an array cannot be staged",
            why="what the graph knows about the array and its views would no longer hold",
            fix="use reshape(), view() or astype()",
        )
    refuse_class(tracer, name)
    cls = class_of(kind)
    found = tracer.guards.class_attribute(cls, name) if cls is not None else None
    if isinstance(found, property) and found.fset is not None:
        tracer.call(found.fset, (tensor, value), {})
    else:
        tracer.assumptions.assigns(name)
        tracer.apply("set_attribute", tensor, name, value)


# Items and tests -------------------------------------------------------------------------------------------


@exceptions.on_behalf
def get_item(tracer: Tracer, container: Any, index: Any) -> Any:
    """``container[index]``."""
    if type(container) is Tensor:
        return tracer.record(
            table.get("get_item"), (container, RawOperand(tracer.lower(index, display=True)))
        )
    if isinstance(container, Traced) or not has_symbols(index):
        return container[index]
    return tracer.record(table.get("get_item"), (container, index))


@exceptions.on_behalf
def contains(tracer: Tracer, container: Any, item: Any) -> Any:
    """``item in container``."""
    if type(container) is Tensor or has_symbols(item):
        return tracer.apply("contains", container, item)
    if isinstance(container, containers.TracedContainer):
        if container.tensor is not None or has_symbols(container.held):
            return tracer.apply("contains", container, item)
        return item in container.held
    if isinstance(container, outer_containers.OuterList) or (
        has_symbols(container) and not isinstance(container, Traced)
    ):
        return tracer.apply("contains", container, item)
    if isinstance(container, OuterObject):
        found = special_method(tracer, container, "__contains__")
        if isinstance(found, types.FunctionType):
            return tracer.call(bool, (tracer.call(found, (container, item), {}),), {})
        if found is None:  # it looks at the items one by one
            return tracer.record(table.unknown_call(operator.contains, "contains"), (container, item))
        return tracer.apply("contains", container, item)
    return item in container


def is_(tracer: Tracer, left: Any, right: Any) -> Any:
    """``left is right``."""
    symbolic = exceptions.SymbolicException
    left, right = (each.tensor if isinstance(each, symbolic) else each for each in (left, right))
    if left is right:
        return True
    symbols = [operand for operand in (left, right) if type(operand) is Tensor]
    if not symbols:
        tracer.outside.compared |= isinstance(left, Traced) and isinstance(right, Traced)
        for each in (left, right):
            if isinstance(each, outer_containers.OuterContainer) and not paths.is_of_argument(each.path):
                tracer.guards.identity(each.path, each.raw)
        return unwrapped(left) is unwrapped(right)
    if len(symbols) == 2:
        if symbols[0]._ag_value is symbols[1]._ag_value:
            return True
    else:
        kind = symbols[0]._ag_value.type
        other = right if left is symbols[0] else left
        known = class_of(kind)
        if known is not None and not isinstance(other, known):
            return False
    return tracer.apply("is", *(_itself(tracer, operand) for operand in (left, right)))


def compare(tracer: Tracer, left: Any, comparison: Any, right: Any) -> Any:
    """``left < right`` and its like: of tuples with symbols inside a node, as Python compares their items."""
    name = f"__{comparison.__name__}__"
    if outer_operators.asks_right(tracer, left, name, right):
        return tracer.record(table.unknown_call(comparison, comparison.__name__), (left, right))
    for cls in (tuple, list):
        if issubclass(type(left), cls) and issubclass(type(right), cls) and has_symbols((left, right)):
            if _compares_as(cls, type(left)) and _compares_as(cls, type(right)):
                return tracer.apply(COMPARISONS[comparison], left, right)
    if type(right) is Tensor and not isinstance(left, Tensor | Traced | np.ndarray | np.generic):
        return tracer.apply(COMPARISONS[comparison], left, right)
    return exceptions.python_does(comparison, left, right)


def _compares_as(cls: type, subclass: type) -> bool:
    """Whether a named tuple, say, is compared as all tuples are: its class has no way of its own."""
    names = [f"__{function.__name__}__" for function in COMPARISONS]
    return all(getattr(subclass, name) is getattr(cls, name) for name in names)


COMPARISONS = {
    operator.lt: "less",
    operator.le: "less_equal",
    operator.eq: "equal",
    operator.ne: "not_equal",
    operator.gt: "greater",
    operator.ge: "greater_equal",
}


def _itself(tracer: Tracer, operand: Any) -> Any:
    """An outside object as an operand: the object, and not what it would be read as."""
    return (
        RawOperand(OuterObject.to_operand(operand, tracer, False))
        if isinstance(operand, OuterObject)
        else operand
    )


@exceptions.on_behalf
def format_value(tracer: Tracer, value: Any, conversion: str, spec: Any) -> Any:
    """One replacement field of an f-string."""
    if conversion:
        value = tracer.call({"r": repr, "s": str, "a": ascii}[conversion], (value,), {})
    if has_symbols(value) or has_symbols(spec):
        return tracer.apply("format", value, spec)
    return format(value, spec)
