"""The rows of functions that make arrays out of sizes and values; every run makes a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..types import BOOL, FLOAT, INT, NONE, Array, Python, Scalar, Type, is_number
from . import table
from .operators import choose_foreign, keeping
from .rules import (
    FLOAT_DTYPE,
    INT_DTYPE,
    DType,
    Unclear,
    as_array,
    as_dimension,
    as_dtype,
    as_shape,
    as_type,
    broadcast,
    constant,
    is_integer,
    rule,
    size_of,
)

LARGE = 1 << 20
"""Creation of more elements than this may run out of memory, so it is not total."""

# ------------------------------------------------------------------------------------------------------ types


def _dtype(operand: Any, default: DType | None) -> DType | None:
    """A ``dtype=`` argument with its default; nothing is known of text and objects."""
    if operand is None or operand == NONE:
        return default
    if isinstance(operand, Type):
        return None
    return as_dtype(operand)


@rule
def filled_type(
    shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Type:
    """``zeros``, ``ones``, ``empty``."""
    _plain(like)
    return Array(_dtype(dtype, FLOAT_DTYPE), as_shape(shape))


@rule
def full_type(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Type:
    """``full``: the value's own dtype by default."""
    _plain(like)
    default = None
    if dtype is None:
        default = as_array(fill_value).dtype
    return Array(_dtype(dtype, default), as_shape(shape))


@rule
def like_type(
    prototype: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Type:
    """``zeros_like``, ``ones_like``, ``empty_like``."""
    of = as_array(prototype)
    return Array(_dtype(dtype, of.dtype), of.shape if shape is None else as_shape(shape))


@rule
def full_like_type(prototype: Any, fill_value: Any, *args: Any, **kwargs: Any) -> Type:
    """``full_like``."""
    return like_type(prototype, *args, **kwargs)


@rule
def arange_type(*args: Any, dtype: Any = None, device: Any = None, like: Any = None) -> Type:
    """``arange``: the length of constant integers, else a free one."""
    _plain(like)
    if len(args) > 3:
        args, dtype = args[:3], args[3]
    args = tuple(each for each in args if each is not None)
    kinds = [as_type(each) for each in args]
    if all(kind == INT for kind in kinds):
        constants = all(type(each) is int for each in args)
        length = len(range(*args)) if constants else None
        small = constants and all(abs(each) < 2**62 for each in args)
        if small or dtype is not None:
            return Array(_dtype(dtype, INT_DTYPE), (length if small else None,))
        return Array(None, (None,))
    found = None
    if all(kind in (INT, FLOAT) for kind in kinds):
        found = FLOAT_DTYPE
    elif all(kind == INT or (isinstance(kind, Scalar) and kind.dtype == INT_DTYPE) for kind in kinds):
        found = None if INT in kinds else INT_DTYPE
    elif not all(is_number(kind) or isinstance(kind, Scalar) for kind in kinds):
        raise Unclear
    return Array(_dtype(dtype, found), (None,))


@rule
def spaced_type(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, *args: Any, **kwargs: Any
) -> Type:
    """``linspace``, ``geomspace``, ``logspace``."""
    names = dict(zip(("retstep", "dtype", "axis"), args, strict=False)) | kwargs
    if constant(names.pop("retstep", False)) or names.pop("axis", 0) != 0 or not _kinds_exact(start, stop):
        raise Unclear
    dtype = names.pop("dtype", None)
    names.pop("device", None)
    if names:
        raise Unclear
    return _spaced(start, stop, num, dtype)


@rule
def log_spaced_type(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Type:
    """``logspace``."""
    if axis != 0 or not is_number(as_type(base)):
        raise Unclear
    return _spaced(start, stop, num, dtype)


@rule
def geom_spaced_type(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Type:
    """``geomspace``."""
    if axis != 0:
        raise Unclear
    return _spaced(start, stop, num, dtype)


def _spaced(start: Any, stop: Any, num: Any, dtype: Any) -> Type:
    ends = [as_type(start), as_type(stop)]
    shapes = [as_array(each).shape for each in ends]
    shape = broadcast(shapes)
    exact = all(end in (INT, FLOAT, BOOL) or _kinds_exact(end) for end in ends)
    found = _dtype(dtype, FLOAT_DTYPE if exact else None)
    return Array(found, None if shape is None else (as_dimension(num), *shape))


def _kinds_exact(*operands: Any) -> bool:
    """Whether these are real numbers that NumPy computes with in double precision."""
    for operand in operands:
        kind = as_type(operand)
        if kind in (INT, FLOAT, BOOL):
            continue
        dtype = as_array(kind).dtype
        if dtype is None or not (dtype.kind in "iu" or dtype == FLOAT_DTYPE):
            return False
    return True


@rule
def eye_type(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: Any = float,
    order: Any = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Type:
    """``eye``."""
    _plain(like)
    rows = as_dimension(N)
    return Array(_dtype(dtype, FLOAT_DTYPE), (rows, rows if M is None else as_dimension(M)))


@rule
def identity_type(n: Any, dtype: Any = None, *, like: Any = None) -> Type:
    """``identity``."""
    _plain(like)
    return Array(_dtype(dtype, FLOAT_DTYPE), (as_dimension(n),) * 2)


@rule
def tri_type(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *, like: Any = None) -> Type:
    """``tri``."""
    return eye_type(N, M, k, dtype, like=like)


@rule
def array_type(
    value: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    ndmax: Any = 0,
    like: Any = None,
    device: Any = None,
) -> Type:
    """``array``, ``asarray`` and their like."""
    _plain(like)
    if ndmin or ndmax:
        raise Unclear
    if isinstance(as_type(value), Python) and not is_number(as_type(value)):
        raise Unclear
    of = as_array(value)
    return Array(_dtype(dtype, of.dtype), of.shape)


@rule
def contiguous_type(value: Any, dtype: Any = None, *, like: Any = None) -> Type:
    """``ascontiguousarray``, ``asfortranarray``: at least one dimension."""
    _plain(like)
    of = as_array(value)
    return Array(_dtype(dtype, of.dtype), (1,) if of.shape == () else of.shape)


@rule
def copy_type(value: Any, order: Any = "K", subok: Any = False) -> Type:
    """``copy``."""
    return as_array(value)


@rule
def indices_type(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Type:
    """``indices``."""
    if constant(sparse):
        raise Unclear
    shape = as_shape(dimensions)
    return Array(as_dtype(dtype), (len(shape), *shape))


@rule
def window_type(M: Any, *beta: Any) -> Type:
    """``hanning`` and the other windows."""
    if type(M) is int:
        return Array(FLOAT_DTYPE, (max(M, 0),))
    if is_integer(M):
        return Array(FLOAT_DTYPE, (None,))
    raise Unclear


def _plain(like: Any) -> None:
    if like is not None:
        raise Unclear


# ------------------------------------------------------------------------------------------------------ total


def makes_small(shape: Any, dtype: Any = None, *rest: Any, **kwargs: Any) -> bool:
    """Whether the size is constant, valid and moderate, and the dtype a plain number's."""
    if rest or kwargs:
        return False
    sizes = shape if type(shape) is tuple else (shape,)
    if not all(type(size) is int and size >= 0 for size in sizes) or len(sizes) > 32:
        return False
    size = size_of(sizes)
    return size is not None and size <= LARGE and _is_plain(dtype)


def copies_shape(prototype: Any, dtype: Any = None, *rest: Any, **kwargs: Any) -> bool:
    """Whether the prototype is an array of numbers."""
    kind = as_type(prototype)
    return (
        isinstance(kind, Array)
        and kind.dtype is not None
        and kind.dtype.kind in "biufc"
        and not rest
        and not kwargs
        and _is_plain(dtype)
    )


def _is_plain(dtype: Any) -> bool:
    try:
        return dtype is None or as_dtype(dtype).kind in "biufc"
    except (Unclear, TypeError):
        return False


def counts_small(stop: Any, *rest: Any, **kwargs: Any) -> bool:
    """Whether it is ``arange`` of one moderate constant."""
    return type(stop) is int and abs(stop) <= LARGE and not rest and not kwargs


# ------------------------------------------------------------------------------------------------------- rows


def creation(function: Callable[..., Any], infer: Callable[..., Type], **row: Any) -> None:
    """Add the row of a function of the ``np`` namespace."""
    choose_foreign(table.call(function, f"np.{function.__name__}", infer=infer, **row))


creation(np.zeros, filled_type, total=makes_small)
creation(np.ones, filled_type, total=makes_small)
creation(np.empty, filled_type, total=makes_small)
creation(np.full, full_type)
creation(np.zeros_like, like_type, total=copies_shape, reads=False)
creation(np.ones_like, like_type, total=copies_shape, reads=False)
creation(np.empty_like, like_type, total=copies_shape, reads=False)
creation(np.full_like, full_like_type)
creation(np.arange, arange_type, total=counts_small)
creation(np.linspace, spaced_type)
creation(np.logspace, log_spaced_type)
creation(np.geomspace, geom_spaced_type)
creation(np.eye, eye_type)
creation(np.identity, identity_type)
creation(np.tri, tri_type)
creation(np.indices, indices_type)
for _window in (np.hanning, np.hamming, np.blackman, np.bartlett, np.kaiser):
    creation(_window, window_type)

_array = table.call(np.array, "np.array", infer=array_type)
_shared_array = keeping(_array)
table.variants(_array, lambda args, kwargs: None if kwargs.get("copy", True) is True else _shared_array)
creation(np.copy, copy_type)
creation(np.asarray, array_type, result="alias")
creation(np.asanyarray, array_type, result="alias")
creation(np.asarray_chkfinite, array_type, result="alias")
creation(np.ascontiguousarray, contiguous_type, result="alias")
creation(np.asfortranarray, contiguous_type, result="alias")
