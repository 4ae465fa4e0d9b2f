"""The rows of products of arrays, and of ``np.linalg``."""

from __future__ import annotations

import functools
import string
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import UNKNOWN, Array, Dimension, Shape, Tuple, Type
from . import table
from .operators import keeping
from .rules import (
    DType,
    Unclear,
    array_or_scalar,
    as_array,
    as_type,
    broadcast,
    constant,
    known,
    native,
    normal_axes,
    normal_axis,
    probed,
    reduced_shape,
    rule,
    size_of,
    unknown,
)
from .shaping import diagonal_type, matrix_transpose_type, parts_of
from .ufuncs import gufunc_type, in_place, out_type, reduction_dtype

# ------------------------------------------------------------------------------------------ products


def product_dtype(*operands: Array) -> DType | None:
    """The dtype of a product of arrays."""
    if any(each.dtype is None for each in operands):
        return None
    found = functools.reduce(np.promote_types, (known(each.dtype) for each in operands))
    if found.kind not in "biufc":
        raise Unclear
    return native(found)


def shapes_of(*operands: Array) -> list[Shape]:
    """The shapes, when all are known.

    Raises:
        Unclear: one is not.
    """
    shapes = [each.shape for each in operands if each.shape is not None]
    if len(shapes) != len(operands):
        raise Unclear
    return shapes


def contract(left: Dimension, right: Dimension) -> None:
    """Two dimensions that a product sums over together must not surely differ."""
    if isinstance(left, int) and isinstance(right, int) and left != right:
        raise Unclear


@rule
def dot_type(a: Any, b: Any, out: Any = None) -> Type:
    """``dot``: over the last dimension of the first and the last but one of the second."""
    if out is not None:
        return out_type(out)
    left, right = as_array(a), as_array(b)
    first, second = shapes_of(left, right)
    dtype = product_dtype(left, right)
    if not first or not second:
        return array_or_scalar(dtype, broadcast([first, second]))
    contract(first[-1], second[-1 if len(second) == 1 else -2])
    rest = () if len(second) == 1 else (*second[:-2], second[-1])
    return array_or_scalar(dtype, first[:-1] + rest)


@rule
def inner_type(a: Any, b: Any) -> Type:
    """``inner``: over the last dimensions."""
    left, right = as_array(a), as_array(b)
    first, second = shapes_of(left, right)
    dtype = product_dtype(left, right)
    if not first or not second:
        return array_or_scalar(dtype, broadcast([first, second]))
    contract(first[-1], second[-1])
    return array_or_scalar(dtype, first[:-1] + second[:-1])


@rule
def outer_type(a: Any, b: Any, out: Any = None) -> Type:
    """``outer``: both flat."""
    if out is not None:
        return out_type(out)
    left, right = as_array(a), as_array(b)
    sizes = [_flat_size(each.shape) for each in (left, right)]
    dtype = product_dtype(left, right)
    return Array(dtype, tuple(sizes))


def _flat_size(shape: Shape | None) -> Dimension:
    if shape is None:
        return None
    return shape[0] if len(shape) == 1 else size_of(shape)


@rule
def vdot_type(a: Any, b: Any) -> Type:
    """``vdot``: one number."""
    return array_or_scalar(product_dtype(as_array(a), as_array(b)), ())


@rule
def tensordot_type(a: Any, b: Any, axes: Any = 2) -> Type:
    """``tensordot``: always an array."""
    left, right = as_array(a), as_array(b)
    first, second = shapes_of(left, right)
    axes = constant(axes)
    if isinstance(axes, int):
        here: tuple[int, ...] = tuple(range(len(first) - axes, len(first)))
        there: tuple[int, ...] = tuple(range(axes))
        if min(here, default=0) < 0:
            raise Unclear
    else:
        here, there = normal_axes(axes[0], len(first)), normal_axes(axes[1], len(second))
    for one, other in zip(here, there, strict=True):
        contract(first[one], second[other])
    rest = tuple(size for place, size in enumerate(first) if place not in here)
    return Array(
        product_dtype(left, right),
        rest + tuple(size for place, size in enumerate(second) if place not in there),
    )


@rule
def einsum_type(
    subscripts: Any,
    *operands: Any,
    out: Any = None,
    optimize: Any = False,
    dtype: Any = None,
    order: Any = "K",
    casting: Any = "safe",
) -> Type:
    """``einsum`` of constant subscripts without an ellipsis."""
    if out is not None:
        return out_type(out)
    text = constant(subscripts).replace(" ", "")
    if "." in text or dtype is not None:
        raise Unclear
    inputs, arrow, result = text.partition("->")
    terms = inputs.split(",")
    arrays = [as_array(each) for each in operands]
    if not arrow:
        letters = sorted(set(inputs) - {","})
        result = "".join(letter for letter in letters if inputs.count(letter) == 1)
    sizes: dict[str, Dimension] = {}
    for term, shape in zip(terms, shapes_of(*arrays), strict=True):
        for letter, size in zip(term, shape, strict=True):
            if letter not in string.ascii_letters:
                raise Unclear
            # dimensions of one broadcast against the rest
            if letter not in sizes or sizes[letter] == 1:
                sizes[letter] = size
            elif size != 1 and sizes[letter] != size:
                contract(sizes[letter], size)
                sizes[letter] = (
                    size
                    if isinstance(size, int)
                    else sizes[letter]
                    if isinstance(sizes[letter], int)
                    else None
                )
    return array_or_scalar(product_dtype(*arrays), tuple(sizes[letter] for letter in result))


@rule
def kron_type(a: Any, b: Any) -> Type:
    """``kron``: the sizes multiplied."""
    left, right = as_array(a), as_array(b)
    first, second = shapes_of(left, right)
    rank = max(len(first), len(second))
    if not rank:
        raise Unclear
    pairs = zip((1,) * (rank - len(first)) + first, (1,) * (rank - len(second)) + second, strict=True)
    return Array(
        product_dtype(left, right),
        tuple(
            one * other if isinstance(one, int) and isinstance(other, int) else None for one, other in pairs
        ),
    )


@rule
def trace_type(
    a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None
) -> Type:
    """``trace``: a sum over a diagonal."""
    if out is not None:
        return out_type(out)
    of = as_array(a)
    (shape,) = shapes_of(of)
    axes = normal_axis(axis1, len(shape)), normal_axis(axis2, len(shape))
    return array_or_scalar(reduction_dtype(np.add, of.dtype, dtype), reduced_shape(shape, axes))


# ---------------------------------------------------------------------------------------- np.linalg


def matrix_of(operand: Any) -> tuple[Array, Shape, Dimension, Dimension]:
    """An operand that is a matrix or a stack of them: its type, the shape of the stack, rows and columns."""
    of = as_array(operand)
    (shape,) = shapes_of(of)
    if len(shape) < 2:
        raise Unclear
    return of, shape[:-2], shape[-2], shape[-1]


def float_dtype(of: Array) -> DType | None:
    """The dtype that LAPACK computes in: double for integers."""
    if of.dtype is None:
        return None
    return probed(np.linalg.inv, (of.dtype,), 2)


def real_dtype(dtype: DType | None) -> DType | None:
    """The dtype of magnitudes."""
    return None if dtype is None else np.empty(0, dtype).real.dtype


@rule
def square_type(a: Any, *args: Any, **kwargs: Any) -> Type:
    """``inv``, ``cholesky``: a matrix of the same shape."""
    of, stack, rows, columns = matrix_of(a)
    contract(rows, columns)
    return Array(float_dtype(of), (*stack, rows, columns))


@rule
def solve_type(a: Any, b: Any) -> Type:
    """``solve``: a vector for a vector, columns for columns."""
    of, stack, rows, columns = matrix_of(a)
    right = as_array(b)
    (shape,) = shapes_of(right)
    contract(rows, columns)
    dtype = None
    if of.dtype is not None and right.dtype is not None:
        dtype = probed(np.linalg.solve, (of.dtype, right.dtype), 2)
    if len(shape) == 1:
        contract(rows, shape[0])
        return Array(dtype, (*stack, rows))
    contract(rows, shape[-2])
    batch = broadcast([stack, shape[:-2]])
    if batch is None:
        raise Unclear
    return Array(dtype, (*batch, rows, shape[-1]))


@rule
def determinant_type(a: Any) -> Type:
    """``det``: a number a matrix."""
    of, stack, rows, columns = matrix_of(a)
    contract(rows, columns)
    return array_or_scalar(float_dtype(of), stack)


@rule
def eigenvalues_type(a: Any) -> Type:
    """``eigvals``: complex only where the values are, so the dtype is unknown."""
    _, stack, rows, columns = matrix_of(a)
    contract(rows, columns)
    return Array(None, (*stack, rows))


@rule
def real_eigenvalues_type(a: Any, UPLO: Any = "L") -> Type:
    """``eigvalsh``: real."""
    of, stack, rows, columns = matrix_of(a)
    contract(rows, columns)
    return Array(real_dtype(float_dtype(of)), (*stack, rows))


@rule
def singular_values_type(x: Any) -> Type:
    """``svdvals``: as many as the shorter side."""
    of, stack, rows, columns = matrix_of(x)
    count = min(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else None
    return Array(real_dtype(float_dtype(of)), (*stack, count))


@rule
def svd_type(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Type:
    """``svd``: a named tuple, of which nothing is known here, or the values alone."""
    if constant(compute_uv):
        raise Unclear
    return singular_values_type(a)


@rule
def pinv_type(a: Any, *args: Any, **kwargs: Any) -> Type:
    """``pinv``: rows and columns trade places."""
    of, stack, rows, columns = matrix_of(a)
    return Array(float_dtype(of), (*stack, columns, rows))


@rule
def power_type(a: Any, n: Any) -> Type:
    """``matrix_power``: a negative one is computed in floats."""
    of, stack, rows, columns = matrix_of(a)
    contract(rows, columns)
    dtype = None
    if type(n) is int and of.dtype is not None:
        dtype = float_dtype(of) if n < 0 else known(of.dtype)
    return Array(dtype, (*stack, rows, columns))


@rule
def norm_type(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Type:
    """``norm``: of everything, or along axes; always real."""
    of = as_array(x)
    if of.dtype is None or of.dtype.kind not in "biufc":
        raise Unclear
    if constant(ord) is not None and not isinstance(constant(ord), int):
        raise Unclear
    dtype = None if constant(ord) == 0 else probed(np.linalg.norm, (of.dtype,))
    if ord is not None:
        dtype = dtype if dtype is not None and of.dtype.kind in "fc" and of.dtype.itemsize >= 4 else None
        if of.shape is None or (axis is None and len(of.shape) > 2):
            raise Unclear
    return array_or_scalar(dtype, reduced_shape(of.shape, axis, keepdims))


@rule
def lstsq_type(a: Any, b: Any, rcond: Any = None) -> Type:
    """``lstsq``: solution, residuals, rank and singular values."""
    of, _, rows, columns = matrix_of(a)
    right = as_array(b)
    (shape,) = shapes_of(right)
    double = all(
        each.dtype is not None and (each.dtype.kind in "iu" or each.dtype == np.float64)
        for each in (of, right)
    )
    dtype = np.dtype(np.float64) if double else None
    count = min(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else None
    return Tuple(
        (Array(dtype, (columns, *shape[1:])), Array(dtype, (None,)), UNKNOWN, Array(dtype, (count,)))
    )


@rule
def multi_dot_type(arrays: Any, *, out: Any = None) -> Type:
    """``multi_dot``: ``dot`` from left to right."""
    if out is not None:
        return out_type(out)
    kinds = parts_of(arrays)
    found = functools.reduce(dot_type, kinds[1:], as_type(kinds[0]))
    if (
        len({each.dtype for each in kinds}) > 1
    ):  # the order of the products, and so of promotions, depends on sizes
        return Array(None, found.shape) if isinstance(found, Array) else UNKNOWN
    return found


@rule
def matrix_trace_type(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Type:
    """``linalg.trace``: over the last two dimensions."""
    return trace_type(x, offset, -2, -1, dtype)


@rule
def matrix_diagonal_type(x: Any, /, *, offset: Any = 0) -> Type:
    """``linalg.diagonal``: of the last two dimensions."""
    return diagonal_type(x, offset, -2, -1)


# -------------------------------------------------------------------------------------------- rows


def product(function: Callable[..., Any], infer: Callable[..., Type], out: int = 99, **row: Any) -> Op:
    """Add the row of a function of the ``np`` namespace whose ``out`` is at this place."""
    return in_place(table.call(function, f"np.{function.__name__}", infer=infer, **row), out)


def linalg(name: str, infer: Callable[..., Type], **row: Any) -> None:
    """Add the row of a function of ``np.linalg``, where this NumPy has it."""
    function = getattr(np.linalg, name, None)
    if function is not None and table.find_call(function) is None:
        in_place(table.call(function, f"np.linalg.{name}", infer=infer, **row), 99)


product(np.dot, dot_type, 2)
product(np.inner, inner_type)
product(np.outer, outer_type, 2)
product(np.vdot, vdot_type)
product(np.tensordot, tensordot_type)
product(np.kron, kron_type)
product(np.trace, trace_type, 5)
product(np.cross, unknown)

_einsum = product(np.einsum, einsum_type)


def _choose_einsum(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op | None:
    """One operand is transposed, or its diagonal taken, as a view."""
    if kwargs.get("out") is not None:
        return table.resolve(_einsum_out, args, kwargs)
    return keeping(_einsum) if len(args) <= 2 or not isinstance(args[0], str) else None


_einsum_out = in_place(Op("np.einsum", np.einsum, "call", "np.einsum", einsum_type), 99)
table.variants(_einsum, _choose_einsum)

linalg("inv", square_type)
linalg("cholesky", square_type)
linalg("solve", solve_type)
linalg("det", determinant_type)
linalg("eigvals", eigenvalues_type)
linalg("eigvalsh", real_eigenvalues_type)
linalg("svd", svd_type)
linalg("svdvals", singular_values_type)
linalg("pinv", pinv_type)
linalg("matrix_power", power_type, result="alias")
linalg("norm", norm_type)
linalg("lstsq", lstsq_type)
linalg("multi_dot", multi_dot_type)
linalg("trace", matrix_trace_type)
linalg("diagonal", matrix_diagonal_type, result="alias")
linalg("matrix_transpose", matrix_transpose_type, result="alias")
linalg("outer", outer_type)
linalg("tensordot", tensordot_type)
linalg("matmul", gufunc_type(np.matmul))
linalg("vecdot", unknown)
for _name in (
    "cond",
    "cross",
    "eig",
    "eigh",
    "matrix_norm",
    "matrix_rank",
    "qr",
    "slogdet",
    "tensorinv",
    "tensorsolve",
    "vector_norm",
):
    linalg(_name, unknown)
