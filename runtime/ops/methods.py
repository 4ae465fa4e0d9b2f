"""The rows of array methods: namesakes of functions, and those that change the array in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import COMPLEX, FLOAT, INT, NONE, STR, Array, List, Python, Scalar, Type
from . import shaping, table
from .creation import copies_shape
from .linear_algebra import dot_type, trace_type
from .numerics import ROUNDED, round_type
from .operators import choose_foreign, flagged, keeping
from .reductions import reduction_type, scan_type, without_dtype
from .rules import (
    BOOL_DTYPE,
    INT_DTYPE,
    Unclear,
    always,
    array_or_scalar,
    as_array,
    as_dtype,
    as_type,
    elementwise,
    known,
    rule,
    unknown,
)
from .selection import argsort_type, clip_type, nonzero_type, searchsorted_type, take_type
from .ufuncs import in_place, writing

REFUSED_METHODS = {
    "resize": "it gives the array another size under every view of it; np.resize returns a new array",
}
"""Methods that the tracer refuses, and why."""

# ------------------------------------------------------------------------------------------------------ types


@rule
def reshape_type(array: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Type:
    """``a.reshape(2, 3)`` or ``a.reshape((2, 3))``."""
    return shaping.reshape_type(array, shape[0] if len(shape) == 1 else shape)


@rule
def transpose_type(array: Any, *axes: Any) -> Type:
    """``a.transpose()``, ``a.transpose(1, 0)`` or ``a.transpose((1, 0))``."""
    return shaping.transpose_type(array, (axes[0] if len(axes) == 1 else axes) if axes else None)


@rule
def astype_type(array: Any, dtype: Any, *args: Any, **kwargs: Any) -> Type:
    """``astype``: an array of that dtype, of a NumPy scalar a scalar."""
    kind = as_type(array)
    wanted = None if isinstance(dtype, Type) else as_dtype(dtype)
    if isinstance(kind, Scalar):
        return array_or_scalar(wanted, ())
    return Array(wanted, as_array(kind).shape)


@rule
def item_type(array: Any, *args: Any) -> Type:
    """``item``: the Python number of one element."""
    dtype = as_array(array).dtype
    return python_number(known(dtype))


def python_number(dtype: np.dtype[Any]) -> Type:
    """The type of ``.item()``; extended floats have no Python class."""
    if (
        dtype in (np.dtype(np.longdouble), np.dtype(np.clongdouble))
        and dtype.itemsize > np.dtype(complex).itemsize // 2
        and dtype not in (np.dtype(float), np.dtype(complex))
    ):
        raise Unclear
    return {"b": Python(bool), "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}[dtype.kind]


@rule
def tolist_type(array: Any) -> Type:
    """``tolist``: nested lists, as deep as there are dimensions."""
    of = as_array(array)
    if of.shape is None:
        raise Unclear
    kind = python_number(known(of.dtype))
    for _ in of.shape:
        kind = List(kind)
    return kind


@rule
def copy_type(array: Any, *args: Any, **kwargs: Any) -> Type:
    """``copy``."""
    kind = as_type(array)
    return kind if isinstance(kind, Array) else array_or_scalar(as_array(kind).dtype, ())


@rule
def flatten_type(array: Any, order: Any = "C") -> Type:
    """``flatten``, ``ravel``."""
    return shaping.flat_type(array, order)


@rule
def view_type(array: Any, dtype: Any = None, type: Any = None) -> Type:
    """``view``: of a dtype of the same size the shape stays."""
    of = as_array(array)
    if isinstance(as_type(array), Scalar) or type is not None:
        raise Unclear
    if dtype is None:
        return of
    if isinstance(dtype, type_of_type) and issubclass(dtype, np.ndarray):
        raise Unclear
    wanted = as_dtype(dtype)
    if of.dtype is not None and of.dtype.itemsize == wanted.itemsize:
        return Array(wanted, of.shape)
    return Array(wanted, None if of.shape is None else (*of.shape[:-1], None))


type_of_type = type


@rule
def conjugate_type(array: Any, *out: Any) -> Type:
    """``conj``: real arrays are handed back as they are."""
    if out:
        return as_type(out[0])
    kind = as_type(array)
    if isinstance(kind, (Array, Scalar)) and known(kind.dtype).kind != "c":
        return kind
    return elementwise(np.conjugate, (kind,))


@rule
def byteswap_type(array: Any, inplace: Any = False) -> Type:
    """``byteswap``."""
    kind = as_type(array)
    if not isinstance(kind, Array):
        raise Unclear
    return kind


@rule
def repeat_type(array: Any, repeats: Any, axis: Any = None) -> Type:
    """``repeat``."""
    return shaping.repeat_type(array, repeats, axis)


# ------------------------------------------------------------------------------------------------------- rows


def method(name: str, infer: Callable[..., Type], out: int | None = None, **row: Any) -> Op:
    """Add the row of an array method; ``out`` is the place of that argument, the array itself counted."""
    op = table.method(name, infer=infer, **row)
    return choose_foreign(op) if out is None else in_place(op, out)


# Reductions

method("sum", reduction_type(np.sum), 3)
method("prod", reduction_type(np.prod), 3)
method("mean", reduction_type(np.mean), 3)
method("std", reduction_type(np.std), 3)
method("var", reduction_type(np.var), 3)
method("max", without_dtype(np.max), 2)
method("min", without_dtype(np.min), 2)
method("any", without_dtype(np.any, BOOL_DTYPE), 2)
method("all", without_dtype(np.all, BOOL_DTYPE), 2)
method("argmax", without_dtype(np.argmax, INT_DTYPE), 2)
method("argmin", without_dtype(np.argmin, INT_DTYPE), 2)
method("cumsum", scan_type(np.cumsum), 3)
method("cumprod", scan_type(np.cumprod), 3)
method("trace", trace_type, 5)

# Views, or what may be one

method("reshape", reshape_type, result="alias")
method("ravel", flatten_type, result="alias")
method("transpose", transpose_type, result="alias")
method("swapaxes", shaping.swapaxes_type, result="alias")
method("squeeze", shaping.squeeze_type, result="alias")
method("diagonal", shaping.diagonal_type, result="alias")
method("view", view_type, result="alias")
method("getfield", unknown, result="alias")
method("conj", conjugate_type, 1, result="alias")
method("conjugate", conjugate_type, 1, result="alias")
method("to_device", unknown, result="alias")

# Copies

method("copy", copy_type, total=copies_shape)
method("flatten", flatten_type)
_astype = method("astype", astype_type)
method("item", item_type, result="alias")
method("tolist", tolist_type, result="alias")
method("round", round_type, 2, result=ROUNDED)
method("clip", clip_type, 3)
method("repeat", repeat_type)
method("take", take_type, 3)
method("choose", unknown, 2)
method("compress", unknown, 3)
method("dot", dot_type, 2)
method("nonzero", nonzero_type)
method("argsort", argsort_type)
method("argpartition", unknown)
method("searchsorted", searchsorted_type)
method("tobytes", always(Python(bytes)))
method("dumps", always(Python(bytes)))
method("__array__", unknown, result="alias")
method("__len__", always(INT))
method("__str__", always(STR))

# In place

method("sort", always(NONE), writes=(0,))
method("partition", always(NONE), writes=(0,))
method("fill", always(NONE), writes=(0,), stores=True)
method("put", always(NONE), writes=(0,), stores=True)
method("itemset", always(NONE), writes=(0,), stores=True)
method("setfield", always(NONE), writes=(0,))

_byteswap = method("byteswap", byteswap_type)
flagged(_byteswap, "inplace", 1, False, writing(_byteswap, (0,)))
flagged(_astype, "copy", 5, True, keeping(_astype))

method("setflags", always(NONE), writes=(0,))

# To a file

method("tofile", always(NONE), region="outside")
method("dump", always(NONE), region="outside")

for _name in REFUSED_METHODS:
    method(_name, unknown, writes=(0,), region="outside")
