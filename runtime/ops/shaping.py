"""The rows of functions that give arrays another shape: views, such as ``reshape``, and joins."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import Op
from ..types import NONE, Array, Dimension, List, Scalar, Shape, Tuple, Type
from . import table
from .operators import choose_foreign
from .rules import (
    DType,
    Unclear,
    as_array,
    as_dtype,
    as_shape,
    as_type,
    broadcast,
    constant,
    is_integer,
    known,
    native,
    normal_axes,
    normal_axis,
    rule,
    size_of,
    unknown,
)
from .ufuncs import in_place

# -------------------------------------------------------------------------------------------------- one array


@rule
def reshape_type(array: Any, shape: Any = None, order: Any = "C", *, copy: Any = None) -> Type:
    """``reshape``: one dimension may be -1."""
    of = as_array(array)
    wanted = as_shape(shape)
    return Array(of.dtype, reshaped(of.shape, wanted))


def reshaped(of: Shape | None, wanted: Shape) -> Shape:
    """The shape after ``reshape(wanted)``; -1 is what is left, and an unknown number may be -1 itself."""
    free = [place for place, size in enumerate(wanted) if size == -1]
    if len(free) > 1:
        raise Unclear
    total = None if of is None else size_of(of)
    if not free:
        if None not in wanted and total is not None and size_of(wanted) != total:
            raise Unclear
        return wanted
    rest = size_of(wanted[: free[0]] + wanted[free[0] + 1 :])
    left: Dimension = None
    if total is not None and rest:
        if total % rest:
            raise Unclear
        left = total // rest
    elif of is not None and len(of) == 1 and rest == 1:
        left = of[0]
    return (*wanted[: free[0]], left, *wanted[free[0] + 1 :])


@rule
def flat_type(array: Any, order: Any = "C") -> Type:
    """``ravel``, ``flatten``: one dimension."""
    of = as_array(array)
    if of.shape is not None and len(of.shape) == 1:
        return of
    return Array(of.dtype, (None if of.shape is None else size_of(of.shape),))


@rule
def transpose_type(array: Any, axes: Any = None) -> Type:
    """``transpose``: reversed, or in the order of ``axes``; a NumPy scalar stays itself."""
    if isinstance(as_type(array), Scalar):
        return as_type(array)
    of = as_array(array)
    if of.shape is None:
        return of
    if axes is None or axes == NONE:
        return Array(of.dtype, of.shape[::-1])
    order = normal_axes(constant(axes), len(of.shape))
    if len(order) != len(of.shape):
        raise Unclear
    return Array(of.dtype, tuple(of.shape[place] for place in order))


@rule
def swapaxes_type(array: Any, axis1: Any, axis2: Any) -> Type:
    """``swapaxes``."""
    of = as_array(array)
    if of.shape is None:
        return of
    first, second = normal_axis(axis1, len(of.shape)), normal_axis(axis2, len(of.shape))
    shape = list(of.shape)
    shape[first], shape[second] = shape[second], shape[first]
    return Array(of.dtype, tuple(shape))


@rule
def moveaxis_type(array: Any, source: Any, destination: Any) -> Type:
    """``moveaxis``."""
    of = as_array(array)
    if of.shape is None:
        return of
    rank = len(of.shape)
    here, there = normal_axes(constant(source), rank), normal_axes(constant(destination), rank)
    order = [place for place in range(rank) if place not in here]
    for to, place in sorted(zip(there, here, strict=True)):
        order.insert(to, place)
    return Array(of.dtype, tuple(of.shape[place] for place in order))


@rule
def matrix_transpose_type(array: Any) -> Type:
    """``matrix_transpose``."""
    of = as_array(array)
    if of.shape is None:
        return of
    return Array(of.dtype, (*of.shape[:-2], of.shape[-1], of.shape[-2]))


@rule
def expand_dims_type(array: Any, axis: Any) -> Type:
    """``expand_dims``."""
    of = as_array(array)
    if of.shape is None:
        return Array(of.dtype, None)
    several = constant(axis)
    several = several if isinstance(several, (tuple, list)) else (several,)
    rank = len(of.shape) + len(several)
    axes = normal_axes(tuple(several), rank)
    rest = iter(of.shape)
    return Array(of.dtype, tuple(1 if place in axes else next(rest) for place in range(rank)))


@rule
def squeeze_type(array: Any, axis: Any = None) -> Type:
    """``squeeze``: a free dimension may be one that goes; a NumPy scalar stays itself."""
    if isinstance(as_type(array), Scalar):
        return as_type(array)
    of = as_array(array)
    if of.shape is None:
        return of
    if constant(axis) is None:
        if not all(isinstance(size, int) for size in of.shape):
            return Array(of.dtype, None)
        return Array(of.dtype, tuple(size for size in of.shape if size != 1))
    axes = normal_axes(constant(axis), len(of.shape))
    return Array(of.dtype, tuple(size for place, size in enumerate(of.shape) if place not in axes))


@rule
def same_type(array: Any, *args: Any, **kwargs: Any) -> Type:
    """``roll``, ``flip`` (which indexes, so that what has no dimensions is a scalar): as the operand."""
    return _indexed(as_array(array))


@rule
def matrix_like_type(array: Any, *args: Any, **kwargs: Any) -> Type:
    """``triu``, ``tril``: as the operand, at least two dimensions."""
    of = as_array(array)
    if of.shape is not None and len(of.shape) == 1:
        return Array(native(of.dtype), of.shape * 2)
    if of.shape is None or not of.shape:
        raise Unclear
    return Array(native(of.dtype), of.shape)


@rule
def rot90_type(array: Any, k: Any = 1, axes: Any = (0, 1)) -> Type:
    """``rot90``."""
    turned = swapaxes_type(array, *axes)
    return turned if constant(k) % 2 else _indexed(as_array(array))


def _indexed(of: Array) -> Type:
    if not of.shape:
        raise Unclear
    return of


def at_least(rank: int) -> Callable[..., Type]:
    """The rule of ``atleast_1d`` and its like, for one array."""

    @rule
    def infer(*arrays: Any) -> Type:
        if len(arrays) != 1:
            raise Unclear
        of = as_array(arrays[0])
        if of.shape is None:
            return of
        missing = rank - len(of.shape)
        if missing <= 0:
            return of
        if rank == 3:
            shape = {0: (1, 1, 1), 1: (1, *of.shape, 1), 2: (*of.shape, 1)}[len(of.shape)]
            return Array(of.dtype, shape)
        return Array(of.dtype, (1,) * missing + of.shape)

    return infer


@rule
def broadcast_to_type(array: Any, shape: Any, subok: Any = False) -> Type:
    """``broadcast_to``."""
    return Array(as_array(array).dtype, as_shape(shape))


@rule
def repeat_type(array: Any, repeats: Any, axis: Any = None) -> Type:
    """``repeat``."""
    of = as_array(array)
    count = repeats if type(repeats) is int else None
    size: Dimension
    if constant(axis) is None:
        total = None if of.shape is None else size_of(of.shape)
        return Array(of.dtype, (None if total is None or count is None else total * count,))
    if of.shape is None:
        return of
    place = normal_axis(axis, len(of.shape))
    size = of.shape[place]
    new = size * count if isinstance(size, int) and count is not None else None
    return Array(of.dtype, (*of.shape[:place], new, *of.shape[place + 1 :]))


@rule
def tile_type(array: Any, reps: Any) -> Type:
    """``tile``."""
    of = as_array(array)
    if of.shape is None:
        raise Unclear
    times = as_shape(reps)
    rank = max(len(times), len(of.shape))
    times = (1,) * (rank - len(times)) + times
    shape = (1,) * (rank - len(of.shape)) + of.shape
    return Array(of.dtype, tuple(_product(*pair) for pair in zip(times, shape, strict=True)))


def _product(count: Dimension, size: Dimension) -> Dimension:
    if isinstance(count, int) and isinstance(size, int):
        return count * size
    return size if count == 1 else None


@rule
def pad_type(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Type:
    """``pad``."""
    of = as_array(array)
    if of.shape is None or isinstance(pad_width, dict):
        return Array(of.dtype, of.shape and (None,) * len(of.shape))
    try:
        widths = np.broadcast_to(np.asarray(constant(pad_width)), (len(of.shape), 2)).tolist()
    except Unclear:
        return Array(of.dtype, (None,) * len(of.shape))
    return Array(
        of.dtype,
        tuple(
            size + before + after if isinstance(size, int) else size if before == after == 0 else None
            for size, (before, after) in zip(of.shape, widths, strict=True)
        ),
    )


@rule
def diagonal_type(array: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Type:
    """``diagonal``."""
    of = as_array(array)
    if of.shape is None:
        return of
    first, second = normal_axis(axis1, len(of.shape)), normal_axis(axis2, len(of.shape))
    if first == second:
        raise Unclear
    rest = tuple(size for place, size in enumerate(of.shape) if place not in (first, second))
    return Array(of.dtype, (*rest, _diagonal(of.shape[first], of.shape[second], offset)))


def _diagonal(rows: Dimension, columns: Dimension, offset: Any) -> Dimension:
    if type(offset) is not int:
        return None
    if isinstance(rows, int) and isinstance(columns, int):
        return max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    return rows if rows == columns and offset == 0 else None


@rule
def diag_type(array: Any, k: Any = 0) -> Type:
    """``diag``: a matrix of a vector, the diagonal of a matrix."""
    of = as_array(array)
    if of.shape is None:
        return of
    if len(of.shape) == 2:
        return Array(of.dtype, (_diagonal(*of.shape, k),))
    if len(of.shape) != 1:
        raise Unclear
    size: Dimension = of.shape[0]
    if type(k) is int and isinstance(size, int):
        size += abs(k)
    elif k != 0 or isinstance(k, Type):
        size = None
    return Array(of.dtype, (size, size))


@rule
def diagflat_type(array: Any, k: Any = 0) -> Type:
    """``diagflat``."""
    return diag_type(flat_type(array), k)


# --------------------------------------------------------------------------------------------- several arrays


def parts_of(arrays: Any) -> tuple[Array, ...]:
    """The types of a sequence of arrays given as one operand."""
    if isinstance(arrays, (tuple, list)):
        return tuple(map(as_array, arrays))
    kind = as_type(arrays)
    if isinstance(kind, Tuple):
        return tuple(map(as_array, kind.items))
    raise Unclear


def common_dtype(arrays: tuple[Array, ...], dtype: Any = None) -> DType | None:
    """The dtype that arrays joined together have."""
    if dtype is not None and dtype != NONE:
        return as_dtype(dtype)
    if any(each.dtype is None for each in arrays):
        return None
    found = functools.reduce(np.promote_types, (known(each.dtype) for each in arrays))
    return found.newbyteorder("=") if len(arrays) > 1 else found


def joined(shapes: list[Shape], axis: int) -> Shape:
    """The shape of arrays joined along an axis they have."""
    if any(len(shape) != len(shapes[0]) for shape in shapes):
        raise Unclear
    result = []
    for place, sizes in enumerate(zip(*shapes, strict=True)):
        if place == axis:
            result.append(sum(sizes) if all(isinstance(size, int) for size in sizes) else None)
            continue
        numbers = {size for size in sizes if isinstance(size, int)}
        if len(numbers) > 1:
            raise Unclear
        result.append(numbers.pop() if numbers else next((size for size in sizes if size is not None), None))
    return tuple(result)


@rule
def concatenate_type(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Type:
    """``concatenate``."""
    if out is not None:
        return as_type(out)
    if isinstance(arrays, List) or (isinstance(as_type(arrays), (List, Array)) and isinstance(arrays, Type)):
        return Array(None, None)
    parts = parts_of(arrays)
    found = common_dtype(parts, dtype)
    if constant(axis) is None:
        sizes = [None if each.shape is None else size_of(each.shape) for each in parts]
        return Array(found, (sum(size for size in sizes if size is not None) if None not in sizes else None,))
    if any(each.shape is None for each in parts):
        return Array(found, None)
    shapes = [each.shape for each in parts if each.shape is not None]
    return Array(found, joined(shapes, normal_axis(axis, len(shapes[0]))))


@rule
def stack_type(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Type:
    """``stack``."""
    if out is not None:
        return as_type(out)
    parts = parts_of(arrays)
    found = common_dtype(parts, dtype)
    if any(each.shape is None for each in parts):
        return Array(found, None)
    shapes = [each.shape for each in parts if each.shape is not None]
    common = joined(shapes, -1)
    place = normal_axis(axis, len(common) + 1)
    return Array(found, (*common[:place], len(parts), *common[place:]))


def stacking(rank: int, axis: int) -> Callable[..., Type]:
    """The rule of ``vstack``, ``hstack``, ``dstack``: joined along an axis after ``atleast_*d``."""
    raised = at_least(rank)

    @rule
    def infer(arrays: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Type:
        parts = tuple(map(as_array, map(raised, parts_of(arrays))))
        found = common_dtype(parts, dtype)
        if any(each.shape is None for each in parts):
            return Array(found, None)
        shapes = [each.shape for each in parts if each.shape is not None]
        return Array(found, joined(shapes, 0 if rank == 1 and len(shapes[0]) == 1 else axis))

    return infer


@rule
def column_stack_type(arrays: Any) -> Type:
    """``column_stack``: vectors become columns."""
    parts = []
    for each in parts_of(arrays):
        if each.shape is None or not each.shape:
            raise Unclear
        parts.append(Array(each.dtype, (*each.shape, 1)) if len(each.shape) == 1 else each)
    shapes = [each.shape for each in parts if each.shape is not None]
    return Array(common_dtype(tuple(parts)), joined(shapes, 1))


@rule
def append_type(array: Any, values: Any, axis: Any = None) -> Type:
    """``append``."""
    if constant(axis) is None:
        return concatenate_type((flat_type(array), flat_type(values)))
    return concatenate_type((array, values), axis)


@rule
def split_type(array: Any, indices_or_sections: Any, axis: Any = 0) -> Type:
    """``split``: a list of views, alike when in equal parts."""
    of = as_array(array)
    if of.shape is None:
        return List(of)
    place = normal_axis(axis, len(of.shape))
    size, count = of.shape[place], indices_or_sections
    each: Dimension = None
    if type(count) is int and isinstance(size, int):
        if size % count:
            raise Unclear
        each = size // count
    elif not (is_integer(count) or isinstance(count, (list, tuple))):
        raise Unclear
    return List(Array(of.dtype, (*of.shape[:place], each, *of.shape[place + 1 :])))


@rule
def array_split_type(array: Any, indices_or_sections: Any, axis: Any = 0) -> Type:
    """``array_split``."""
    of = as_array(array)
    if of.shape is None:
        return List(of)
    place = normal_axis(axis, len(of.shape))
    return List(Array(of.dtype, (*of.shape[:place], None, *of.shape[place + 1 :])))


@rule
def vsplit_type(array: Any, indices_or_sections: Any) -> Type:
    """``vsplit``."""
    return split_type(array, indices_or_sections, 0)


@rule
def hsplit_type(array: Any, indices_or_sections: Any) -> Type:
    """``hsplit``."""
    shape = as_array(array).shape
    if shape is None:
        raise Unclear
    return split_type(array, indices_or_sections, 1 if len(shape) > 1 else 0)


@rule
def meshgrid_type(*axes: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Type:
    """``meshgrid``: a tuple of grids."""
    kinds = [as_array(each) for each in axes]
    sizes: list[Dimension] = [None if each.shape is None else size_of(each.shape) for each in kinds]
    sizes = [
        each.shape[0] if each.shape is not None and len(each.shape) == 1 else size
        for each, size in zip(kinds, sizes, strict=True)
    ]
    places = list(range(len(kinds)))
    if constant(indexing) == "xy" and len(kinds) > 1:
        places[0], places[1] = 1, 0
    shape = [sizes[place] for place in places]
    results = []
    for number, each in enumerate(kinds):
        mine = tuple(
            size if not constant(sparse) or places[at] == number else 1 for at, size in enumerate(shape)
        )
        results.append(Array(each.dtype, mine))
    return Tuple(tuple(results))


@rule
def broadcast_arrays_type(*arrays: Any, subok: Any = False) -> Type:
    """``broadcast_arrays``: a tuple of read-only views."""
    kinds = [as_array(each) for each in arrays]
    shape = broadcast([each.shape for each in kinds])
    return Tuple(tuple(Array(each.dtype, shape) for each in kinds))


@rule
def shape_type(array: Any) -> Type:
    """``np.shape``."""
    of = as_array(array)
    if of.shape is None:
        raise Unclear
    return as_type((0,) * len(of.shape))


# ------------------------------------------------------------------------------------------------------- rows


def shaping(function: Callable[..., Any], infer: Callable[..., Type], **row: Any) -> Op:
    """Add the row of a function of the ``np`` namespace; one that gives a view is an ``alias``."""
    return choose_foreign(table.call(function, f"np.{function.__name__}", infer=infer, **row))


def view(function: Callable[..., Any], infer: Callable[..., Type]) -> None:
    """The row of a function whose result shares the operand's memory, or may."""
    shaping(function, infer, result="alias")


view(np.reshape, reshape_type)
view(np.ravel, flat_type)
view(np.transpose, transpose_type)
view(np.matrix_transpose, matrix_transpose_type)
view(np.swapaxes, swapaxes_type)
view(np.moveaxis, moveaxis_type)
view(np.rollaxis, unknown)
view(np.expand_dims, expand_dims_type)
view(np.squeeze, squeeze_type)
view(np.flip, same_type)
view(np.fliplr, same_type)
view(np.flipud, same_type)
view(np.rot90, rot90_type)
view(np.atleast_1d, at_least(1))
view(np.atleast_2d, at_least(2))
view(np.atleast_3d, at_least(3))
view(np.broadcast_to, broadcast_to_type)
view(np.broadcast_arrays, broadcast_arrays_type)
view(np.diagonal, diagonal_type)
view(np.diag, diag_type)
view(np.split, split_type)
view(np.array_split, array_split_type)
view(np.vsplit, vsplit_type)
view(np.hsplit, hsplit_type)
view(np.dsplit, unknown)
view(np.meshgrid, meshgrid_type)

shaping(np.diagflat, diagflat_type)
shaping(np.roll, same_type)
shaping(np.tril, matrix_like_type)
shaping(np.triu, matrix_like_type)
shaping(np.repeat, repeat_type)
shaping(np.tile, tile_type)
shaping(np.pad, pad_type)
shaping(np.append, append_type)
in_place(table.call(np.concatenate, "np.concatenate", infer=concatenate_type), 2)
in_place(table.call(np.stack, "np.stack", infer=stack_type), 2)
shaping(np.vstack, stacking(2, 0))
shaping(np.hstack, stacking(1, 1))
shaping(np.dstack, stacking(3, 2))
shaping(np.column_stack, column_stack_type)
shaping(np.shape, shape_type, reads=False)
