"""The rows of functions that choose, search, sort and clip elements, or put elements in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import INT, NONE, Array, Python, Scalar, Shape, Tuple, Type
from . import table
from .operators import choose_foreign, keeping
from .rules import (
    BOOL_DTYPE,
    INT_DTYPE,
    Unclear,
    always,
    array_or_scalar,
    as_array,
    as_type,
    broadcast,
    constant,
    elementwise,
    known,
    native,
    normal_axis,
    rule,
    size_of,
    unknown,
)
from .shaping import common_dtype, flat_type, parts_of
from .ufuncs import foreign, in_place, out_type, runs_code

# ------------------------------------------------------------------------------------------------------ types


@rule
def where_type(condition: Any, *choices: Any) -> Type:
    """``where``: always an array; with a condition alone, indices."""
    test = as_array(condition)
    if not choices:
        return nonzero_type(condition)
    x, y = choices
    # promotion is that of an addition of the two, bools and times apart
    shape = broadcast([test.shape, *(as_array(each).shape for each in choices)])
    kinds = as_type(x), as_type(y)
    dtype = None
    arrays = [as_array(each) for each in kinds]
    first, second = arrays[0].dtype, arrays[1].dtype
    if first is not None and second is not None and first == second:
        dtype = first
    elif all(isinstance(kind, (Array, Scalar, Python)) for kind in kinds):
        found = elementwise(np.maximum, tuple(_flat(kind) for kind in kinds))
        dtype = found.dtype if isinstance(found, Scalar) and found.dtype.kind in "biufc" else None
    if dtype is not None and dtype.kind not in "biufc":
        dtype = None
    return Array(None if dtype is None else dtype.newbyteorder("="), shape)


def _flat(kind: Type) -> Type:
    return Array(kind.dtype, ()) if isinstance(kind, Array) else kind


@rule
def nonzero_type(array: Any) -> Type:
    """``nonzero``: an index array a dimension."""
    of = as_array(array)
    if not of.shape:
        raise Unclear
    return Tuple((Array(INT_DTYPE, (None,)),) * len(of.shape))


@rule
def flatnonzero_type(array: Any) -> Type:
    """``flatnonzero``."""
    return Array(INT_DTYPE, (None,))


@rule
def argwhere_type(array: Any) -> Type:
    """``argwhere``: a row an element."""
    of = as_array(array)
    return Array(INT_DTYPE, (None, None if not of.shape else len(of.shape)))


@rule
def clip_type(array: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **kwargs: Any) -> Type:
    """``clip``: promoted with its bounds."""
    if out is not None:
        return out_type(out) if isinstance(as_type(array), Array) else _unclear()
    bounds = [kwargs.pop(name) for name in ("min", "max") if name in kwargs] + [a_min, a_max]
    if kwargs:
        raise Unclear
    bounds = [each for each in bounds if each is not None and each is not np._NoValue and each != NONE]
    kinds = [as_type(each) for each in (array, *bounds)]
    result = kinds[0]
    if not isinstance(result, (Array, Scalar)) or not all(
        isinstance(kind, (Array, Scalar, Python)) for kind in kinds
    ):
        raise Unclear
    if known(result.dtype).kind not in "iuf":
        raise Unclear
    # one ufunc of three operands: promotion by pairs is the same for two dtypes, not for three
    strong = {kind.dtype for kind in kinds if isinstance(kind, (Array, Scalar))}
    for kind in kinds[1:]:
        result = elementwise(np.maximum, (result, kind))
    result = elementwise(np.positive, (result,))
    if len(strong) < 3:
        return result
    return Array(None, result.shape) if isinstance(result, Array) else _unclear()


@rule
def take_type(array: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Type:
    """``take``."""
    if out is not None:
        return out_type(out)
    of, places = as_array(array), as_array(indices)
    if places.shape is None and indices != INT:
        raise Unclear
    chosen: Shape = places.shape or ()
    if constant(axis) is None:
        return array_or_scalar(of.dtype, chosen)
    if of.shape is None:
        raise Unclear
    at = normal_axis(axis, len(of.shape))
    return array_or_scalar(of.dtype, (*of.shape[:at], *chosen, *of.shape[at + 1 :]))


@rule
def sort_type(array: Any, axis: Any = -1, *args: Any, **kwargs: Any) -> Type:
    """``sort``, ``partition``: as the operand, or flat."""
    of = as_array(array)
    if not of.shape and of.shape is not None:
        raise Unclear
    return flat_type(of) if constant(axis) is None else of


@rule
def argsort_type(array: Any, axis: Any = -1, *args: Any, **kwargs: Any) -> Type:
    """``argsort``."""
    of = as_array(array)
    if not of.shape:
        raise Unclear
    return Array(INT_DTYPE, (size_of(of.shape),) if constant(axis) is None else of.shape)


@rule
def argpartition_type(array: Any, kth: Any, axis: Any = -1, *args: Any, **kwargs: Any) -> Type:
    """``argpartition``."""
    return argsort_type(array, axis)


@rule
def partition_type(array: Any, kth: Any, axis: Any = -1, *args: Any, **kwargs: Any) -> Type:
    """``partition``."""
    return sort_type(array, axis)


@rule
def searchsorted_type(array: Any, values: Any, side: Any = "left", sorter: Any = None) -> Type:
    """``searchsorted``: a place a value."""
    return array_or_scalar(INT_DTYPE, as_array(values).shape)


@rule
def digitize_type(array: Any, bins: Any, right: Any = False) -> Type:
    """``digitize``."""
    return array_or_scalar(INT_DTYPE, as_array(array).shape)


@rule
def unique_type(
    array: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    **kwargs: Any,
) -> Type:
    """``unique`` of the values alone."""
    of = as_array(array)
    if constant(axis) is not None or any(map(constant, (return_index, return_inverse, return_counts))):
        raise Unclear
    return Array(of.dtype, (None,))


@rule
def isin_type(element: Any, *args: Any, **kwargs: Any) -> Type:
    """``isin``: always an array."""
    return Array(BOOL_DTYPE, as_array(element).shape)


@rule
def bincount_type(array: Any, weights: Any = None, minlength: Any = 0) -> Type:
    """``bincount``."""
    none = weights is None or weights == NONE
    return Array(INT_DTYPE if none else np.dtype(np.float64), (None,))


@rule
def diff_type(
    array: Any, n: Any = 1, axis: Any = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Type:
    """``diff``: one less an order along the axis."""
    of = as_array(array)
    if of.shape is None or prepend is not np._NoValue or append is not np._NoValue or not of.shape:
        raise Unclear
    at = normal_axis(axis, len(of.shape))
    size = of.shape[at]
    length = max(size - n, 0) if type(n) is int and isinstance(size, int) else None
    if type(n) is not int or n == 0:
        raise Unclear
    kind = elementwise(np.not_equal if of.dtype == BOOL_DTYPE else np.subtract, (Array(of.dtype, ()),) * 2)
    dtype = kind.dtype if isinstance(kind, Scalar) else None
    if of.dtype is not None and of.dtype.kind in "mM":
        dtype = None
    return Array(dtype, (*of.shape[:at], length, *of.shape[at + 1 :]))


@rule
def interp_type(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Type:
    """``interp`` of real values."""
    values = as_array(fp)
    if known(values.dtype).kind not in "biuf":
        raise Unclear
    return array_or_scalar(np.dtype(np.float64), as_array(x).shape)


@rule
def take_along_axis_type(array: Any, indices: Any, axis: Any = -1) -> Type:
    """``take_along_axis``: the dtype, and as many dimensions."""
    of, places = as_array(array), as_array(indices)
    if constant(axis) is None or of.shape is None or places.shape is None:
        return Array(of.dtype, None)
    return Array(of.dtype, (None,) * len(of.shape))


@rule
def select_type(condlist: Any, choicelist: Any, default: Any = 0) -> Type:
    """``select``."""
    parts = parts_of(choicelist)
    shape = broadcast([each.shape for each in (*parts, *parts_of(condlist))])
    weak = default == 0 and not isinstance(default, Type)
    dtype = native(common_dtype(parts))
    return (
        Array(dtype if weak and dtype is not None and dtype.kind in "fc" else None, shape)
        if shape
        else _unclear()
    )


def _unclear() -> Type:
    raise Unclear


# ------------------------------------------------------------------------------------------------------- rows


def selection(function: Callable[..., Any], infer: Callable[..., Type], **row: Any) -> Op:
    """Add the row of a function of the ``np`` namespace."""
    return choose_foreign(table.call(function, f"np.{function.__name__}", infer=infer, **row))


def _choose_diff(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
    """A difference of order 0 is the array itself."""
    if any(map(runs_code, args[:1])):
        return foreign(_diff)
    order = kwargs.get("n", args[1] if len(args) > 1 else 1)
    return None if type(order) is int and order > 0 else keeping(_diff)


selection(np.where, where_type)
selection(np.nonzero, nonzero_type)
selection(np.flatnonzero, flatnonzero_type)
selection(np.argwhere, argwhere_type)
selection(np.sort, sort_type)
selection(np.partition, partition_type)
selection(np.argsort, argsort_type)
selection(np.argpartition, argpartition_type)
selection(np.lexsort, unknown)
selection(np.searchsorted, searchsorted_type)
selection(np.digitize, digitize_type)
selection(np.unique, unique_type)
selection(np.isin, isin_type)
selection(np.bincount, bincount_type)
_diff = selection(np.diff, diff_type)
table.variants(_diff, _choose_diff)
selection(np.interp, interp_type)
selection(np.take_along_axis, take_along_axis_type)
selection(np.select, select_type)
in_place(table.call(np.clip, "np.clip", infer=clip_type), 3)
in_place(table.call(np.take, "np.take", infer=take_type), 3)
in_place(table.call(np.choose, "np.choose", infer=unknown), 2)
in_place(table.call(np.compress, "np.compress", infer=unknown), 3)

# In place

for _function in (np.put, np.place, np.putmask, np.copyto, np.fill_diagonal, np.put_along_axis):
    selection(_function, always(NONE), writes=(0,), stores=True)
