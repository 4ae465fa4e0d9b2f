"""The rows of reductions: ``np.sum``, ``np.mean``, ``np.argmax``, ``np.cumsum``, the ``nan`` family, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import NONE, Array, Type, type_of
from . import table
from .rules import (
    BOOL_DTYPE,
    INT_DTYPE,
    DType,
    Unclear,
    array_or_scalar,
    as_array,
    as_dtype,
    as_type,
    constant,
    known,
    normal_axis,
    probed,
    reduced_shape,
    rule,
    size_of,
)
from .ufuncs import in_place, out_type

# ------------------------------------------------------------------------------------------------------ types


def reduction_type(function: Callable[..., Any], dtype_of: DType | None = None) -> Callable[..., Type]:
    """The type rule of ``function(a, axis=None, dtype=None, out=None, keepdims=False, ...)``."""

    @rule
    def infer(
        array: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **others: Any
    ) -> Type:
        if out is not None and out != NONE:
            return _out_of(array, out)
        operand = as_array(array)
        found = result_dtype(function, operand.dtype, dtype, dtype_of)
        shape = reduced_shape(operand.shape, axis, keepdims)
        if shape == () and function in _OVERWRITE and keepdims is not False:
            raise Unclear  # of a number, the medians keep an array without dimensions
        return array_or_scalar(found, shape)

    return infer


def _out_of(array: Any, out: Any) -> Type:
    """The ``out`` array is the result, but for NumPy scalars, which may hand back a scalar."""
    if not isinstance(as_type(array), Array):
        raise Unclear
    return out_type(out)


def result_dtype(
    function: Callable[..., Any], of: DType | None, dtype: Any = None, fixed: DType | None = None
) -> DType | None:
    """The dtype that a reduction of a dtype has, from a run on one element."""
    if dtype is not None and dtype is not np._NoValue and dtype != NONE:
        wanted = as_dtype(dtype)
        # times ignore the wanted dtype
        return wanted if wanted.kind in "iufc" and of is not None and of.kind in "biufc" else None
    if fixed is not None:
        return fixed
    return None if of is None else probed(function, (known(of),))


def without_dtype(function: Callable[..., Any], dtype_of: DType | None = None) -> Callable[..., Type]:
    """The type rule of ``function(a, axis=None, out=None, keepdims=False, ...)``: ``max``, ``any``."""
    infer_all = reduction_type(function, dtype_of)

    @rule
    def infer(
        array: Any = None,
        axis: Any = None,
        out: Any = None,
        overwrite_or_keep: Any = False,
        *rest: Any,
        **others: Any,
    ) -> Type:
        if "keepdims" in others:
            keepdims = others.pop("keepdims")
        else:
            keepdims = rest[0] if rest and function in _OVERWRITE else overwrite_or_keep
            if function in _OVERWRITE and not rest:
                keepdims = False
        return infer_all(array, axis, None, out, keepdims, **others)

    return infer


_OVERWRITE = (np.median, np.nanmedian)


def scan_type(function: Callable[..., Any]) -> Callable[..., Type]:
    """The type rule of ``cumsum`` and its like: as the operand, or flat."""

    @rule
    def infer(array: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Type:
        if out is not None and out != NONE:
            return out_type(out)
        operand = as_array(array)
        found = result_dtype(function, operand.dtype, dtype)
        if constant(axis) is None:
            return Array(found, (None if operand.shape is None else size_of(operand.shape),))
        if operand.shape is None:
            return Array(found, None)
        normal_axis(axis, len(operand.shape))
        return Array(found, operand.shape)

    return infer


def quantile_type(function: Callable[..., Any]) -> Callable[..., Type]:
    """The type rule of ``function(a, q, axis=None, ...)``: the shape of ``q``, then what is left."""

    @rule
    def infer(
        array: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = False,
        **others: Any,
    ) -> Type:
        if out is not None and out != NONE:
            return out_type(out)
        operand, where = as_array(array), as_array(q)
        rest = reduced_shape(operand.shape, axis, keepdims)
        if where.shape is None or rest is None or others or method != "linear":
            raise Unclear
        shape = where.shape + rest
        if not shape and keepdims is not False:
            raise Unclear
        # doubles and integers give doubles; other dtypes depend on the class of q as well
        exact = (
            operand.dtype is not None
            and (operand.dtype.kind in "iu" or operand.dtype == np.float64)
            and where.dtype is not None
            and where.dtype == np.float64
        )
        return array_or_scalar(np.dtype(np.float64) if exact else None, shape)

    return infer


@rule
def count_type(array: Any, axis: Any = None, *, keepdims: Any = False) -> Type:
    """``np.count_nonzero``: without an axis some releases give a Python int."""
    if constant(axis) is None and not constant(keepdims):
        return _COUNT
    return array_or_scalar(INT_DTYPE, reduced_shape(as_array(array).shape, axis, keepdims))


_COUNT = type_of(np.count_nonzero(np.ones(1)))


# ------------------------------------------------------------------------------------------------------- rows


def reduction(function: Callable[..., Any], infer: Callable[..., Type], out: int, **row: Any) -> Op:
    """Add the row of a reduction of the ``np`` namespace whose ``out`` is at this place."""
    return in_place(table.call(function, f"np.{function.__name__}", infer=infer, **row), out)


_Functions = tuple[Callable[..., Any], ...]

_SUMS: _Functions = (
    np.sum,
    np.prod,
    np.mean,
    np.std,
    np.var,
    np.nansum,
    np.nanprod,
    np.nanmean,
    np.nanstd,
    np.nanvar,
)
_EXTREMES: _Functions = (np.max, np.min, np.ptp, np.median, np.nanmax, np.nanmin, np.nanmedian)
_TESTS: _Functions = (np.any, np.all)
_PLACES: _Functions = (np.argmax, np.argmin, np.nanargmax, np.nanargmin)
_SCANS: _Functions = (np.cumsum, np.cumprod, np.nancumsum, np.nancumprod)
_QUANTILES: _Functions = (np.percentile, np.quantile, np.nanpercentile, np.nanquantile)

for _function in _SUMS:
    reduction(_function, reduction_type(_function), 3)
for _function in _EXTREMES:
    reduction(_function, without_dtype(_function), 2)
for _function in _TESTS:
    reduction(_function, without_dtype(_function, BOOL_DTYPE), 2)
for _function in _PLACES:
    reduction(_function, without_dtype(_function, INT_DTYPE), 2)
for _function in _SCANS:
    reduction(_function, scan_type(_function), 3)
for _function in _QUANTILES:
    reduction(_function, quantile_type(_function), 3)

reduction(np.count_nonzero, count_type, 99)

for _alias, _of in ((np.amax, np.max), (np.amin, np.min)):
    if _alias is not _of:
        reduction(_alias, without_dtype(_of), 2)
