"""Type rules that many ops share: promotion, broadcasting, reduction, indices, sequences as arrays.

A rule takes the operands with every value replaced by its type (constants stay as they are) and gives the
type of the result.  It may say less than the run will show, never more; a rule that has nothing to say raises
:class:`Unclear`, which :func:`rule` turns into the unknown type.  Operands on which the op would fail at run
time are unclear too: the run raises NumPy's own error.  Nothing here names a single op.
"""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

import numpy as np

from ..types import (
    UNKNOWN,
    Array,
    Dict,
    Dimension,
    List,
    Python,
    Scalar,
    Shape,
    Tuple,
    Type,
    join_all,
    type_of,
)

DType = np.dtype[Any]

EXACT = "biufcmM"
"""The kinds of dtypes that rules reason about: not text, whose length depends on values, nor objects."""

BOOL_DTYPE: DType = np.dtype(np.bool_)
INT_DTYPE: DType = np.dtype(np.intp)
FLOAT_DTYPE: DType = np.dtype(np.float64)
COMPLEX_DTYPE: DType = np.dtype(np.complex128)


class Unclear(Exception):
    """A rule cannot tell, or the run will raise."""


def rule(function: Callable[..., Type]) -> Callable[..., Type]:
    """Make a type rule that never raises: what it cannot tell is the unknown type."""

    @functools.wraps(function)
    def infer(*args: Any, **kwargs: Any) -> Type:
        try:
            return function(*args, **kwargs)
        except Exception:  # the operands would make the op itself fail, or the rule's signature does not fit
            return UNKNOWN

    return infer


def always(result: Type) -> Callable[..., Type]:
    """The rule of ops whose result has one type whatever the operands."""

    def infer(*args: Any, **kwargs: Any) -> Type:
        return result

    return infer


unknown = always(UNKNOWN)


# --------------------------------------------------------------------------------------------------- operands


def as_type(operand: Any) -> Type:
    """The type of an operand that may be a type already, a constant, or a container of both.

    >>> print(as_type((1, Python(float))))
    (int, float)
    """
    if isinstance(operand, Type):
        return operand
    kind = type(operand)
    if kind is tuple:
        return Tuple(tuple(map(as_type, operand)))
    if kind is list:
        return List(join_all(map(as_type, operand)))
    if kind is dict:
        return Dict(join_all(map(as_type, operand.values())))
    return type_of(operand)


def as_array(operand: Any) -> Array:
    """The type of ``np.asarray(operand)``; a Python int may be too big for NumPy: its dtype is unknown."""
    kind = operand if isinstance(operand, Type) else _constant(operand)
    if isinstance(kind, Array):
        return kind
    if isinstance(kind, Scalar):
        return Array(_exact(kind.dtype), ())
    if isinstance(kind, Python):
        if kind.kind not in _STRONG:
            raise Unclear
        return Array(_STRONG[kind.kind], ())
    if isinstance(kind, Tuple) and kind.items:
        first = as_array(kind.items[0])
        items = [as_array(item) for item in kind.items]
        if first.shape is None or any(item.shape != first.shape for item in items) or None in first.shape:
            return Array(None, None)
        dtypes = [item.dtype for item in items if item.dtype is not None]
        dtype = functools.reduce(np.promote_types, dtypes) if len(dtypes) == len(items) else None
        return Array(dtype, (len(items), *first.shape))
    if isinstance(kind, List):  # perhaps empty: float64 then
        item = as_array(kind.item)
        if item.shape == ():
            # None compares equal to float64, as np.dtype(None) is
            return Array(
                FLOAT_DTYPE if item.dtype is not None and item.dtype == FLOAT_DTYPE else None, (None,)
            )
        return Array(None, None)
    raise Unclear


_STRONG: dict[type, DType | None] = {bool: BOOL_DTYPE, int: None, float: FLOAT_DTYPE, complex: COMPLEX_DTYPE}


def _constant(operand: Any) -> Type:
    """:func:`as_type`, but a sequence keeps its length, and a small int is an exact NumPy integer."""
    if type(operand) is int and -(2**63) <= operand < 2**63:
        return Scalar(INT_DTYPE)
    if type(operand) in (list, tuple) and operand:
        return Tuple(tuple(_constant(item) if not isinstance(item, Type) else item for item in operand))
    return as_type(operand)


def _exact(dtype: DType) -> DType:
    if dtype.kind not in EXACT:
        raise Unclear
    return dtype


def known(dtype: DType | None) -> DType:
    """The dtype, when it is one that rules reason about.

    Raises:
        Unclear: it is not.
    """
    if dtype is None:
        raise Unclear
    return _exact(dtype)


def native(dtype: DType | None) -> DType | None:
    """The dtype where its byte order is the machine's: some functions keep another order, some do not."""
    return dtype if dtype is not None and dtype.isnative else None


def as_dtype(operand: Any) -> DType:
    """The dtype that a constant ``dtype=`` argument names."""
    if isinstance(operand, Type) or operand is None:
        raise Unclear
    dtype: DType = np.dtype(operand)
    return _exact(dtype)


def constant(operand: Any) -> Any:
    """The operand, when it is a constant through and through.

    Raises:
        Unclear: some of it is only known when it runs.
    """
    if isinstance(operand, Type):
        if isinstance(operand, Python) and operand.kind is NoneType:
            return None
        raise Unclear
    if type(operand) in (tuple, list):
        return type(operand)(map(constant, operand))
    if type(operand) is slice:
        return slice(constant(operand.start), constant(operand.stop), constant(operand.step))
    return operand


def is_integer(operand: Any) -> bool:
    """Whether it is an integer for sure: a constant, or of an integer type (not a bool)."""
    if isinstance(operand, Type):
        return operand == Python(int) or (isinstance(operand, Scalar) and operand.dtype.kind in "iu")
    return type(operand) is int or isinstance(operand, np.integer)


# ---------------------------------------------------------------------------------------------------- results


def element_of(dtype: DType | None) -> Type:
    """The type of one element taken out of an array: native byte order, exact only for numbers and times."""
    if dtype is None or dtype.kind not in EXACT:
        return UNKNOWN
    return Scalar(dtype if dtype.isnative else dtype.newbyteorder("="))


def array_or_scalar(dtype: DType | None, shape: Shape | None) -> Type:
    """The result of ufuncs, reductions and full indices: without dimensions it is a NumPy scalar."""
    if shape is None:
        return UNKNOWN
    return Array(dtype, shape) if shape else element_of(dtype)


# ----------------------------------------------------------------------------------------------------- shapes


def broadcast(shapes: Iterable[Shape | None]) -> Shape | None:
    """The shape of operands broadcast together, None when a rank is unknown.

    >>> broadcast([(3, 1), ("n",)]), broadcast([("n",), ("m",)]), broadcast([(4,), None])
    ((3, 'n'), (None,), None)

    Raises:
        Unclear: they do not fit.
    """
    result: Shape = ()
    for shape in shapes:
        if shape is None:
            return None
        if shape == result or not shape:
            continue
        if not result:
            result = shape
            continue
        if len(shape) < len(result):
            shape, result = result, shape
        lead = len(shape) - len(result)
        result = shape[:lead] + tuple(map(broadcast_dimension, shape[lead:], result))
    return result


def broadcast_dimension(left: Dimension, right: Dimension) -> Dimension:
    """One dimension of :func:`broadcast`."""
    if left == right or right == 1:
        return left
    if left == 1:
        return right
    if isinstance(left, int):
        if isinstance(right, int):
            raise Unclear
        return left  # the other is 1 or the same, or the run raises
    return right if isinstance(right, int) else None


def surely_broadcasts(shapes: Iterable[Shape | None]) -> bool:
    """Whether the shapes fit together whatever their free dimensions turn out to be."""
    result: Shape = ()
    for shape in shapes:
        if shape is None:
            return False
        for left, right in zip(reversed(shape), reversed(result), strict=False):
            if not (left == 1 or right == 1 or (left == right and left is not None)):
                return False
        result = broadcast((result, shape)) or ()
    return True


def size_of(shape: Shape) -> int | None:
    """The number of elements, None when a dimension is free."""
    total = 1
    for dimension in shape:
        if not isinstance(dimension, int):
            return None
        total *= dimension
    return total


def normal_axis(axis: Any, rank: int) -> int:
    """A constant axis counted from the front.

    Raises:
        Unclear: it is not constant or not an axis.
    """
    if isinstance(axis, (Type, bool, np.bool_)):
        raise Unclear
    place = operator.index(axis)
    if not -rank <= place < rank:
        raise Unclear
    return place % rank


def normal_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """One axis or several, counted from the front, all of them for None."""
    if axis is None:
        return tuple(range(rank))
    axes = tuple(normal_axis(each, rank) for each in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(axes)) != len(axes):
        raise Unclear
    return axes


def as_dimension(operand: Any) -> Dimension:
    """A dimension given as an operand."""
    if isinstance(operand, Type):
        if is_integer(operand):
            return None
        raise Unclear
    return operator.index(operand)


def as_shape(operand: Any) -> Shape:
    """A shape given as an operand: an integer or a sequence of integers, constant or not.

    >>> as_shape((2, Python(int))), as_shape(3)
    ((2, None), (3,))
    """
    if isinstance(operand, Tuple):
        operand = operand.items
    if isinstance(operand, (tuple, list)):
        return tuple(map(as_dimension, operand))
    return (as_dimension(operand),)


def reduced_shape(shape: Shape | None, axis: Any, keepdims: Any = False) -> Shape | None:
    """The shape without the reduced axes; ``axis`` may be only known when it runs."""
    keep = keepdims is not np._NoValue and constant(keepdims)
    if isinstance(axis, Python) and axis.kind is NoneType:
        axis = None
    if axis is None:
        if keep:
            return None if shape is None else (1,) * len(shape)
        return ()
    if shape is None:
        return None
    if isinstance(axis, Tuple):
        axis = axis.items
    several = axis if isinstance(axis, tuple) else (axis,)
    if any(isinstance(each, Type) for each in several):
        if not all(map(is_integer, several)):
            raise Unclear
        return (None,) * (len(shape) if keep else len(shape) - len(several))
    axes = normal_axes(axis, len(shape))
    if keep:
        return tuple(1 if place in axes else d for place, d in enumerate(shape))
    return tuple(d for place, d in enumerate(shape) if place not in axes)


# -------------------------------------------------------------------------------------------------- promotion


Promoted = DType | type
_WEAK: dict[type, Promoted] = {int: int, float: float, complex: complex, bool: BOOL_DTYPE}


def promoted(kind: Type) -> Promoted | None:
    """What ``resolve_dtypes`` takes for an operand: a dtype, or a weak number's class; None when unknown."""
    if isinstance(kind, Array):
        return kind.dtype
    if isinstance(kind, Scalar):
        return kind.dtype
    if isinstance(kind, Python) and kind.kind in _WEAK:
        return _WEAK[kind.kind]
    raise Unclear


@functools.lru_cache(maxsize=4096)
def resolved(ufunc: np.ufunc, operands: tuple[Promoted, ...]) -> tuple[DType, ...]:
    """The dtypes of a ufunc's outputs; operands that no loop takes are unclear."""
    if any(isinstance(each, np.dtype) and each.kind not in EXACT for each in operands):
        raise Unclear
    try:
        found = ufunc.resolve_dtypes((*operands, *(None,) * ufunc.nout))[ufunc.nin :]
    except TypeError:
        raise Unclear from None
    if int in operands and not any(isinstance(each, np.dtype) for each in operands):
        # Python ints too big for NumPy run as objects, and come back as Python's ints and bools
        objects = any(each.endswith("->O") for each in ufunc.types)
        if any(dtype.kind in "iu" or (dtype.kind == "b" and objects) for dtype in found):
            raise Unclear
    return tuple(map(known, found))


@functools.lru_cache(maxsize=4096)
def elementwise(ufunc: np.ufunc, operands: tuple[Type, ...]) -> Type:
    """The type of a ufunc's result (a tuple type where it has several outputs) on these types."""
    kinds = [each if isinstance(each, (Array, Scalar, Python)) else as_array(each) for each in operands]
    shapes = [each.shape if isinstance(each, Array) else () for each in kinds]
    shape = broadcast(shapes)
    # not `None in ...`: None compares equal to float64, as np.dtype(None) is it
    dtypes = tuple(each for each in map(promoted, kinds) if each is not None)
    results: tuple[DType | None, ...] = (None,) * ufunc.nout
    if len(dtypes) == len(kinds):
        results = resolved(ufunc, dtypes)
    if shape is None:
        # at least one dimension somewhere makes it an array
        types: list[Type] = [Array(dtype, None) if any(shapes) else UNKNOWN for dtype in results]
    else:
        types = [array_or_scalar(dtype, shape) for dtype in results]
    return types[0] if ufunc.nout == 1 else Tuple(tuple(types))


@functools.lru_cache(maxsize=4096)
def probed(function: Callable[..., Any], dtypes: tuple[DType, ...], rank: int = 1) -> DType:
    """The dtype of a function's result, found by calling it on arrays of ones with one element.

    Only for functions whose dtype never depends on values.
    """
    for each in dtypes:
        _exact(each)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        dtype: DType = np.asarray(
            function(*(np.ones((1,) * rank, np.int8).astype(each) for each in dtypes))
        ).dtype
    return _exact(dtype)


# --------------------------------------------------------------------------------------------------- indexing


def indexed(array: Array, index: Any) -> Type:
    """The type of ``array[index]``: basic and advanced indices, as NumPy's user guide tells them apart."""
    if isinstance(index, Tuple):
        index = index.items
    places = index if isinstance(index, tuple) else (index,)
    places = tuple(None if place == Python(NoneType) else place for place in places)
    if any(isinstance(place, str) or place == Python(str) for place in places):
        raise Unclear
    if array.shape is None:
        raise Unclear
    ellipsis = sum(_is_ellipsis(place) for place in places)
    advanced: list[Shape] = []
    where: list[int] = []
    used = sum(map(_consumed, places))
    if ellipsis > 1 or used > len(array.shape):
        raise Unclear
    rest = list(array.shape)
    shape: list[Dimension] = []
    ends: list[int] = []
    arrays = False
    if not ellipsis:
        places = (*places, ...)
    for position, place in enumerate(places):
        if place is None:
            shape.append(1)
        elif _is_ellipsis(place):
            count = len(array.shape) - used
            shape += rest[:count]
            del rest[:count]
        elif isinstance(place, slice) or place == Python(slice):
            shape.append(_sliced(rest.pop(0), place))
        else:
            taken, offered, is_array = _advanced(place)
            arrays |= is_array
            del rest[:taken]
            advanced.append(offered)
            where.append(position)
            ends.append(len(shape))
    if arrays:
        common = broadcast(advanced)
        if common is None:
            raise Unclear
        together = where == list(range(where[0], where[0] + len(where)))
        start = ends[0] if together else 0
        shape[start:start] = common
        if not shape and ellipsis:
            raise Unclear
        return array_or_scalar(array.dtype, tuple(shape))
    if not shape and ellipsis:
        return Array(array.dtype, ())
    return array_or_scalar(array.dtype, tuple(shape))


def _is_ellipsis(place: Any) -> bool:
    return place is Ellipsis or place == Python(type(Ellipsis))


def _consumed(place: Any) -> int:
    """How many dimensions of the array an index takes."""
    if place is None or _is_ellipsis(place):
        return 0
    if isinstance(place, slice) or place == Python(slice):
        return 1
    return _advanced(place)[0]


def _advanced(place: Any) -> tuple[int, Shape, bool]:
    """For an integer, mask or integer array: dimensions taken, shape offered, whether it is advanced."""
    if is_integer(place):
        return 1, (), False
    if isinstance(place, List) or (type(place) is list and not place):
        raise Unclear  # perhaps empty, perhaps nested
    kind = as_array(place)
    if kind.dtype is None:
        # a list of Python ints is an integer index or an error
        if isinstance(place, (list, tuple)) and all(map(is_integer, place)):
            return 1, (len(place),), True
        raise Unclear
    if kind.shape is None:
        raise Unclear
    if kind.dtype.kind == "b":
        return len(kind.shape), (None,), True
    if kind.dtype.kind in "iu":
        return 1, kind.shape, True
    raise Unclear


def _sliced(dimension: Dimension, part: Any) -> Dimension:
    """The length of a slice of one dimension."""
    try:
        part = constant(part)
    except Unclear:
        return None
    if part == slice(None) or part == slice(None, None, -1):
        return dimension
    if isinstance(dimension, int):
        return len(range(*part.indices(dimension)))
    return None
