"""The rows of numerical functions over samples: comparisons, rounding, statistics, signals, polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ..graph import Op
from ..types import BOOL, INT, Array, Dimension, Scalar, Tuple, Type
from . import table
from .linear_algebra import product_dtype
from .operators import choose_foreign, flagged
from .rules import (
    BOOL_DTYPE,
    FLOAT_DTYPE,
    INT_DTYPE,
    DType,
    Unclear,
    always,
    array_or_scalar,
    as_array,
    as_type,
    broadcast,
    constant,
    is_integer,
    known,
    native,
    normal_axis,
    probed,
    reduced_shape,
    rule,
    unknown,
)
from .ufuncs import in_place, out_type, writing

# ------------------------------------------------------------------------------------------ elements


@rule
def isclose_type(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Type:
    """``isclose``: bools."""
    shape = broadcast([as_array(each).shape for each in (a, b, rtol, atol)])
    return array_or_scalar(BOOL_DTYPE, shape)


@rule
def round_type(a: Any, decimals: Any = 0, out: Any = None) -> Type:
    """``round``: the dtype stays, bools apart."""
    if out is not None:
        return out_type(out)
    of = as_array(a)
    if of.dtype is None or of.dtype.kind not in "iufc":
        return array_or_scalar(None, of.shape)
    return array_or_scalar(native(of.dtype), of.shape)


_WHOLE = np.arange(2)
ROUNDED: Literal["fresh", "alias"] = "alias" if np.round(_WHOLE) is _WHOLE else "fresh"
"""NumPy before 2.3 gives integers back as they are."""


def elements(function: Callable[..., Any]) -> Callable[..., Type]:
    """The rule of a function of each element, by a run on one: ``sinc``, ``i0``, ``angle``."""

    @rule
    def infer(array: Any, *args: Any, **kwargs: Any) -> Type:
        of = as_array(array)
        if args or kwargs or of.shape is None or not of.shape:
            raise Unclear
        return Array(None if of.dtype is None else probed(function, (known(of.dtype),)), of.shape)

    return infer


@rule
def nan_to_num_type(x: Any, copy: Any = True, *args: Any, **kwargs: Any) -> Type:
    """``nan_to_num``: as the operand."""
    of = as_array(x)
    return array_or_scalar(of.dtype, of.shape)


# ---------------------------------------------------------------------------------------- statistics


@rule
def average_type(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False
) -> Type:
    """``average`` without weights is ``mean``; with weights of the same shape too, up to the dtype."""
    if constant(returned):
        raise Unclear
    of = as_array(a)
    shape = reduced_shape(of.shape, axis, keepdims)
    dtype = None
    if of.dtype is not None and weights is None and of.shape != ():
        dtype = probed(np.average, (known(of.dtype),))
    return array_or_scalar(dtype, shape) if of.shape else array_or_scalar(None, None)


@rule
def histogram_type(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Type:
    """``histogram``: counts and edges."""
    count: int | None = None
    if type(bins) is int:
        count = bins
    elif not is_integer(bins):
        raise Unclear
    exact = not constant(density) and weights is None
    return Tuple(
        (Array(INT_DTYPE if exact else None, (count,)), Array(None, (None if count is None else count + 1,)))
    )


def is_double(dtype: DType | None) -> bool:
    """Whether it is surely float64; None compares equal to it, as ``np.dtype(None)`` is it."""
    return dtype is not None and dtype == FLOAT_DTYPE


@rule
def trapezoid_type(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Type:
    """``trapezoid``: an axis less."""
    of = as_array(y)
    double = all(each is None or is_double(as_array(each).dtype) for each in (y, x, dx))
    return array_or_scalar(FLOAT_DTYPE if double else None, reduced_shape(of.shape, axis))


# ------------------------------------------------------------------------------------------- signals


@rule
def convolve_type(a: Any, v: Any, mode: Any = "full") -> Type:
    """``convolve``: the length depends on the mode."""
    left, right = as_array(a), as_array(v)
    if left.shape is None or right.shape is None or len(left.shape) != 1 or len(right.shape) != 1:
        raise Unclear
    sizes = left.shape[0], right.shape[0]
    length: Dimension = None
    if isinstance(sizes[0], int) and isinstance(sizes[1], int):
        long, short = max(sizes[0], sizes[1]), min(sizes[0], sizes[1])
        length = {"full": long + short - 1, "same": long, "valid": long - short + 1}.get(constant(mode))
    return Array(product_dtype(left, right), (length,))


@rule
def gradient_type(f: Any, *spacing: Any, axis: Any = None, edge_order: Any = 1) -> Type:
    """``gradient`` along one axis: as the operand, in floats."""
    of = as_array(f)
    if of.shape is None:
        raise Unclear
    if axis is None and len(of.shape) != 1:
        raise Unclear
    if axis is not None:
        normal_axis(axis, len(of.shape))
    simple = (is_double(of.dtype) or (of.dtype is not None and of.dtype.kind in "iu")) and all(
        as_type(each) in (INT, as_type(1.0)) or as_type(each) == Scalar(FLOAT_DTYPE) for each in spacing
    )
    return Array(FLOAT_DTYPE if simple else None, of.shape)


# --------------------------------------------------------------------------------------- polynomials


@rule
def polyval_type(p: Any, x: Any) -> Type:
    """``polyval``: a value an x; zero is added first, so that what has no dimensions is a scalar."""
    coefficients, points = as_array(p), as_array(x)
    if coefficients.shape is None or len(coefficients.shape) != 1:
        raise Unclear
    if not (is_double(coefficients.dtype) and is_double(points.dtype)):
        return Array(None, points.shape) if points.shape else array_or_scalar(None, None)
    if not points.shape:
        raise Unclear
    return Array(FLOAT_DTYPE, points.shape)


@rule
def polyfit_type(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> Type:
    """``polyfit``: one coefficient more than the degree."""
    if constant(full) or constant(cov) or not is_integer(deg):
        raise Unclear
    values = as_array(y)
    if values.shape is None or not values.shape:
        raise Unclear
    return Array(None, (deg + 1 if type(deg) is int else None, *values.shape[1:]))


# ------------------------------------------------------------------------------------------- classes


def scalar_class_type(cls: type[np.generic]) -> Callable[..., Type]:
    """The rule of ``np.float32(x)``: a NumPy scalar, or an array of an array."""
    dtype = np.dtype(cls)

    @rule
    def infer(value: Any = 0, *rest: Any) -> Type:
        if rest:
            raise Unclear
        return array_or_scalar(dtype, as_array(value).shape)

    return infer


# --------------------------------------------------------------------------------------------- rows


def numerics(function: Callable[..., Any], infer: Callable[..., Type], **row: Any) -> Op:
    """Add the row of a function of the ``np`` namespace."""
    return choose_foreign(table.call(function, f"np.{function.__name__}", infer=infer, **row))


numerics(np.isclose, isclose_type)
numerics(np.allclose, always(BOOL))
numerics(np.array_equal, always(BOOL))
numerics(np.array_equiv, always(BOOL))
numerics(np.isscalar, always(BOOL))
numerics(np.iscomplexobj, always(BOOL), reads=False)
numerics(np.isrealobj, always(BOOL), reads=False)
numerics(np.may_share_memory, always(BOOL), reads=False)
numerics(np.shares_memory, always(BOOL), reads=False)
numerics(np.ndim, always(INT), reads=False)
numerics(np.can_cast, always(BOOL), reads=False)
numerics(np.isfortran, always(BOOL), reads=False)
numerics(np.size, unknown, reads=False)
for _function in (np.round, np.around):
    in_place(table.call(_function, f"np.{_function.__name__}", infer=round_type, result=ROUNDED), 2)
_ELEMENTS: tuple[Callable[..., Any], ...] = (np.sinc, np.i0, np.unwrap, np.iscomplex, np.isreal)
for _each in _ELEMENTS:
    numerics(_each, elements(_each))
numerics(np.angle, unknown)
numerics(np.real, unknown, result="alias")
numerics(np.imag, unknown, result="alias")
numerics(np.average, average_type)
numerics(np.histogram, histogram_type)
numerics(np.trapezoid, trapezoid_type)
numerics(np.cov, unknown)
numerics(np.corrcoef, unknown)
numerics(np.convolve, convolve_type)
numerics(np.correlate, unknown)
numerics(np.gradient, gradient_type)
numerics(np.polyval, polyval_type)
numerics(np.polyfit, polyfit_type)

_nan_to_num = numerics(np.nan_to_num, nan_to_num_type)
flagged(_nan_to_num, "copy", 1, True, writing(_nan_to_num, (0,)))

for _cls in (
    np.bool_,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
    np.longlong,
    np.ulonglong,
    np.longdouble,
    np.clongdouble,
):
    if table.find_call(_cls) is None:
        choose_foreign(
            table.call(_cls, f"np.{_cls.__name__}", infer=scalar_class_type(_cls), result="alias")
        )  # an array of the dtype is handed back
