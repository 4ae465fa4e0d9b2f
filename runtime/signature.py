"""Signatures: what of its arguments a trace depends on, and how arguments become the inputs of a graph.

Every argument has a *key*: for an array its dtype and shape, for a number its class, for a text or a bool
its value, for an object its identity, and for a container the keys of what it holds. Calls with equal keys
share a trace. A key is plain nested tuples, so that comparing two of them tells which argument, and which
item in it, called for a new trace.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.errors import UnsupportedArgumentError

from . import given_functions, state
from .bound_function import BoundFunction
from .guards import describe as describe_value
from .guards import line_of
from .outer_containers import KNOWN_ITEMS
from .specs import TensorSpec
from .types import Array, Dict, Instance, List, Python, Scalar, Tuple, Type

Key = tuple[Any, ...]


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
        if isinstance(self.value, types.CodeType):
            return f"{self.value.co_name} ({line_of(self.value)})"
        if isinstance(self.value, types.FunctionType) or state.is_staged(self.value):
            return describe_value(self.value)
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
    if kind is bool or kind is str or kind is bytes or value is None or kind is range:
        return ("static", kind, value)
    if isinstance(value, np.generic):
        return ("scalar", value.dtype)
    if kind is tuple:
        return ("tuple", *map(key_of, value))
    if isinstance(value, TensorSpec):
        return value.key()
    if kind is list:
        return ("list", *map(key_of, value)) if len(value) <= KNOWN_ITEMS else ("long list",)
    if kind is dict:
        if len(value) <= KNOWN_ITEMS and all(type(name) in (str, int) for name in value):
            return _key_of_dict(value)
        return ("long dict",)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ("named tuple", Same(kind), *map(key_of, value))
    if kind is set:
        return ("set",)
    if kind is types.MethodType or isinstance(value, BoundFunction):
        return ("method", Same(kind), Same(value.__func__), key_of(value.__self__))
    if kind is functools.partial:
        return ("partial", key_of(value.func), key_of(value.args), key_of(value.keywords))
    if kind is types.FunctionType and given_functions.is_told_by_code(value):
        return ("function", Same(value.__code__), Same(value))
    if kind is types.GeneratorType:
        raise UnsupportedArgumentError(
            "a generator cannot be an argument of a staged function",
            why="tracing would use up its items before the program sees them",
            fix="give a list or an array",
        )
    if kind is frozenset or isinstance(value, _OPAQUE) or _is_bound_builtin(value):
        return ("value", Same(kind))
    if isinstance(value, state.STATIC) or state.is_staged(value):
        return ("same", Same(value))
    return ("object", Same(kind))


def open_key(value: Any) -> Key:
    """The key of an argument that may contain itself: lists and dicts are values of the run."""
    kind = type(value)
    if kind is tuple:
        return ("tuple", *map(open_key, value))
    if kind is dict and all(type(name) is str for name in value):  # perhaps ``**options``, which is new
        return _key_of_dict(value, _closed_key)
    return _closed_key(value)


def _closed_key(value: Any) -> Key:
    kind = type(value)
    return ("long list",) if kind is list else ("long dict",) if kind is dict else key_of(value)


def key_of_star(key: Key) -> Key:
    """The key of ``*args`` from that of the tuple: their number may become free, as that of a list."""
    return ("arguments", *key[1:]) if key[0] == "tuple" else key


def _key_of_dict(items: dict[Any, Any], of: Callable[[Any], Key] = key_of) -> Key:
    """The key of a dict with texts and numbers as keys, in whatever order these are."""
    try:
        names = sorted(items)
    except TypeError:  # both
        names = sorted(items, key=lambda name: (type(name) is str, name))
    return ("dict", *[(name, of(items[name])) for name in names])


_OPAQUE = (np.ndarray, Iterator)
"""What exists for the graph only: nothing of it is looked at while tracing."""


def _is_bound_builtin(value: Any) -> bool:
    """Whether this is a method of an object, written in C: a new one each time it is asked for."""
    if not isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
        return False
    return not isinstance(value.__self__, types.ModuleType | type | None)


def holds_function(key: Key) -> bool:
    """Whether a function that is perhaps made anew for each call is in an argument with this key."""
    return key[0] == "function" or any(type(item) is tuple and item and holds_function(item) for item in key)


def value_key(value: Any) -> Key:
    """The key of an argument whose value tracing needs.

    Raises:
        UnsupportedArgumentError: it cannot be told from others by its value.
    """
    kind = type(value)
    if kind is float or kind is complex:  # nan equals nothing, and 0.0 equals -0.0
        return ("static", kind, value, repr(value))
    try:
        hash(value)
    except TypeError as error:
        raise UnsupportedArgumentError(
            f"a {kind.__name__} cannot be a static argument",
            why=f"a trace is found again by the values of static arguments: {error}",
            fix="give something hashable, such as a tuple, or do not make it static",
        ) from None
    if kind is tuple or kind is frozenset:  # (1,) equals (True,) and (1.0,)
        return ("static", kind, value, tuple(map(value_key, value)))
    return ("static", kind, value)


def relaxed(key: Key) -> Key:
    """The key without sizes of arrays and what lists and dicts hold: calls that differ in those share it."""
    kind = key[0]
    if kind == "array":
        return ("rank", key[1], None if key[2] is None else len(key[2]))
    if kind in ("list", "long list", "arguments", "long arguments", "dict", "long dict"):
        return (kind.removeprefix("long "),)
    if kind == "function":
        return key[:2]
    if kind in ("tuple", "named tuple", "method", "partial"):
        return tuple(relaxed(item) if type(item) is tuple else item for item in key)
    return key


def names_of(key: Key) -> tuple[Any, ...]:
    """The keys of a dict."""
    return tuple(name for name, _ in key[1:])


def generalise(old: Key, new: Key) -> Key | None:
    """The key that both fit: sizes that differ are free, a list or dict that differs is a run-time value.

    None where they differ in what a trace has to know.

    >>> generalise(key_of(np.zeros((2, 3))), key_of(np.zeros((2, 4))))
    ('array', dtype('float64'), (2, None))
    >>> generalise(key_of([1.0]), key_of([1.0, 2.0]))
    ('long list',)
    >>> generalise(key_of({"a": 1.0}), key_of({"a": 1.0, "b": 2.0}))
    ('long dict',)
    """
    if old == new:
        return old
    kind = old[0]
    for free in ("list", "arguments"):
        if {kind, new[0]} <= {free, f"long {free}"}:
            if len(old) == len(new) and kind == new[0]:
                items = [generalise(a, b) for a, b in zip(old[1:], new[1:], strict=True)]
                if None not in items:
                    return (free, *items)
            return (f"long {free}",) if _is_data(old) and _is_data(new) else None
    if {kind, new[0]} <= {"dict", "long dict"} and (kind != new[0] or names_of(old) != names_of(new)):
        return ("long dict",) if _is_data(old) and _is_data(new) else None
    if relaxed(old)[:1] != relaxed(new)[:1] or len(old) != len(new):
        return None
    if kind == "array":
        if old[1] != new[1] or old[2] is None or new[2] is None or len(old[2]) != len(new[2]):
            return None
        return ("array", old[1], tuple(a if a == b else None for a, b in zip(old[2], new[2], strict=True)))
    if kind == "function":
        return (*old[:2], None) if old[1] == new[1] else None
    if kind == "dict":
        found: list[Any] = [kind]
        for (name, a), (_, b) in zip(old[1:], new[1:], strict=True):
            item = generalise(a, b)
            if item is None:
                return None
            found.append((name, item))
        return tuple(found)
    if kind not in ("tuple", "named tuple", "method", "partial"):
        return None
    if kind == "partial" and (old[3][0], names_of(old[3])) != (new[3][0], names_of(new[3])):
        return None
    parts = [
        generalise(a, b) if type(a) is tuple else a if a == b else None for a, b in zip(old, new, strict=True)
    ]
    return None if None in parts else tuple(parts)


def _is_data(key: Key) -> bool:
    """Whether a trace can do without knowing what is in here: no function is."""
    kind = key[0]
    if kind == "dict":
        return all(_is_data(item) for _, item in key[1:])
    if kind in ("list", "tuple", "arguments"):
        return all(map(_is_data, key[1:]))
    return kind in _DATA


_DATA = frozenset((
    "array", "number", "scalar", "static", "set", "object", "value", "long list", "long arguments",
    "long dict",
))  # fmt: skip


def fits(key: Key, pattern: Key) -> bool:
    """Whether arguments with this key may run a trace made for the pattern."""
    if key == pattern:
        return True
    if pattern[:1] == ("array",) and key[:1] == ("array",):
        if pattern[1] is not None and pattern[1] != key[1]:
            return False
        if pattern[2] is None:
            return True
        if key[2] is None or len(pattern[2]) != len(key[2]):
            return False
        return not any(p is not None and p != k for p, k in zip(pattern[2], key[2], strict=True))
    if pattern[0] == "function":
        return key[:2] == pattern[:2] and pattern[2] in (None, key[2])
    if pattern in (("long list",), ("long arguments",), ("long dict",)):
        return bool(pattern[0] == f"long {key[0]}")
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
    kind = old[0]
    if kind == new[0] == "array":
        if old[1] is not None and old[1] != new[1]:
            yield f"{place} dtype {old[1]} -> {new[1]}"
        if old[2] is not None and not fits(("array", old[1], new[2]), old):
            yield f"{place} shape {_shape(old[2])} -> {_shape(new[2])}"
    elif kind == new[0] and kind in ("tuple", "list", "arguments") and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old[1:], new[1:], strict=True)):
            yield from differences(a, b, f"{place}[{number}]")
    elif kind == new[0] == "named tuple" and old[1] == new[1]:
        for name, a, b in zip(old[1].value._fields, old[2:], new[2:], strict=True):
            yield from differences(a, b, f"{place}.{name}")
    elif kind == new[0] == "dict" and [name for name, _ in old[1:]] == [name for name, _ in new[1:]]:
        for (name, a), (_, b) in zip(old[1:], new[1:], strict=True):
            yield from differences(a, b, f"{place}[{name!r}]")
    elif kind == new[0] == "method" and old[:3] == new[:3]:
        yield from differences(old[3], new[3], f"{place}.__self__")
    elif kind == new[0] and kind in ("list", "tuple", "arguments", "dict") and len(old) != len(new):
        yield f"{place} length {len(old) - 1} -> {len(new) - 1}"
    elif kind == new[0] == "function" and old[1] == new[1]:
        yield f"{place} {describe(old)} -> another {new[2]} with this code"
    elif kind == new[0] == "static" and repr(old[2]) == repr(new[2]):
        yield f"{place} {old[1].__name__} {old[2]!r} -> {new[1].__name__} {new[2]!r}"
    else:
        yield f"{place} {describe(old)} -> {describe(new)}"


def _shape(shape: tuple[int | None, ...] | None) -> str:
    """A shape in words; a free size is ``?``.

    >>> _shape((2, None))
    '(2, ?)'
    """
    return "any" if shape is None else str(shape).replace("None", "?")


def describe(key: Key) -> str:
    """A key in words."""
    kind = key[0]
    if kind == "array":
        dtype = "of any dtype" if key[1] is None else key[1]
        return f"array {dtype} {'any shape' if key[2] is None else f'shape {_shape(key[2])}'}"
    if kind == "number":
        return str(key[1].__name__)
    if kind == "static":
        return repr(key[2])
    if kind == "scalar":
        return f"np.{key[1]}"
    if kind in ("tuple", "list", "arguments"):
        return f"{kind} ({', '.join(describe(item) for item in key[1:])})"
    if kind == "named tuple":
        fields = zip(key[1].value._fields, key[2:], strict=True)
        return f"{key[1]}({', '.join(f'{name}: {describe(item)}' for name, item in fields)})"
    if kind == "dict":
        return "{" + ", ".join(f"{name!r}: {describe(item)}" for name, item in key[1:]) + "}"
    if kind == "method":
        return f"method {key[2]}"
    if kind == "function":
        return f"function {key[1] if key[2] is None else key[2]}"
    if kind == "partial":
        return f"partial of {describe(key[1])}"
    if kind == "value" and key[1].value in (types.BuiltinFunctionType, types.MethodWrapperType):
        return "a method of a builtin object"
    if kind in ("object", "value"):
        return f"a {key[1]}"
    if kind in ("long list", "long arguments", "long dict"):
        return str(kind).removeprefix("long ")
    return repr(key[1]) if len(key) > 1 else str(kind)


def is_static(key: Key) -> bool:
    """Whether the trace sees the argument itself."""
    return key[0] in ("static", "same") or (key[0] == "function" and key[2] is not None)


def spec_of(key: Key, name: str | None = None) -> Any:
    """What stands for an argument in ``structured_input_signature``."""
    kind = key[0]
    if kind == "array":
        return TensorSpec(key[2], key[1], name)
    if kind == "scalar":
        return key[1].type
    if kind in ("tuple", "list", "arguments"):
        return (list if kind == "list" else tuple)(map(spec_of, key[1:]))
    if kind == "long arguments":
        return (...,)
    if kind == "named tuple":
        return key[1].value(*map(spec_of, key[2:]))
    if kind == "dict":
        return {each: spec_of(item) for each, item in key[1:]}
    if kind in ("long list", "long dict", "set"):
        return {"long list": list, "long dict": dict, "set": set}[kind]
    if kind == "static":
        return key[2]
    if kind == "function":
        return types.FunctionType if key[2] is None else key[2].value
    if kind in ("same", "object", "value"):
        return key[1].value
    return key[1] if kind == "number" else describe(key)


def spec_of_type(kind: Type) -> Any:
    """What stands for a result in ``structured_outputs``: None where only the run knows."""
    if isinstance(kind, Array):
        if kind.shape is None:
            return TensorSpec(None, kind.dtype)
        return TensorSpec(tuple(d if isinstance(d, int) else None for d in kind.shape), kind.dtype)
    if isinstance(kind, Tuple):
        return tuple(map(spec_of_type, kind.items))
    if isinstance(kind, Scalar):
        return kind.dtype.type
    if isinstance(kind, Python):
        return kind.kind
    if isinstance(kind, List | Dict):
        return list if isinstance(kind, List) else dict
    return kind.cls if isinstance(kind, Instance) else None


def key_of_spec(spec: Any) -> Key:
    """The key for one entry of an ``input_signature``: a class stands for the numbers of that class."""
    if spec is int or spec is float or spec is complex:
        return ("number", spec)
    if isinstance(spec, type) and issubclass(spec, np.generic):
        return ("scalar", np.dtype(spec))
    if type(spec) in (tuple, list):
        return (type(spec).__name__, *map(key_of_spec, spec))
    if type(spec) is dict:
        return _key_of_dict(spec, key_of_spec)
    return key_of(spec)


def sample(spec: Any) -> Any:
    """What an entry of an ``input_signature`` is traced with: itself, or a number of the class that it is."""
    return spec() if isinstance(spec, type) else spec
