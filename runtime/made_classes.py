"""Classes that the traced code defines.

The statement runs while tracing, so the trace knows the class: its methods are traced through where they are
called.  But its objects exist when the graph runs, and Python calls their operators then.  So a node makes
a class of the run, with functions of the run for the methods that know variables of the trace, and whoever
reads or writes an attribute of the class goes to that one.  A class without variables, data and changes needs
no other one.
"""

from __future__ import annotations

import abc
import functools
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from autograph.convert import is_converted
from autograph.operators import Undefined

from . import hidden, made_functions, paths
from .graph import Op, Operand
from .making import copy_of
from .operands import has_symbols
from .outer_objects import OuterClass, raw_of
from .tensor import Tensor
from .types import UNKNOWN

if TYPE_CHECKING:
    from .tracing import Tracer


@dataclass(frozen=True, slots=True)
class Made(paths.Constant):
    """A class of the trace; ``tensor`` is that of the run, if it needs one."""

    tensor: Tensor | None

    def to_operand(self, tracer: Tracer) -> Operand:
        return self.raw if self.tensor is None else tracer.lower_tensor(self.tensor)


class MadeClass(OuterClass):
    """Stands for a class that the traced code has defined."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name == "__mro_entries__":  # another class statement has it among its bases
            return lambda bases: (raw_of(self),)
        if name in _OF_THE_STATEMENT:
            return getattr(raw_of(self), name)
        return super().__getattribute__(name)

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        path: Made = object.__getattribute__(self, "path")
        return path.to_operand(tracer)

    def usable(self, tracer: Tracer) -> bool:
        tensor = object.__getattribute__(self, "path").tensor
        return tensor is None or tensor._ag_block in tracer.stack


_OF_THE_STATEMENT = frozenset({"__match_args__", "__module__", "__name__", "__qualname__"})
"""What the class has by how it is written."""


def define(tracer: Tracer, cls: Any) -> Any:
    """What the traced code gets for a class that it has just defined."""
    if not isinstance(cls, type) or type(cls) not in (type, abc.ABCMeta):
        return cls
    if issubclass(cls, BaseException | type) or not _is_open(cls):
        for member in vars(cls).values():
            for function in (*_functions_of(member), *_kept_functions(member), *_listed_functions(member)):
                _refuse_captured(tracer, function)
        return cls
    for member in vars(cls).values():
        for function in _kept_functions(member):
            _refuse_captured(tracer, function)
    if any(isinstance(base, MadeClass) for base in vars(cls).get("__orig_bases__", ())):
        del cls.__orig_bases__  # type: ignore[attr-defined]  # Python notes a base that is no class itself
    key = tracer.occurrence("class")
    for name, member in vars(cls).items():
        if _is_data(name, member):
            tracer.assumptions.dynamic.add(paths.attribute(paths.Path(cls.__name__, key), name).key)
    bases = tuple([tracer.made_classes.get(id(base), base) for base in cls.__bases__])
    tensor = None
    if _lives_in_the_run(tracer, cls, bases, key):
        value = tracer.record_value(_maker(cls), (bases, _data(cls)))
        value.type = UNKNOWN
        tensor = Tensor(value, tracer.block, tracer)
    made = MadeClass(tracer, Made(cls.__name__, key, cls, tensor), cls)
    tracer.made_classes[id(cls)] = made
    _bind_name(cls, made)
    if tensor is not None:
        for name, member in vars(cls).items():
            if any(map(_knows_variables, _functions_of(member))):
                tracer.record(_ADD_MEMBER, (tensor, name, _member(tracer, member)))
    return made


def _bind_name(cls: type, made: MadeClass) -> None:
    """The statement assigns the name of the class next: its methods may know it already."""
    for member in vars(cls).values():
        for function in _functions_of(member):
            if type(function) is FunctionType and is_converted(function):
                for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                    if name == cls.__name__ and type(hidden.contents(cell, name)) is Undefined:
                        cell.cell_contents = made


def _lives_in_the_run(tracer: Tracer, cls: type, bases: tuple[Any, ...], key: Any) -> bool:
    """Whether the class of the trace would not do: it knows variables, holds data, or is changed."""
    if any(isinstance(base, MadeClass) and base.path.tensor is not None for base in bases):
        return True
    if any(type(learnt) is tuple and learnt and learnt[0] == key for learnt in tracer.assumptions.dynamic):
        return True
    for name, member in vars(cls).items():
        if _is_data(name, member) or any(map(_knows_variables, _functions_of(member))):
            return True
    return False


def _is_data(name: str, member: Any) -> bool:
    """Whether a member of a class is what its objects and the class share, and not code."""
    return not name.startswith("__") and not _functions_of(member)


def _knows_variables(function: Any) -> bool:
    """Whether this is a function of the traced code with variables around it, or with defaults."""
    return type(function) is FunctionType and made_functions.is_made_here(function)


def _functions_of(member: Any) -> list[Any]:
    """The functions behind a member of a class; none where it is data."""
    if isinstance(member, FunctionType):
        return [member]
    if type(member) in (staticmethod, classmethod):
        return [member.__func__]
    if type(member) is functools.cached_property:
        return [member.func]
    if type(member) is property:
        return [each for each in (member.fget, member.fset, member.fdel) if each is not None]
    return []


def _is_open(cls: type) -> bool:
    """Whether the class may have to live in the run: a named tuple only for methods that know variables."""
    methods = [function for member in vars(cls).values() for function in _functions_of(member)]
    return not issubclass(cls, tuple) or any(map(_knows_variables, methods))


def _kept_functions(member: Any) -> list[Any]:
    """The functions that some other member keeps, as ``lru_cache`` does."""
    if isinstance(member, type) or _functions_of(member) or has_symbols(member):
        return []
    held = [getattr(member, "__wrapped__", None), *getattr(member, "__dict__", {}).values()]
    if isinstance(member, functools.partialmethod):
        held.append(member.func)
    elif isinstance(member, property):
        held += [member.fget, member.fset, member.fdel]
    return [each for each in held if type(each) is FunctionType]


def _refuse_captured(tracer: Tracer, function: Any) -> None:
    """Refuse a function that a class keeps where the trace cannot put another one in its place."""
    if _knows_variables(function):
        if made_functions.captures_symbols(function):
            why = "it knows variables, and the class that has it keeps it as it is"
            raise made_functions.refusal(tracer, function, why, "give it what it uses as arguments")
        made_functions.to_operand(tracer, function)  # whose variables have to stay what they are


def _data(cls: type) -> dict[str, Any]:
    """The members that are values of the graph."""
    return {name: member for name, member in vars(cls).items() if _is_of_graph(member)}


def _is_of_graph(member: Any) -> bool:
    """Whether a member is or holds a value of the graph, or a function that knows one."""
    return has_symbols(member) or any(map(_knows_variables, _listed_functions(member)))


def _listed_functions(member: Any) -> list[Any]:
    """The functions in a list, tuple or dict of a class."""
    if type(member) is dict:
        member = list(member.values())
    if type(member) not in (list, tuple):
        return []
    return [function for each in member for function in (*_functions_of(each), *_listed_functions(each))]


def _maker(cls: type) -> Op:
    """The row that makes the class anew, of its bases and of the data among its members."""
    slots = vars(cls).get("__slots__", ())
    own = {"__dict__", "__weakref__", *([slots] if isinstance(slots, str) else slots)}
    known = {name: each for name, each in vars(cls).items() if name not in own and not _is_of_graph(each)}
    known["__qualname__"] = cls.__qualname__

    def make(bases: tuple[type, ...], data: dict[str, Any]) -> type:
        return type(cls)(cls.__name__, bases, {**_anew(known), **data})

    return Op(f"class {cls.__name__}", make, "call", f"class_{cls.__name__}", result="alias")


def _anew(value: Any) -> Any:
    """The value with new containers, as each run of the statement makes them."""
    if type(value) is dict:
        return {key: _anew(each) for key, each in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(map(_anew, value))
    return value


def _member(tracer: Tracer, member: Any) -> Any:
    """The member with functions of the run."""
    functions = [_function(tracer, each) for each in _functions_of(member)]
    if isinstance(member, FunctionType):
        return functions[0]
    if isinstance(member, property):
        found = iter(functions)
        parts = [None if each is None else next(found) for each in (member.fget, member.fset, member.fdel)]
        return tracer.record(_KINDS[property], (*parts, member.__doc__))
    return tracer.record(_KINDS[type(member)], (functions[0],))


def _function(tracer: Tracer, function: FunctionType) -> Any:
    """A method as a function of the run.

    Raises:
        StagingError: it cannot be traced by itself, and the run may call it.
    """
    return tracer.tensor_of(
        made_functions.to_operand(tracer, _with_class_of_the_run(tracer, function)), UNKNOWN
    )


def _with_class_of_the_run(tracer: Tracer, function: FunctionType) -> FunctionType:
    """The function, where ``super()`` means the class of the run."""
    names = function.__code__.co_freevars
    if "__class__" not in names:
        return function
    cells = list(function.__closure__ or ())
    index = names.index("__class__")
    cls = cells[index].cell_contents
    cells[index] = CellType(tracer.made_classes.get(id(cls), cls))
    return copy_of(function, function.__dict__, tuple(cells))


def _add_member(cls: type, name: str, member: Any) -> None:
    setattr(cls, name, member)
    if hasattr(type(member), "__set_name__"):
        member.__set_name__(cls, name)


NAMED_TUPLE = Op("named_tuple", lambda cls, *items: cls(*items), "call", "named_tuple", result="alias")
_ADD_MEMBER = Op("add_member", _add_member, "call", "add_member", writes=(0,), stores=True)


_KINDS: dict[type, Op] = {
    kind: Op(f"{kind.__name__} of a class", kind, "call", kind.__name__, result="alias", reads=False)
    for kind in (property, staticmethod, classmethod, functools.cached_property)
}
