"""Values of two runs compared in words.  Knows values and memory; nothing of graphs or of running.

Equal means that no program could tell the one from the other: the same types all the way down, floats by
their bits (so ``-0.0`` is not ``0.0``, and ``nan`` is ``nan``), dicts in the same order, arrays by dtype,
shape and bytes, and the same objects and memory shared among them.
"""
from __future__ import annotations

import copy
import struct
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_NUMBERS = (np.generic, bool, int, float, complex)
_CALLABLES = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.ufunc, type)
_LEAVES = (*_NUMBERS, *_CALLABLES, str, bytes, np.dtype, range, slice, types.ModuleType, types.NoneType)
_Array = np.ndarray[Any, Any]
_Seen = set[tuple[int, int]]
_WORK: Any = 10_000  # of the search for a shared byte; NumPy takes any int
_SHOWN = 60  # characters of a value that a message shows


@dataclass(frozen=True, slots=True)
class Names:
    """What messages call the two runs."""

    left: str
    right: str


def describe(value: Any) -> str:
    """A value in a few words: its type, and as much of the value as a line has room for.

    >>> describe(np.float32(0.5)), describe(3), describe(None)
    ('np.float32 0.5', 'int 3', 'None')
    >>> describe(np.zeros((2, 2)))
    'float64 array of shape (2, 2): [[0.0, 0.0], [0.0, 0.0]]'
    """
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        kind = "array" if type(value) is np.ndarray else type(value).__name__
        return f"{value.dtype} {kind} of shape {value.shape}: {_short(repr(value.tolist()))}"
    if isinstance(value, np.generic):
        return f"np.{type(value).__name__} {_short(str(value))}"
    return f"{type(value).__name__} {_short(repr(value))}"


def differences(path: str, left: Any, right: Any, names: Names) -> Iterator[str]:
    """One sentence for each place where the two values differ.

    >>> list(differences("result", (1, 3), (1, np.int64(3)), Names("plain", "staged")))
    ['result[1]: plain gave int 3, staged gave np.int64 3']
    >>> list(differences("result", {"a": -0.0}, {"a": 0.0}, Names("plain", "staged")))
    ["result['a']: plain gave float -0.0, staged gave float 0.0"]
    """
    yield from _compare(path, left, right, names, set())


def _compare(path: str, left: Any, right: Any, names: Names, seen: _Seen) -> Iterator[str]:
    if left is right or (id(left), id(right)) in seen:
        return
    if type(left) is not type(right):
        yield _unlike(path, left, right, names)
        return
    if isinstance(left, np.ndarray):
        yield from _compare_arrays(path, left, right, names, seen)
        return
    if isinstance(left, types.MethodType):
        yield from _compare(f"{path}.__func__", left.__func__, right.__func__, names, seen)
        yield from _compare(f"{path}.__self__", left.__self__, right.__self__, names, seen)
        return
    if _is_leaf(left):
        if not _same_leaf(left, right):
            yield _unlike(path, left, right, names)
        return
    seen.add((id(left), id(right)))
    if isinstance(left, (list, tuple)):
        if len(left) != len(right):
            yield (
                f"{path}: {names.left} gave {len(left)} items, {names.right} gave {len(right)}: "
                f"{_short(repr(left))} and {_short(repr(right))}"
            )
            return
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from _compare(f"{path}[{index}]", one, other, names, seen)
    elif isinstance(left, dict):
        if list(left) != list(right):
            yield f"{path}: {names.left} has the keys {_short(repr(list(left)))}, " + (
                f"{names.right} has {_short(repr(list(right)))}"
            )
            return
        for key in left:
            yield from _compare(f"{path}[{key!r}]", left[key], right[key], names, seen)
    elif isinstance(left, (set, frozenset)):
        if left != right:
            yield _unlike(path, left, right, names)
    else:
        yield from _compare_objects(path, left, right, names, seen)


def _compare_arrays(path: str, left: _Array, right: _Array, names: Names, seen: _Seen) -> Iterator[str]:
    if left.dtype != right.dtype or left.shape != right.shape:
        yield _unlike(path, left, right, names)
        return
    if left.dtype.hasobject:
        for place in np.ndindex(left.shape):
            yield from _compare(path + _subscript(place), left[place], right[place], names, seen)
        return
    if left.tobytes() == right.tobytes():
        return
    places = [place for place in np.ndindex(left.shape) if left[place].tobytes() != right[place].tobytes()]
    first = places[0]
    more = f" (and at {len(places) - 1} more places)" if len(places) > 1 else ""
    yield _unlike(path + _subscript(first), left[first], right[first], names) + more


def _compare_objects(path: str, left: Any, right: Any, names: Names, seen: _Seen) -> Iterator[str]:
    """By their data; by ``==`` where there is none to look at and the class defines it."""
    one, other = data_of(left), data_of(right)
    if one is None or other is None:
        own: Any = type(left).__eq__
        if own is not object.__eq__ and not _equal(left, right):
            yield _unlike(path, left, right, names)
        return
    if list(one) != list(other):
        yield f"{path}: {names.left} has the attributes {list(one)}, {names.right} has {list(other)}"
        return
    for name in one:
        yield from _compare(f"{path}.{name}", one[name], other[name], names, seen)


def data_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an object, from its ``__dict__`` and slots; None when it has neither."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    own = getattr(value, "__dict__", None)
    if own is None and not slots:
        return None
    return {**{name: getattr(value, name) for name in slots}, **(own or {})}


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def _is_leaf(value: Any) -> bool:
    return isinstance(value, _LEAVES)


def _same_leaf(left: Any, right: Any) -> bool:
    if isinstance(left, np.generic):
        if left.dtype != right.dtype:
            return False
        return bool(left == right) if left.dtype.hasobject else left.tobytes() == right.tobytes()
    if isinstance(left, float):
        return struct.pack("d", left) == struct.pack("d", right)
    if isinstance(left, complex):
        return struct.pack("dd", left.real, left.imag) == struct.pack("dd", right.real, right.imag)
    if isinstance(left, types.FunctionType):  # each run made its own closure: only the names can be equal
        return left.__qualname__ == str(right.__qualname__)
    return bool(left == right)


def _equal(left: Any, right: Any) -> bool:
    try:
        return bool(left == right)
    except Exception:  # an __eq__ that refuses says nothing against equality
        return True


def _unlike(path: str, left: Any, right: Any, names: Names) -> str:
    one, other = describe(left), describe(right)
    if one == other:  # nan with other bits, or the same text of another class
        one, other = f"{one} ({_exactly(left)})", f"{other} ({_exactly(right)})"
    return f"{path}: {names.left} gave {one}, {names.right} gave {other}"


def _exactly(value: Any) -> str:
    if isinstance(value, np.generic):
        return f"bits {value.tobytes()[::-1].hex()}"
    if isinstance(value, float):
        return f"bits {struct.pack('>d', value).hex()}"
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _subscript(place: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, place))}]" if place else "[()]"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 4] + " ..."


# Memory


def mutable_places(path: str, value: Any, seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """The mutable objects in a value with their paths, containers before what they hold."""
    seen = set() if seen is None else seen
    if _is_leaf(value):
        return
    if type(value) not in (tuple, types.MethodType) and not _is_named_tuple(value):
        yield path, value
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from mutable_places(f"{path}[{index}]", item, seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from mutable_places(f"{path}[{key!r}]", item, seen)
    else:
        for name, item in (data_of(value) or {}).items():
            yield from mutable_places(f"{path}.{name}", item, seen)


def _is_named_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields") and not hasattr(value, "__dict__")


def sharing(places: list[tuple[str, Any]]) -> dict[tuple[str, str], str]:
    """How pairs of places hang together: ``is`` the same object, or ``shares memory with`` it.

    >>> x = np.zeros(3)
    >>> sharing([("result", x[1:]), ("args[0]", x)])
    {('result', 'args[0]'): 'shares memory with'}
    """
    relations: dict[tuple[str, str], str] = {}
    for index, (path, value) in enumerate(places):
        for other_path, other in places[:index]:
            if value is other:
                relations[other_path, path] = "is"
            elif isinstance(value, np.ndarray) and isinstance(other, np.ndarray) and _overlap(value, other):
                relations[other_path, path] = "shares memory with"
    return relations


def sharing_differences(
    left: list[tuple[str, Any]], right: list[tuple[str, Any]], names: Names, limit: int = 80
) -> Iterator[str]:
    """One sentence for each pair of places that hang together differently in the two runs."""
    one, other = sharing(left[:limit]), sharing(right[:limit])
    for pair in sorted(one.keys() | other.keys()):
        before, after = one.get(pair, "is apart from"), other.get(pair, "is apart from")
        if before != after:
            yield f"{pair[0]} {before} {pair[1]} in {names.left}, and {after} it in {names.right}"


def _overlap(left: _Array, right: _Array) -> bool:
    try:
        return np.shares_memory(left, right, max_work=_WORK)
    except (np.exceptions.TooHardError, TypeError):
        return np.may_share_memory(left, right)


def copy_values(value: Any) -> Any:
    """A deep copy in which views still share the memory of what they are views of.

    >>> x = np.zeros(3)
    >>> base, view = copy_values((x, x[1:]))
    >>> view[0] = 7.0
    >>> base.tolist(), x.tolist()
    ([0.0, 7.0, 0.0], [0.0, 0.0, 0.0])
    """
    memo: dict[int, Any] = {}
    roots: dict[int, _Array] = {}
    for _, array in mutable_places("", value):
        if type(array) is np.ndarray and not array.dtype.hasobject and id(array) not in memo:
            memo[id(array)] = _copy_view(array, roots)
    return copy.deepcopy(value, memo)


def _copy_view(array: _Array, roots: dict[int, _Array]) -> _Array:
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    if root.dtype.hasobject or not (root.flags.c_contiguous or root.flags.f_contiguous):
        return array.copy(order="K")
    if id(root) not in roots:
        roots[id(root)] = root.copy(order="K")
    copied = roots[id(root)]
    if array is root:
        view = copied
    else:
        offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        view = np.ndarray(array.shape, array.dtype, copied, offset, array.strides)
    view.flags.writeable = array.flags.writeable
    return view
