"""Builtin functions with a meaning of their own while tracing.

``HANDLERS`` maps a builtin to what the tracer does for it; ``PURE`` are the functions that may run while
tracing when they are given nothing symbolic, as they give the same for ever and touch nothing.
"""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType, UnionType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.operators import Undefined

from . import containers, control_flow, exceptions, generators, made_functions, outer_containers
from .guards import MISSING
from .operands import Traced, has_symbols
from .ops import table
from .outer_objects import (
    OuterClass,
    OuterObject,
    OuterSuper,
    SuperOfRun,
    is_written,
    look_up,
    special_method,
    unwrapped,
)
from .state import by_itself, held_by_code, is_users_function
from .tensor import Tensor
from .types import UNKNOWN, Array, Instance, List, Scalar, class_of, sample_of

if TYPE_CHECKING:
    from .tracing import Tracer

Handler = Callable[["Tracer", tuple[Any, ...], dict[str, Any]], Any]
HANDLERS: dict[Any, Handler] = {}

PURE = {
    *(each for each in vars(math).values() if callable(each)),
    *(
        abs,
        ascii,
        bin,
        bool,
        bytes,
        callable,
        chr,
        complex,
        divmod,
        float,
        format,
        hash,
        hex,
        int,
        len,
        max,
        min,
        oct,
    ),
    *(ord, pow, repr, round, str, sum, any, all, slice, frozenset, issubclass, range),
    *(np.dtype, np.finfo, np.iinfo, np.issubdtype, np.result_type, np.can_cast, np.promote_types),
    *(np.broadcast_shapes, np.min_scalar_type, np.iscomplexobj, np.isrealobj),
}


_TAKES: dict[Any, tuple[int, int | None, tuple[str, ...]]] = {
    **dict.fromkeys((len, callable, any, all), (1, 1, ())),
    **dict.fromkeys((isinstance, issubclass, hasattr, filter), (2, 2, ())),
    **dict.fromkeys((list, tuple, set), (0, 1, ())),
    **dict.fromkeys((iter, next), (1, 2, ())),
    **dict.fromkeys((min, max), (1, None, ("key", "default"))),
    getattr: (2, 3, ()),
    vars: (1, 1, ()),
    setattr: (3, 3, ()),
    range: (1, 3, ()),
    reversed: (1, 1, ()),
    enumerate: (1, 2, ("start",)),
    zip: (0, None, ("strict",)),
    map: (2, None, ()),
    sorted: (1, 1, ("key", "reverse")),
    sum: (1, 2, ("start",)),
}
"""How many arguments a builtin takes by place, and which by name."""


def refuses(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether Python refuses these arguments of a builtin by their number or names, whatever they are."""
    least, most, names = _TAKES.get(function, (0, None, tuple(kwargs)))
    return len(args) < least or (most is not None and len(args) > most) or not kwargs.keys() <= {*names}


def handles(*functions: Any) -> Callable[[Handler], Handler]:
    """Make the decorated function what the tracer does for these builtins."""

    def add(handler: Handler) -> Handler:
        for function in functions:
            HANDLERS[function] = handler
        return handler

    return add


def is_dynamic(operand: Any) -> bool:
    """Whether this is a value of the graph, not merely a container of such."""
    return type(operand) is Tensor or (
        isinstance(operand, containers.TracedContainer) and operand.tensor is not None
    )


def items(tracer: Tracer, iterable: Any) -> Any:
    """A container known while tracing, as plain Python loops over it."""
    if type(iterable) is GeneratorType:
        generators.note(tracer, iterable)
    return iterable.to_iterable(tracer) if isinstance(iterable, Traced) else iterable


def record(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """The node of a builtin by its row."""
    row = table.find_call(function)
    if row is None:
        row = table.unknown_call(function, function.__name__)
    return tracer.record(row, args, kwargs or {})


# ----------------------------------------------------------------------------------------------------------
# questions


@handles(len)
def _len(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    (operand,) = args
    if type(operand) is Tensor:
        kind = operand._ag_value.type
        if isinstance(kind, Array) and kind.shape and isinstance(kind.shape[0], int):
            return kind.shape[0]
        return record(tracer, len, args)
    if isinstance(operand, containers.TracedContainer) and operand.tensor is not None:
        return record(tracer, len, (operand.tensor,))
    if isinstance(operand, Traced) and not isinstance(
        operand, containers.TracedContainer | outer_containers.OuterContainer
    ):
        method = special_method(tracer, operand, "__len__")
        return record(tracer, len, args) if method is None else tracer.call(method, args, {})
    return exceptions.python_does(len, operand)


@handles(isinstance)
def _isinstance(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    operand, classes = args
    classes = unwrapped(classes)
    if has_symbols(classes):  # only the run knows which classes these are
        return record(tracer, isinstance, (operand, args[1]))
    _rely_on_registered(tracer, classes)
    if type(operand) is exceptions.SymbolicException:
        operand = operand.tensor
    if isinstance(operand, OuterObject):
        operand = unwrapped(operand)  # some classes ask what an object can do, and a stand-in can do anything
        _rely_on_abstract(tracer, type(operand), classes)
    if type(operand) is not Tensor:
        return exceptions.python_does(isinstance, operand, classes)
    known = class_of(operand._ag_value.type)
    if known is not None:
        try:
            return issubclass(known, getattr(classes, "__args__", classes))
        except TypeError:  # of which isinstance() has words of its own
            return exceptions.python_does(isinstance, object(), classes)
    return record(tracer, isinstance, (operand, classes))


def _rely_on_registered(tracer: Tracer, classes: Any) -> None:
    """Which classes an abstract one takes for its own may change at any time."""
    if any(True for _ in _abstract(classes)):
        tracer.guards.registered()


def _rely_on_abstract(tracer: Tracer, cls: type, classes: Any) -> None:
    """Some abstract classes take for their own what has their methods."""
    for each in _abstract(classes):
        for name in each.__abstractmethods__:
            tracer.guards.class_attribute(cls, name)


def _abstract(classes: Any) -> Iterator[Any]:
    """The abstract ones among the classes that ``isinstance`` is given."""
    if isinstance(classes, abc.ABCMeta):
        yield classes
    elif isinstance(classes, UnionType):
        yield from _abstract(classes.__args__)
    elif isinstance(classes, tuple):
        for each in classes:
            yield from _abstract(each)


@handles(super)
def _super(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if args and type(args[0]) is Tensor:  # no class, unless it is one of the run
        return record(tracer, super, args, kwargs)
    if len(args) == 2 and type(args[1]) is Tensor and args[1].__class__ is Tensor:
        return SuperOfRun(record(tracer, super, args))  # only the run knows its class
    made = exceptions.python_does(super, *map(unwrapped, args))
    if len(args) == 2 and (type(args[1]) is Tensor or isinstance(args[1], OuterObject)):
        return OuterSuper(tracer, unwrapped(args[0]), args[1])
    return made


@handles(issubclass)
def _issubclass(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    known = [unwrapped(arg) for arg in args]
    if any(map(has_symbols, known)):
        return record(tracer, issubclass, args)
    _rely_on_registered(tracer, known[1])
    return exceptions.python_does(issubclass, *known)


@handles(type)
def _type(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) != 1:
        if args and not isinstance(unwrapped(args[0]), str):  # no name: refused, by what the run has there
            return record(tracer, type, args, kwargs)
        return exceptions.python_does(type, *args, **kwargs)
    (operand,) = args
    if type(operand) is exceptions.SymbolicException:
        operand = operand.tensor
    known = class_of(operand._ag_value.type) if type(operand) is Tensor else operand.__class__
    if known is None:
        return tracer.record(table.unknown_call(type, "type"), (operand,))
    return held_by_code(tracer, known)


@handles(getattr)
def _getattr(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    operand, name, *default = args
    operand = _with_attributes(tracer, operand)
    if type(name) is Tensor:
        return tracer.record(table.unknown_call(getattr, "getattr"), (operand, name, *default))
    if not isinstance(name, str):
        return exceptions.python_does(getattr, unwrapped(operand), unwrapped(name), *default)
    if default and _may_lack(tracer, operand, name):
        return tracer.record(table.unknown_call(getattr, "getattr"), (operand, name, *default))
    if default and _asks_the_users(tracer, operand, name):
        return _attempt(tracer, lambda: look_up(operand, name), default[0])
    return look_up(operand, name, *default)


@handles(vars)
def _vars(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    operand = _with_attributes(tracer, args[0]) if args else None
    if isinstance(operand, OuterObject) and hasattr(unwrapped(operand), "__dict__"):
        return look_up(operand, "__dict__")
    tracer.assumptions.assigns(None)  # what is done with it may set any attribute
    return tracer.record(table.find_call(vars) or table.unknown_call(vars, "vars"), args, kwargs)


@handles(hasattr)
def _hasattr(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    operand, name = args
    operand = _with_attributes(tracer, operand)
    if type(name) is Tensor or _may_lack(tracer, operand, name):
        return tracer.record(table.unknown_call(hasattr, "hasattr"), (operand, name))
    if _asks_the_users(tracer, operand, name):
        return _attempt(tracer, lambda: bool([look_up(operand, name)]), False)
    if type(operand) is Tensor:
        kind = operand._ag_value.type
        if isinstance(kind, Array | Scalar):
            return exceptions.python_does(hasattr, sample_of(kind), name)
        known = class_of(operand._ag_value.type)
        return known is not None and in_class(tracer, known, name)
    try:
        look_up(operand, name)
    except AttributeError:
        return False
    return True


def _with_attributes(tracer: Tracer, operand: Any) -> Any:
    """What answers for the attributes of this while tracing: a class or function of the user's may get and
    lose some."""
    if type(operand) is exceptions.SymbolicException:
        return operand.tensor
    if is_users_function(operand):
        return by_itself(tracer, operand)
    return held_by_code(tracer, operand) if isinstance(operand, type | ModuleType) else operand


def _may_lack(tracer: Tracer, operand: Any, name: str) -> bool:
    """Whether only the run knows if the operand has this attribute: its class alone does not tell."""
    if type(operand) is not Tensor:
        return isinstance(operand, OuterObject) and is_written(operand, name)
    known = class_of(operand._ag_value.type)
    if known is None:
        return True
    return isinstance(operand._ag_value.type, Instance) and not in_class(tracer, known, name)


def _asks_the_users(tracer: Tracer, operand: Any, name: Any) -> bool:
    """Whether code of the user's gives the attribute: it may raise AttributeError when the graph runs."""
    if isinstance(operand, type | OuterClass) or type(name) is Tensor:
        return False
    cls = type(unwrapped(operand)) if type(operand) is not Tensor else class_of(operand._ag_value.type)
    if cls is None or not isinstance(name, str):
        return False
    found = tracer.guards.class_attribute(cls, name)
    if found is MISSING:
        return isinstance(tracer.guards.class_attribute(cls, "__getattr__"), FunctionType)
    return isinstance(found, property | functools.cached_property)


def _attempt(tracer: Tracer, read: Callable[[], Any], default: Any) -> Any:
    """``read()``, or the default when that raises AttributeError, while tracing or when the graph runs."""
    result: Any = Undefined("result")

    def body() -> None:
        write(read())

    def handler(error: Any) -> None:
        write(default)

    def write(value: Any) -> None:
        nonlocal result
        result = value

    tracer.try_stmt(body, ((lambda: AttributeError, handler),), None, None, lambda: (result,), write)
    return result


def in_class(tracer: Tracer, cls: type, name: str) -> bool:
    """Whether the instances of a class have this attribute by their class, whatever the class itself has."""
    return tracer.guards.class_attribute(cls, name) is not MISSING


@handles(setattr)
def _setattr(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if type(args[1]) is Tensor:
        tracer.assumptions.assigns(None)
        return tracer.record(table.unknown_call(setattr, "setattr"), args)
    target = _with_attributes(tracer, args[0])
    if type(target) is Tensor or isinstance(target, Traced):
        return setattr(target, *args[1:])
    return exceptions.python_does(setattr, target, *args[1:])


@handles(callable)
def _callable(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    (operand,) = args
    if type(operand) is Tensor:
        known = class_of(operand._ag_value.type)
        if known is None:
            return tracer.record(table.unknown_call(callable, "callable"), args)
        return in_class(tracer, known, "__call__")
    if isinstance(operand, Traced):
        return in_class(tracer, operand.__class__, "__call__")
    return callable(operand)


# ------------------------------------------------------------------------------------------------- loops and
# iterators


@handles(range)
def _range(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not has_symbols(args):
        return exceptions.python_does(range, *args)
    value = tracer.record_value(table.find_call(range) or table.get("range"), args)
    tracer.range_of[value] = value.producer.args if value.producer is not None else ()
    return Tensor(value, tracer.block, tracer)


@handles(sorted)
def _sorted(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    (iterable,) = args
    if is_dynamic(iterable):
        return record(tracer, sorted, args, kwargs)
    known = exceptions.python_does(list, items(tracer, iterable))
    if has_symbols(known) or has_symbols(kwargs):
        return record(tracer, sorted, (known,), kwargs)
    by = keyed(tracer, known, kwargs)
    if by is None:
        return record(tracer, sorted, (known,), kwargs)
    return containers.new_list(tracer, exceptions.python_does(sorted, known, **by))


def keyed(tracer: Tracer, known: list[Any], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The options of a sort of known items with the keys known too; None where only the run knows these."""
    function = kwargs.get("key")
    if function is None or isinstance(function, type | BuiltinFunctionType):
        return kwargs
    place = tracer.occurrence("keys")
    if place in tracer.assumptions.dynamic:
        return None
    if type(function) is FunctionType and made_functions.captures_symbols(function):
        return None
    keys = [tracer.call(function, (item,), {}) for item in known]
    if has_symbols(keys):
        raise tracer.assumptions.learn(place)
    found = iter(keys)
    return {**kwargs, "key": lambda item: next(found)}  # Python asks for each key once, in order


def _fold(function: Any) -> Handler:
    def handler(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not any(map(is_dynamic, args)):
            if len(args) == 1:
                args = (_listed(items(tracer, args[0])),)
            if not has_symbols(args) and not has_symbols(kwargs):
                known = list(args[0]) if len(args) == 1 and kwargs else list(args)
                by = keyed(tracer, known, kwargs)
                if by is not None:
                    return exceptions.python_does(function, *args, **by)
        return record(tracer, function, args, kwargs)

    return handler


def _search(function: Any) -> Handler:
    """``any`` or ``all``: a generator is asked no further than up to the item that decides."""

    def handler(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) != 1 or not hasattr(type(args[0]), "__next__") or is_dynamic(args[0]):
            return fold(tracer, args, kwargs)
        generator = args[0]
        if id(generator) in tracer.generators.native:  # how far it comes would depend on the run
            generators.as_value(tracer, generator)

        def rest() -> Any:
            for item in generator:
                test = control_flow.truth(tracer, item)
                if type(test) is Tensor:
                    decided, undecided = (lambda: True, rest) if function is any else (rest, lambda: False)
                    return control_flow.if_stmt(tracer, test, decided, undecided, (), ())
                if bool(test) is (function is any):
                    return function is any
            return function is all

        return rest()

    fold = _fold(function)
    return handler


def _listed(operand: Any) -> Any:
    """A container that can be looked into more than once."""
    once = hasattr(type(operand), "__next__") or type(operand) in (zip, enumerate, map)
    return list(operand) if once else operand


HANDLERS.update({min: _fold(min), max: _fold(max), any: _search(any), all: _search(all)})


@handles(sum)
def _sum(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    iterable, *rest = args
    if is_dynamic(iterable):
        return record(tracer, sum, args, kwargs)
    known = _listed(items(tracer, iterable))
    if has_symbols(known):
        return record(tracer, sum, (list(known), *rest), kwargs)
    return exceptions.python_does(sum, known, *rest, **kwargs)


@handles(list)
def _list(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not args:
        return containers.new_list(tracer, [])
    if is_dynamic(args[0]):
        value = tracer.record_value(table.find_call(list) or table.unknown_call(list, "list"), args)
        value.type = List(UNKNOWN)
        return Tensor(value, tracer.block, tracer)
    return containers.new_list(tracer, exceptions.python_does(list, items(tracer, args[0])))


@handles(tuple)
def _tuple(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not args:
        return ()
    if is_dynamic(args[0]):
        return record(tracer, tuple, args)
    return exceptions.python_does(tuple, items(tracer, args[0]))


@handles(dict)
@exceptions.on_behalf
def _dict(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if args and (is_dynamic(args[0]) or isinstance(args[0], OuterObject)):
        return tracer.record(table.unknown_call(dict, "dict"), args, kwargs)
    if args and isinstance(args[0], outer_containers.OuterDict):
        return containers.new_dict(tracer, {key: args[0].find(key) for key in args[0].in_order()} | kwargs)
    known = [items(tracer, arg) for arg in args]
    if known and not hasattr(type(known[0]), "keys"):
        known[0] = _listed(known[0])
        if containers.has_symbolic_keys(known[0]):
            return tracer.record(table.unknown_call(dict, "dict"), tuple(known), kwargs)
    return containers.new_dict(tracer, exceptions.python_does(dict, *known, **kwargs))


@handles(set)
def _set(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    row = table.find_call(set) or table.unknown_call(set, "set")
    return tracer.record(row, tuple(list(each) if hasattr(type(each), "__next__") else each for each in args))
