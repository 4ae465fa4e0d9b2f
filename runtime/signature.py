"""Signatures: what of its arguments a trace depends on, and how arguments become the inputs of a graph.

Every argument has a *key*: for an array its dtype and shape, for a number its class, for a text or a bool its value, for an
object its identity, and for a container the keys of what it holds.  Calls with equal keys share a trace.  A key is plain
nested tuples, so that comparing two of them tells which argument, and which item in it, called for a new trace.
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import UnsupportedArgumentError

from . import containers, paths, state
from .graph import Node, Value
from .ops import table
from .tensor import Tensor
from .types import UNKNOWN, Array, Dict, Instance, List, Python, Scalar, Shape, Tuple, Type

if TYPE_CHECKING:
    from .tracing import Tracer

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """An array argument that is described instead of given.

    Args:
        shape: a tuple of sizes, None for a free one; None when even the rank is free.
        dtype: anything that ``np.dtype`` takes; None when it is free.
        name: how the argument is called when the concrete function is called by name.

    >>> TensorSpec((None, 3), np.float32).key()
    ('array', dtype('float32'), (None, 3))
    """

    shape: tuple[int | None, ...] | None = None
    dtype: Any = np.float64
    name: str | None = None

    def key(self) -> Key:
        """The key of the arrays that fit."""
        dtype = None if self.dtype is None else np.dtype(self.dtype)
        if dtype is not None and dtype.itemsize == 0:
            dtype = None  # str and bytes of any length
        return ("array", dtype, None if self.shape is None else tuple(self.shape))


class Same:
    """An object in a key: equal to itself alone, and kept alive."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is Same and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return getattr(self.value, "__qualname__", f"a {type(self.value).__qualname__}")


def key_of(value: Any) -> Key:
    """The key of one argument.

    Raises:
        UnsupportedArgumentError: a generator, which a trace would use up.

    >>> key_of(np.zeros((2, 3))), key_of(3), key_of("fast")
    (('array', dtype('float64'), (2, 3)), ('number', <class 'int'>), ('static', <class 'str'>, 'fast'))
    """
    kind = type(value)
    if kind is np.ndarray:
        return ("array", value.dtype, value.shape)
    if kind is int or kind is float or kind is complex:
        return ("number", kind)
    if kind is bool or kind is str or kind is bytes or value is None:
        return ("static", kind, value)
    if isinstance(value, np.generic):
        return ("scalar", value.dtype)
    if kind is tuple:
        return ("tuple", *map(key_of, value))
    if isinstance(value, TensorSpec):
        return value.key()
    if kind is list:
        return ("list", *map(key_of, value)) if len(value) <= containers.KNOWN_ITEMS else ("long list",)
    if kind is dict:
        if len(value) <= containers.KNOWN_ITEMS and all(type(name) in (str, int) for name in value):
            return ("dict", *((name, key_of(item)) for name, item in value.items()))
        return ("long dict",)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ("named tuple", Same(kind), *map(key_of, value))
    if kind is set:
        return ("set",)
    if isinstance(value, np.ndarray):
        return ("object", Same(kind))
    if kind is types.GeneratorType:
        raise UnsupportedArgumentError(
            "a generator cannot be an argument of a staged function",
            why="tracing would use up its items before the program sees them",
            fix="give a list or an array",
        )
    return ("same", Same(value))


def value_key(value: Any) -> Key:
    """The key of an argument whose value tracing needs."""
    return ("static", type(value), value if value == value else repr(value))


def relaxed(key: Key) -> Key:
    """The key without the sizes of arrays: what calls that differ in sizes only have in common."""
    if key[0] == "array":
        return ("rank", key[1], None if key[2] is None else len(key[2]))
    if key[0] in ("tuple", "list", "named tuple"):
        return tuple(relaxed(item) if type(item) is tuple else item for item in key)
    if key[0] == "dict":
        return ("dict", *((name, relaxed(item)) for name, item in key[1:]))
    return key


def generalise(old: Key, new: Key) -> Key:
    """The key that both fit, where they differ in sizes only: what differs is free.

    >>> generalise(key_of(np.zeros((2, 3))), key_of(np.zeros((2, 4))))
    ('array', dtype('float64'), (2, None))
    """
    if old == new:
        return old
    if old[0] == "array":
        return ("array", old[1], tuple(a if a == b else None for a, b in zip(old[2], new[2], strict=True)))
    return tuple(
        generalise(a, b) if type(a) is tuple and a and isinstance(a[0], str) and type(b) is tuple else
        (a[0], generalise(a[1], b[1])) if type(a) is tuple else a
        for a, b in zip(old, new, strict=True)
    )  # fmt: skip


def fits(key: Key, pattern: Key) -> bool:
    """Whether arguments with this key may run a trace made for the pattern."""
    if key == pattern:
        return True
    if pattern[:1] == ("array",) and key[:1] == ("array",):
        if pattern[1] is not None and pattern[1] != key[1]:
            return False
        if pattern[2] is None:
            return True
        return len(pattern[2]) == len(key[2]) and all(
            p is None or p == k for p, k in zip(pattern[2], key[2], strict=True)
        )
    if len(key) != len(pattern) or key[:1] != pattern[:1]:
        return False
    return all(
        fits(a, b) if type(a) is tuple and type(b) is tuple else a == b
        for a, b in zip(key, pattern, strict=True)
    )


def differences(old: Key, new: Key, place: str) -> Iterator[str]:
    """What differs between two keys, in words.

    >>> list(differences(key_of(np.zeros(2)), key_of(np.zeros(3)), "x"))
    ['x shape (2,) -> (3,)']
    """
    if old == new:
        return
    if old[0] != new[0]:
        yield f"{place} {describe(old)} -> {describe(new)}"
    elif old[0] == "array":
        if old[1] != new[1]:
            yield f"{place} dtype {old[1]} -> {new[1]}"
        if old[2] != new[2]:
            yield f"{place} shape {old[2]} -> {new[2]}"
    elif old[0] in ("tuple", "list") and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old[1:], new[1:], strict=True)):
            yield from differences(a, b, f"{place}[{number}]")
    elif old[0] == "dict" and [name for name, _ in old[1:]] == [name for name, _ in new[1:]]:
        for (name, a), (_, b) in zip(old[1:], new[1:], strict=True):
            yield from differences(a, b, f"{place}[{name!r}]")
    else:
        yield f"{place} {describe(old)} -> {describe(new)}"


def describe(key: Key) -> str:
    """A key in words."""
    if key[0] == "array":
        shape = "any shape" if key[2] is None else f"shape {key[2]}".replace("None", "?")
        return f"array {key[1]} {shape}"
    if key[0] == "number":
        return str(key[1].__name__)
    if key[0] == "static":
        return repr(key[2])
    if key[0] == "scalar":
        return f"np.{key[1]}"
    if key[0] in ("tuple", "list"):
        return f"{key[0]} ({', '.join(describe(item) for item in key[1:])})"
    if key[0] == "dict":
        return "{" + ", ".join(f"{name!r}: {describe(item)}" for name, item in key[1:]) + "}"
    return repr(key[1]) if len(key) > 1 else str(key[0])


def type_of_key(key: Key, free: Iterator[str]) -> Type:
    """The type of the input for a key; free dimensions get names."""
    if key[0] == "array":
        shape: Shape | None = None if key[2] is None else tuple(next(free) if d is None else d for d in key[2])
        return Array(key[1], shape)
    if key[0] == "number":
        return Python(key[1])
    if key[0] == "scalar":
        return Scalar(key[1])
    if key[0] in ("list", "long list"):
        return List(UNKNOWN)
    if key[0] in ("dict", "long dict"):
        return Dict(UNKNOWN)
    if key[0] == "set":
        return Instance(set)
    if key[0] == "object":
        return Instance(key[1].value)
    if key[0] == "static":
        return Python(key[1])
    if key[0] == "tuple":
        return Tuple(tuple(type_of_key(item, free) for item in key[1:]))
    return UNKNOWN


def is_static(key: Key) -> bool:
    """Whether the trace sees the argument itself."""
    return key[0] in ("static", "same")


def make_argument(tracer: Tracer, name: str, key: Key, raw: Any, free: Iterator[str]) -> Any:
    """The input of the graph for one argument, and what the traced code gets for it."""
    if is_static(key):
        value = Value(name, Python(type(raw)))
        tracer.block.inputs.append(value)
        if key[0] == "static" or isinstance(raw, state.STATIC):
            return raw
        path = paths.Argument(name, ("argument", name), None, raw)
        return state.proxy(tracer, path, raw)
    value = Value(name, type_of_key(key, free))
    tracer.block.inputs.append(value)
    path = paths.Argument(name, ("argument", name), value, raw)
    return _item(tracer, name, key, raw, value, path)


def _item(tracer: Tracer, name: str, key: Key, raw: Any, value: Value, path: paths.Path) -> Any:
    """What the traced code gets for an argument or an item of a tuple."""
    kind = key[0]
    if kind in ("tuple", "named tuple"):
        keys = key[1:] if kind == "tuple" else key[2:]
        if not keys:
            return raw
        assert isinstance(value.type, Tuple | type(UNKNOWN))
        types = value.type.items if isinstance(value.type, Tuple) else tuple(_types(keys))
        node = Node(table.UNPACK, (value,), location=tracer.location())
        node.outputs = tuple(Value(f"{name}_{k}", t, node) for k, t in enumerate(types))
        tracer.add(node)
        items = []
        for k, (item_key, output) in enumerate(zip(keys, node.outputs, strict=True)):
            inner = raw[k] if raw is not None and not isinstance(raw, TensorSpec) else None
            if is_static(item_key):
                items.append(state.find(tracer, paths.item(path, k), inner))
            else:
                items.append(_item(tracer, f"{name}_{k}", item_key, inner, output, paths.item(path, k)))
        return tuple(items) if kind == "tuple" else key[1].value(*items)
    if kind in ("list", "dict"):
        if tracer.outside.is_dynamic(path):
            return Tensor(value, tracer.block, tracer)
        return state.proxy(tracer, path, raw)
    if kind in ("number", "scalar") and isinstance(path, paths.Argument):
        tracer.argument_of[value] = name
    return Tensor(value, tracer.block, tracer)


def _types(keys: tuple[Key, ...]) -> Iterator[Type]:
    names = iter(lambda: "", None)
    for key in keys:
        yield type_of_key(key, names)


def dimension_names() -> Iterator[str]:
    """Names for free dimensions: n, m, k, l, then n1, m1, ..."""
    count = 0
    while True:
        for letter in "nmklpqr":
            yield f"{letter}{count or ''}"
        count += 1
