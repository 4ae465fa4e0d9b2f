"""The rows of array attributes, found with ``table.find_attribute("shape")``.

``STATIC`` names those that the type alone may decide; :func:`static` gives their value where it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..types import INT, UNKNOWN, Array, Instance, Iterator, Scalar, Tuple, Type
from . import table
from .rules import Unclear, always, as_type, element_of, rule, size_of, unknown

STATIC = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes")

_UNSET = object()


def static(name: str, kind: Type) -> Any:
    """The value of an attribute that the type decides.

    Raises:
        LookupError: it does not.

    >>> static("ndim", Array(None, (3, "n"))), static("size", Array(None, (3, 4)))
    (2, 12)
    """
    found: Any = _UNSET
    if isinstance(kind, Scalar):
        kind = Array(kind.dtype, ())
    if isinstance(kind, Array):
        shape, dtype = kind.shape, kind.dtype
        size = None if shape is None else size_of(shape)
        if name == "dtype" and dtype is not None:
            found = dtype
        elif name == "itemsize" and dtype is not None:
            found = dtype.itemsize
        elif name == "ndim" and shape is not None:
            found = len(shape)
        elif name == "shape" and size is not None:
            found = shape
        elif name == "size" and size is not None:
            found = size
        elif name == "nbytes" and size is not None and dtype is not None:
            found = size * dtype.itemsize
    if found is _UNSET:
        raise LookupError(name)
    return found


# ------------------------------------------------------------------------------------------------------ types


def of_array(function: Callable[[Array], Type]) -> Callable[..., Type]:
    """A rule of arrays that NumPy scalars share."""

    @rule
    def infer(operand: Any) -> Type:
        kind = as_type(operand)
        if isinstance(kind, Array):
            return function(kind)
        if isinstance(kind, Scalar):
            found = function(Array(kind.dtype, ()))
            return element_of(found.dtype) if isinstance(found, Array) else found
        raise Unclear

    return infer


@of_array
def shape_type(kind: Array) -> Type:
    """As many ints as dimensions."""
    return UNKNOWN if kind.shape is None else Tuple((INT,) * len(kind.shape))


@of_array
def transposed_type(kind: Array) -> Type:
    """``T``."""
    return Array(kind.dtype, None if kind.shape is None else kind.shape[::-1])


@of_array
def matrix_transposed_type(kind: Array) -> Type:
    """``mT``: the last two dimensions trade places."""
    if kind.shape is None:
        return kind
    if len(kind.shape) < 2:
        raise Unclear
    return Array(kind.dtype, (*kind.shape[:-2], kind.shape[-1], kind.shape[-2]))


@of_array
def part_type(kind: Array) -> Type:
    """``real`` and ``imag``: floats of half the width for complex numbers."""
    if kind.dtype is None or kind.dtype.kind not in "biufc":
        raise Unclear
    return Array(
        np.dtype(f"{kind.dtype.byteorder}f{kind.dtype.itemsize // 2}")
        if kind.dtype.kind == "c"
        else kind.dtype,
        kind.shape,
    )


@of_array
def flat_type(kind: Array) -> Type:
    """``flat`` yields the elements."""
    return Iterator(element_of(kind.dtype))


def is_array(operand: Any) -> bool:
    """Whether the operand surely has the attributes of arrays."""
    return isinstance(as_type(operand), (Array, Scalar))


def _has_two_dimensions(operand: Any) -> bool:
    kind = as_type(operand)
    return isinstance(kind, Array) and kind.shape is not None and len(kind.shape) >= 2


# ------------------------------------------------------------------------------------------------------- rows

table.attribute("shape", infer=shape_type, reads=False, total=is_array)
table.attribute("strides", infer=shape_type, reads=False, total=is_array)
table.attribute("ndim", infer=of_array(lambda kind: INT), reads=False, total=is_array)
table.attribute("size", infer=of_array(lambda kind: INT), reads=False, total=is_array)
table.attribute("itemsize", infer=of_array(lambda kind: INT), reads=False, total=is_array)
table.attribute("nbytes", infer=of_array(lambda kind: INT), reads=False, total=is_array)
table.attribute("dtype", infer=unknown, reads=False, total=is_array)
table.attribute("device", infer=unknown, reads=False)
table.attribute("T", infer=transposed_type, reads=False, result="alias", total=is_array)
table.attribute("mT", infer=matrix_transposed_type, reads=False, result="alias", total=_has_two_dimensions)
table.attribute("real", infer=part_type, reads=False, result="alias", total=is_array)
table.attribute("imag", infer=part_type, reads=False, result="alias", total=is_array)
table.attribute("flat", infer=flat_type, reads=False, result="alias", total=is_array)
table.attribute("base", infer=unknown, reads=False, result="alias", total=is_array)
table.attribute("flags", infer=always(Instance(type(np.zeros(0).flags))), result="alias", total=is_array)
table.attribute("ctypes", infer=unknown, reads=False, result="alias")
table.attribute("data", infer=always(Instance(memoryview)), reads=False, result="alias")
