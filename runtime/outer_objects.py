"""Objects of outside while tracing: what their classes say happens on a stand-in, the rest is found by path.

Python looks an attribute up among the data descriptors of the class, in the object, in the class; so is it
here.  Code of the user's that it finds is traced through.  A class is an object too, and ``super()`` of one.
"""
from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograph.errors import ValueNeededError

from . import exceptions, paths
from .graph import Operand
from .guards import MISSING
from .location import is_runtime, unpacks
from .operands import RawOperand, Traced
from .ops import table
from .paths import Path
from .state import PROXIES, by_class, find, find_in_module, held_by_code, is_staged, read
from .tensor import Tensor
from .types import UNKNOWN, Dict, Instance, Type

if TYPE_CHECKING:
    from .tracing import Tracer


class OuterObject(Traced):
    """Stands for an object of outside: what its class says happens on the proxy, what it holds is found by
    path."""

    __slots__ = ("path", "raw", "tracer")

    def __init__(self, tracer: Tracer, path: Path, raw: Any) -> None:
        object.__setattr__(self, "tracer", tracer)
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "raw", raw)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(raw_of(self))

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        """The object itself; one found through an argument is another one in the next call."""
        path = object.__getattribute__(self, "path")
        tracer.assumptions.gives(type(raw_of(self)))
        return tracer.outside.operand(path) if by_class(tracer, path) else raw_of(self)

    def type_hint(self) -> Type:
        return Instance(type(raw_of(self)))

    def truth(self, tracer: Tracer) -> Any:
        for special in ("__bool__", "__len__"):
            method = special_method(tracer, self, special)
            if method is not None:
                return tracer.call(method, (self,), {})
        return True

    def is_outside(self) -> bool:
        return True

    def to_iterable(self, tracer: Tracer) -> Any:
        """What the ``__iter__`` of its class gives; the object itself for one with items by number."""
        method = special_method(tracer, self, "__iter__")
        if method is None:
            exceptions.python_does(iter, raw_of(self))  # which raises what Python says
        found = self if method is None else tracer.call(method, (self,), {})
        if isinstance(found, OuterObject):  # what gives the items happens when the graph runs
            if not tracer.outside.unsure:
                raise tracer.assumptions.learn("outside")
            return tracer.tensor_of(found.to_operand(tracer, False), UNKNOWN)
        return found

    def __getattribute__(self, name: str) -> Any:
        if name in OWN_NAMES and (name == "__class__" or is_runtime(sys._getframe(1).f_code)):
            return object.__getattribute__(self, name)  # the user's object may have these names too
        return users_attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        tracer = object.__getattribute__(self, "tracer")
        write(tracer, self, name)
        tracer.apply("del_attribute", self, name)


OWN_NAMES = frozenset(
    {"to_operand", "type_hint", "truth", "usable", "is_outside", "to_iterable", "path", "__class__"}
)


def raw_of(outer: OuterObject) -> Any:
    """The object that a proxy stands for while tracing."""
    return object.__getattribute__(outer, "raw")


def special_method(tracer: Tracer, operand: Any, name: str) -> Any:
    """What the class of an object has for an operation of Python's, which it may get or lose."""
    cls = operand.__class__
    tracer.guards.class_attribute(cls, name)
    return getattr(cls, name, None)


def is_iterable(tracer: Tracer, operand: Any) -> bool:
    """Whether the class of an object gives items, by an iterator or by number."""
    names = ("__iter__", "__getitem__")
    return any(special_method(tracer, operand, name) is not None for name in names)


def look_up(operand: Any, name: str, *default: Any) -> Any:
    """``getattr`` on behalf of the user's code: what stands for an object answers as the object."""
    if type(operand) is not Tensor and not isinstance(operand, OuterObject | OuterSuper):
        return getattr(operand, name, *default)
    try:
        if type(operand) is Tensor:
            return operand._ag_tracer.get_attribute(operand, name)
        if type(operand) is OuterSuper:
            return super_attribute(operand, name)
        assert isinstance(operand, OuterObject)
        return users_attribute(operand, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def users_attribute(outer: OuterObject, name: str) -> Any:
    """``outer.name`` of the user's object or class, whatever names its stand-in has itself."""
    if isinstance(outer, OuterClass):
        return get_class_attribute(outer, name)
    return get_attribute(outer, name)


def get_attribute(outer: OuterObject, name: str) -> Any:
    """``outer.name`` as Python looks it up: data descriptors of the class, the object itself, the class."""
    tracer = object.__getattribute__(outer, "tracer")
    owner = object.__getattribute__(outer, "path")
    path = paths.attribute(owner, name)
    raw = raw_of(outer)
    cls = type(raw)
    if is_staged(raw) and name != "__dict__" and hasattr(cls, name):
        return getattr(raw, name)  # of ours
    class_attribute = tracer.guards.class_attribute
    if isinstance(class_attribute(cls, "__getattribute__"), types.FunctionType):  # of the user's
        return tracer.record(table.unknown_call(getattr, "getattr"), (outer, name))
    if tracer.outside.is_class_written(path):
        return read(tracer, path, getattr(raw, name, None))
    found = class_attribute(cls, name)
    if name == "__dict__" and isinstance(found, types.GetSetDescriptorType | types.MemberDescriptorType):
        return namespace(tracer, outer)
    if isinstance(found, property):
        if found.fget is None:
            return exceptions.python_does(getattr, raw, name)
        return tracer.call(found.fget, (outer,), {})
    held = getattr(raw, "__dict__", {})
    getter = class_attribute(type(found), "__get__") if found is not MISSING else MISSING
    of_class = (class_attribute(cls, "__getattr__") if found is MISSING else getter) is not MISSING
    of_users = isinstance(getter, types.FunctionType) and not is_staged(found)
    if of_users and not isinstance(found, functools.cached_property):
        if hasattr(type(found), "__set__") or (
            name not in held and path.key not in tracer.assumptions.dynamic
        ):
            return tracer.call(getter, (held_by_code(tracer, found), outer, cls), {})
    if path.key in tracer.assumptions.dynamic:
        return read(tracer, path, paths.held(raw, name))
    if name not in held:
        if isinstance(found, types.FunctionType) or hasattr(found, "python_function"):
            tracer.guards.method(path, found)
            return types.MethodType(held_by_code(tracer, found), outer)
        if of_class:
            tracer.guards.unheld(owner, raw, name)
        if isinstance(found, classmethod):
            return types.MethodType(found.__func__, held_by_code(tracer, cls))
        if isinstance(found, staticmethod):
            return found.__func__
        if isinstance(found, functools.cached_property):
            value = tracer.call(found.func, (outer,), {})
            set_attribute(outer, name, value)
            return value
        if found is MISSING and of_class:
            return tracer.call(cls.__getattr__, (outer, name), {})
        if found is not MISSING and hasattr(found, "__get__") and not isinstance(found, _SLOTS):
            bound = exceptions.python_does(getattr, raw, name)
            if callable(bound):
                return BoundOuter(outer, name, bound)
    try:
        value = getattr(raw, name)
    except AttributeError as error:
        if tracer.outside.unsure:
            return read(tracer, path, None)
        tracer.guards.lacking(owner, name)
        raise exceptions.deliberate(error)  # noqa: B904
    if callable(value) and isinstance(value, types.BuiltinMethodType | types.MethodType):
        if getattr(value, "__self__", None) is raw:
            return BoundOuter(outer, name, value)
    if paths.is_of_module(path):
        return find_in_module(tracer, path, value)
    return find(tracer, path, value)


def namespace(tracer: Tracer, outer: OuterObject) -> Tensor:
    """``outer.__dict__``: the run reads it, and what is written there is an attribute that is written."""
    path = object.__getattribute__(outer, "path")
    operand = RawOperand(tracer.outside.operand(path))
    value = tracer.record_value(table.get("get_attribute"), (operand, "__dict__"))
    value.type = Dict(UNKNOWN)
    tracer.outside.namespaces[value] = path
    return Tensor(value, tracer.block, tracer)


class OuterClass(OuterObject):
    """Stands for a class of the user's where a class method gets it: what it holds is found by path."""

    __slots__ = ()


def get_class_attribute(outer: OuterClass, name: str) -> Any:
    """``outer.name`` for a class of the user's."""
    tracer = object.__getattribute__(outer, "tracer")
    raw = raw_of(outer)
    path = paths.attribute(object.__getattribute__(outer, "path"), name)
    if path.key in tracer.assumptions.dynamic or tracer.outside.is_class_written(path):
        return read(tracer, path, getattr(raw, name, None))
    found = tracer.guards.class_attribute(raw, name)
    if isinstance(found, classmethod):
        tracer.guards.method(path, found.__func__)
        return types.MethodType(found.__func__, outer)
    value = exceptions.python_does(getattr, raw, name)
    if isinstance(value, types.BuiltinMethodType) or name == "__match_args__":
        return value
    return find(tracer, path, value)


class OuterSuper(Traced):
    """Stands for ``super(start, operand)`` where the operand stands for an object or a class, or is a symbol.
    """

    __slots__ = ("_operand", "_start", "_tracer")

    def __init__(self, tracer: Tracer, start: type, operand: Any) -> None:
        self._tracer, self._start, self._operand = tracer, start, operand

    def __getattribute__(self, name: str) -> Any:
        of_ours = name in OuterSuper.__slots__ or name in OWN_NAMES
        if of_ours and is_runtime(sys._getframe(1).f_code):
            return object.__getattribute__(self, name)
        return super_attribute(self, name)


class SuperOfRun(Traced):
    """Stands for ``super(start, operand)`` of an operand whose class only the run knows."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        return tracer.lower_tensor(self._tensor)

    def __getattribute__(self, name: str) -> Any:
        of_ours = name == "_tensor" or name in OWN_NAMES
        if of_ours and is_runtime(sys._getframe(1).f_code):
            return object.__getattribute__(self, name)
        tensor = object.__getattribute__(self, "_tensor")
        return tensor._ag_tracer.record(table.get("get_attribute"), (tensor, name))


def super_attribute(outer: OuterSuper, name: str) -> Any:
    """The attribute in the first class behind the start that has it, for the operand."""
    tracer, operand, start = outer._tracer, outer._operand, outer._start
    of_class = isinstance(operand, OuterClass)
    cls = raw_of(operand) if of_class else operand.__class__
    for base in cls.__mro__[cls.__mro__.index(start) + 1 :]:
        found = tracer.guards.own_attribute(base, name)
        if found is MISSING:
            continue
        if isinstance(found, classmethod):
            return types.MethodType(found.__func__, operand if of_class else held_by_code(tracer, cls))
        if isinstance(found, staticmethod):
            return found.__func__
        if not hasattr(found, "__get__"):
            return find(tracer, paths.attribute(paths.of_object(base), name), found)
        if of_class:
            break
        if isinstance(found, property) and found.fget is not None:
            return tracer.call(found.fget, (operand,), {})
        if isinstance(found, types.FunctionType) or is_staged(found) or callable(found):
            return types.MethodType(held_by_code(tracer, found), operand)
        return tracer.record(table.unknown_call(type(found).__get__, "get"), (found, operand, cls))
    if of_class:
        return exceptions.python_does(getattr, super(start, cls), name)
    raise exceptions.deliberate(AttributeError(f"'super' object has no attribute {name!r}", name=name))


def unwrapped(operand: Any) -> Any:
    """The object itself for what stands for one of outside, in tuples too."""
    if isinstance(operand, OuterObject):
        return raw_of(operand)
    return tuple(map(unwrapped, operand)) if type(operand) is tuple else operand


def is_written(outer: OuterObject, name: str) -> bool:
    """Whether an attribute may come or go while the graph runs."""
    tracer = object.__getattribute__(outer, "tracer")
    return bool(tracer.outside.is_dynamic(paths.attribute(object.__getattribute__(outer, "path"), name)))


_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


class BoundOuter(Traced):
    """A bound method of an outside object that is not the user's own Python code."""

    __slots__ = ("bound", "name", "outer")

    def __init__(self, outer: OuterObject, name: str, bound: Any) -> None:
        self.outer, self.name, self.bound = outer, name, bound

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        outer = object.__getattribute__(self.outer, "path")
        if not by_class(tracer, outer):
            return self.bound
        return tracer.outside.operand(paths.attribute(outer, self.name))

    def is_outside(self) -> bool:
        return True


def refuse_class(tracer: Tracer, name: str) -> None:
    """An object that gets another class while the graph runs is not what the trace has made of it."""
    if name == "__class__":
        raise tracer.error(
            ValueNeededError,
            "assigning the class of an object cannot be staged",
            why="what the graph knows about the object would no longer hold",
            fix="make an object of the other class, or do it in a function marked with do_not_convert",
        )


def set_attribute(outer: OuterObject, name: str, value: Any) -> None:
    """``outer.name = value``: through the class's property, or a node."""
    tracer = object.__getattribute__(outer, "tracer")
    refuse_class(tracer, name)
    class_attribute = tracer.guards.class_attribute
    found = class_attribute(type(raw_of(outer)), name)
    if isinstance(found, property) and found.fset is not None:
        tracer.call(found.fset, (outer, value), {})
        return
    setter = class_attribute(type(found), "__set__") if found is not MISSING else None
    if isinstance(setter, types.FunctionType):
        tracer.call(setter, (held_by_code(tracer, found), outer, value), {})
        return
    write(tracer, outer, name)
    tracer.apply("set_attribute", outer, name, value)


def write(tracer: Tracer, outer: OuterObject, name: str) -> None:
    """Note that an attribute is assigned or deleted; that of a class also for those who look there later."""
    if name == "__dict__":  # all others with it
        tracer.outside.forget()
    tracer.outside.write(paths.attribute(object.__getattribute__(outer, "path"), name))
    if isinstance(raw_of(outer), type | types.ModuleType | types.FunctionType):
        tracer.outside.write(paths.attribute(paths.of_object(raw_of(outer)), name))


def _outer_hash(self: OuterObject) -> int:
    tracer = object.__getattribute__(self, "tracer")
    tracer.guards.identity(object.__getattribute__(self, "path"), raw_of(self))
    return hash(raw_of(self))


def _outer_call(self: OuterObject, *args: Any, **kwargs: Any) -> Any:
    return object.__getattribute__(self, "tracer").call(self, args, kwargs)


def unpack(raw: Any) -> None:
    """``a, b = raw`` for something that has no items."""
    _, _ = raw


def _outer_iter(self: OuterObject) -> Iterator[Any]:
    tracer = object.__getattribute__(self, "tracer")
    if not is_iterable(tracer, self) and unpacks(sys._getframe(1)):
        exceptions.python_does(unpack, raw_of(self))
    found = OuterObject.to_iterable(self, tracer)
    return tracer.iterate(found) if type(found) is Tensor else iter(found)


for _name, _method in (("__hash__", _outer_hash), ("__call__", _outer_call), ("__iter__", _outer_iter)):
    setattr(OuterObject, _name, _method)
PROXIES[object], PROXIES[type] = OuterObject, OuterClass
