"""Arguments as inputs of a graph: what the traced code gets for an argument with a certain key."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import outer_containers, paths, state
from .graph import Node, Value
from .ops import table
from .signature import Key, is_static
from .specs import TensorSpec
from .tensor import Tensor
from .types import UNKNOWN, Array, Dict, Instance, List, Python, Scalar, Tuple, Type
from .types import Iterator as IteratorType

if TYPE_CHECKING:
    from .tracing import Tracer


def type_of_key(key: Key, free: Iterator[str] | None) -> Type:
    """The type of the input for a key; free dimensions get names, if there are any."""
    if key[0] == "array":
        if key[2] is None or free is None:
            return Array(key[1], key[2])
        return Array(key[1], tuple([next(free) if d is None else d for d in key[2]]))
    if key[0] == "number":
        return Python(key[1])
    if key[0] == "scalar":
        return Scalar(key[1])
    if key[0] in ("list", "long list"):
        return List(UNKNOWN)
    if key[0] in ("dict", "long dict"):
        return Dict(UNKNOWN)
    if key[0] in ("set", "function"):
        return Instance(set if key[0] == "set" else types.FunctionType)
    if key[0] in ("object", "value"):
        return IteratorType(UNKNOWN) if issubclass(key[1].value, Iterator) else Instance(key[1].value)
    if key[0] == "static":
        return Python(key[1])
    if key[0] == "long arguments":
        return Instance(tuple)
    if key[0] in ("tuple", "arguments"):
        return Tuple(tuple(type_of_key(item, free) for item in key[1:]))
    return UNKNOWN


def make_argument(tracer: Tracer, name: str, key: Key, raw: Any, free: Iterator[str]) -> Any:
    """The input of the graph for one argument, and what the traced code gets for it."""
    if is_static(key):
        value = Value(name, Python(type(raw)))
        tracer.block.inputs.append(value)
        if state.stands_out(tracer, raw):
            return state.by_itself(tracer, raw)
        tracer.outside.watch(paths.Argument(name, ("argument", name), None, raw), raw)
        return raw
    value = Value(name, type_of_key(key, free))
    tracer.block.inputs.append(value)
    path = paths.Argument(name, ("argument", name), value, raw)
    return _item(tracer, name, key, raw, value, path)


def _item(tracer: Tracer, name: str, key: Key, raw: Any, value: Value, path: paths.Path) -> Any:
    """What the traced code gets for an argument or an item of a tuple."""
    kind = key[0]
    if kind in ("tuple", "arguments", "named tuple"):
        keys = key[2:] if kind == "named tuple" else key[1:]
        if not keys:
            return raw
        assert isinstance(value.type, Tuple | type(UNKNOWN))
        known = value.type.items if isinstance(value.type, Tuple) else tuple(_types(keys))
        node = Node(table.UNPACK, (value,), location=tracer.location())
        node.outputs = tuple(Value(f"{name}_{k}", t, node) for k, t in enumerate(known))
        tracer.add(node)
        items = []
        for k, (item_key, output) in enumerate(zip(keys, node.outputs, strict=True)):
            inner = raw[k] if raw is not None and not isinstance(raw, TensorSpec) else None
            if is_static(item_key):
                items.append(state.find(tracer, paths.item(path, k), inner))
            else:
                items.append(_item(tracer, f"{name}_{k}", item_key, inner, output, paths.item(path, k)))
        return key[1].value(*items) if kind == "named tuple" else tuple(items)
    if raw is not None and kind in ("list", "dict") and _holds_spec(raw):
        return Tensor(value, tracer.block, tracer)
    if kind == "method":
        function = state.plain(tracer, raw.__func__) if state.is_staged(raw.__func__) else raw.__func__
        return types.MethodType(function, state.find(tracer, paths.attribute(path, "__self__"), raw.__self__))
    if kind == "partial":
        return state.partial(tracer, path, raw)
    if kind in ("list", "dict", "object", "function"):
        if kind != "function" and tracer.outside.is_dynamic(path):
            tracer.outside.share(path, raw)
            return Tensor(value, tracer.block, tracer)
        return state.proxy(tracer, path, raw)
    if kind in ("long list", "long dict", "set"):
        tracer.outside.share(path, raw)
    if kind == "number" and isinstance(path, paths.Item) and raw is not None:
        if path.key in tracer.assumptions.pinned:
            tracer.guards.same(path, raw)
            return raw
        tracer.path_of[value] = path
    if kind in ("number", "scalar") and isinstance(path, paths.Argument):
        tracer.argument_of[value] = name
    return Tensor(value, tracer.block, tracer)


def known_dict(tracer: Tracer, argument: Any, raw: Any) -> Any:
    """``**options``: a new dict in each call, whose names the trace knows whatever runs before."""
    if type(argument) is not Tensor or type(raw) is not dict:
        return argument
    name = argument._ag_value.name
    path = paths.Argument(name, ("argument", name), argument._ag_value, raw)
    tracer.guards.structure(path, raw)
    return outer_containers.OuterDict(tracer, path, raw)


def _holds_spec(raw: Any, around: tuple[int, ...] = ()) -> bool:
    """Whether a list or dict describes some of its items only."""
    if type(raw) not in (list, dict) or id(raw) in around:
        return False
    around = (*around, id(raw))
    items = raw.values() if type(raw) is dict else raw
    return any(isinstance(item, TensorSpec) or _holds_spec(item, around) for item in items)


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
