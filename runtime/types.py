"""Types of values in a graph: what is known while tracing about a value that exists when the graph runs.

Types are hints, not laws: where a type says less than the whole (a free dimension, an unknown dtype,
:class:`Unknown`), the run decides, and the run is exact.  Nothing here knows graphs or tensors.

    Type ::= Array(dtype, shape)        an ``ndarray``; a dimension is a number, a name or None (free)
           | Scalar(dtype)              a NumPy scalar, such as ``np.float64``
           | Python(kind)               an object of exactly that immutable class: int, float, bool, str, ...
           | Tuple(items)
           | List(item) | Dict(value)   a list or dict that lives when the graph runs
           | Iterator(item)             a range, ``enumerate``, ``zip``, ...: something to loop over
           | Instance(cls)              an object of a class known while tracing
           | Optional(of)               a name that perhaps is not set
           | Unknown()
"""
from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import Any

import numpy as np

Dimension = int | str | None
Shape = tuple[Dimension, ...]


@dataclass(frozen=True, slots=True)
class Type:
    """The base of all types; two types are equal when they say the same."""


@dataclass(frozen=True, slots=True)
class Array(Type):
    """An ``ndarray``; ``dtype`` or ``shape`` is None when only the run knows it."""

    dtype: np.dtype[Any] | None
    shape: Shape | None

    def __eq__(self, other: object) -> bool:
        # np.dtype(float) == None is true, so an unknown dtype has to be told apart first
        return type(other) is Array and same_dtype(self.dtype, other.dtype) and self.shape == other.shape

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))

    def __str__(self) -> str:
        name = "array" if self.dtype is None else dtype_name(self.dtype)
        if self.shape is None:
            return f"{name}[...]"
        return f"{name}[{', '.join('?' if d is None else str(d) for d in self.shape)}]"


@dataclass(frozen=True, slots=True)
class Scalar(Type):
    """A NumPy scalar of ``dtype``."""

    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"np.{dtype_name(self.dtype)}"


@dataclass(frozen=True, slots=True)
class Python(Type):
    """A Python object whose class is exactly ``kind``."""

    kind: type

    def __str__(self) -> str:
        return "None" if self.kind is NoneType else self.kind.__name__


@dataclass(frozen=True, slots=True)
class Tuple(Type):
    """A tuple with items of these types."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))}{',' if len(self.items) == 1 else ''})"


@dataclass(frozen=True, slots=True)
class List(Type):
    """A list of any length whose items all have this type."""

    item: Type

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True, slots=True)
class Dict(Type):
    """A dict whose values all have this type."""

    value: Type

    def __str__(self) -> str:
        return f"dict[{self.value}]"


@dataclass(frozen=True, slots=True)
class Iterator(Type):
    """Something that a ``for`` loops over and that yields items of this type."""

    item: Type

    def __str__(self) -> str:
        return f"iterator[{self.item}]"


@dataclass(frozen=True, slots=True)
class Instance(Type):
    """An object whose class is exactly ``cls``."""

    cls: type

    def __str__(self) -> str:
        return self.cls.__name__


@dataclass(frozen=True, slots=True)
class Optional(Type):
    """A value of type ``of``, or the mark of a name that is not set."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Anything."""

    def __str__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()
INT = Python(int)
FLOAT = Python(float)
COMPLEX = Python(complex)
BOOL = Python(bool)
STR = Python(str)
NONE = Python(NoneType)

NUMBERS = (BOOL, INT, FLOAT, COMPLEX)
IMMUTABLE = (bool, int, float, complex, str, bytes, NoneType, slice, range, type(Ellipsis))


def dtype_name(dtype: np.dtype[Any]) -> str:
    """The name a user would write: ``float64``, ``>f8`` where the byte order is not the machine's, ``U5``."""
    return dtype.name if dtype.isnative and dtype.kind in "biufcO" else dtype.str.lstrip("<=|")


def same_dtype(left: np.dtype[Any] | None, right: np.dtype[Any] | None) -> bool:
    """Whether two dtypes are the same one; None is one that is not known."""
    if left is None or right is None:
        return left is right
    return left == right


def type_of(value: object) -> Type:
    """The type of a concrete value.

    >>> import numpy as np
    >>> print(type_of(np.zeros((2, 3), np.float32)), type_of(np.float64(1)), type_of((1, 2.5)))
    float32[2, 3] np.float64 (int, float)
    """
    kind = type(value)
    if kind is np.ndarray:
        return Array(value.dtype, value.shape)  # type: ignore[attr-defined]
    if isinstance(value, np.generic):
        return Scalar(value.dtype)
    if kind is range:
        return Iterator(INT)
    if kind in IMMUTABLE:
        return Python(kind)
    if kind is tuple:
        return Tuple(tuple(type_of(item) for item in value))  # type: ignore[attr-defined]
    if kind is list:
        return List(join_all(type_of(item) for item in value))  # type: ignore[attr-defined]
    if kind is dict:
        return Dict(join_all(type_of(item) for item in value.values()))  # type: ignore[attr-defined]
    return Instance(kind)


def join_all(types: Any) -> Type:
    """The join of several types; that of none is :class:`Unknown`."""
    found: Type | None = None
    for each in types:
        found = each if found is None else join(found, each)
    return UNKNOWN if found is None else found


def join(left: Type, right: Type) -> Type:
    """The least type that both are subtypes of.

    >>> import numpy as np
    >>> print(join(type_of(np.zeros((2, 3))), type_of(np.zeros((2, 4)))))
    float64[2, ?]
    >>> print(join(INT, FLOAT))
    unknown
    """
    if left == right:
        return left
    if isinstance(left, Optional) or isinstance(right, Optional):
        left = left.of if isinstance(left, Optional) else left
        right = right.of if isinstance(right, Optional) else right
        return Optional(join(left, right))
    if isinstance(left, Array) and isinstance(right, Array):
        dtype = left.dtype if same_dtype(left.dtype, right.dtype) else None
        shape: Shape | None = None
        if left.shape is not None and right.shape is not None and len(left.shape) == len(right.shape):
            shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
        return Array(dtype, shape)
    if isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) == len(right.items):
        return Tuple(tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True)))
    if isinstance(left, List) and isinstance(right, List):
        return List(join(left.item, right.item))
    if isinstance(left, Dict) and isinstance(right, Dict):
        return Dict(join(left.value, right.value))
    if isinstance(left, Iterator) and isinstance(right, Iterator):
        return Iterator(join(left.item, right.item))
    return UNKNOWN


def is_subtype(left: Type, right: Type) -> bool:
    """Whether every value of ``left`` is one of ``right``.

    >>> is_subtype(INT, UNKNOWN), is_subtype(UNKNOWN, INT)
    (True, False)
    """
    return left == right or isinstance(right, Unknown) or join(left, right) == right


def element(container: Type) -> Type:
    """The type of what a ``for`` over a value of this type yields."""
    if isinstance(container, Array) and container.dtype is not None and container.shape is not None:
        rest = container.shape[1:]
        if len(container.shape) == 0:
            return UNKNOWN
        if rest:
            return Array(container.dtype, rest)
        return scalar_type(container.dtype)
    if isinstance(container, List | Iterator):
        return container.item
    if isinstance(container, Tuple):
        return join_all(container.items)
    if container == STR:
        return STR
    return UNKNOWN


def scalar_type(dtype: np.dtype[Any]) -> Type:
    """The type of one element of an array of ``dtype``, where the value does not decide about it.

    Object arrays hold anything, an element of a text array is as long as its text, and a scalar has the
    machine's byte order.
    """
    return UNKNOWN if dtype.kind in "OVSU" else Scalar(dtype.newbyteorder("="))


def is_number(kind: Type) -> bool:
    """Whether this is a Python number."""
    return kind in NUMBERS


def is_immutable(kind: Type) -> bool:
    """Whether no operation changes a value of this type in place, nor anything inside it."""
    if isinstance(kind, Tuple):
        return all(map(is_immutable, kind.items))
    if isinstance(kind, Scalar):
        return kind.dtype.kind not in "OV"
    return isinstance(kind, Python)


def class_of(kind: Type) -> type | None:
    """The class of the values of a type, when it is known."""
    if isinstance(kind, Array):
        return np.ndarray
    if isinstance(kind, Scalar):
        return kind.dtype.type
    if isinstance(kind, Python):
        return kind.kind
    if isinstance(kind, List):
        return list
    if isinstance(kind, Dict):
        return dict
    return kind.cls if isinstance(kind, Instance) else None


def sample_of(kind: Array | Scalar) -> Any:
    """An array or NumPy scalar of the type, to ask for its attributes."""
    sample = np.zeros((), kind.dtype or np.float64)
    return sample if isinstance(kind, Array) else sample[()]
