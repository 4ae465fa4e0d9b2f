"""Calls: what the traced code means by them, and the node that does it.

A callee is, in this order: a builtin with a meaning of its own while tracing (``builtins.py``), a row of the
op table, a function of the user's (converted and run here, so that its body becomes part of the graph), a
class, or something unknown, which becomes an ordered call in the graph.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.convert import has_native_tests, is_converted_code, stage_tests
from autograph.errors import StagingError, UnsettledTraceError

from . import (
    access,
    called_graphs,
    containers,
    exceptions,
    generators,
    given_functions,
    hidden,
    paths,
    recursion,
    suspending,
)
from .assumptions import Restart
from .builtins import HANDLERS, PURE, refuses
from .graph import Op, Value
from .location import is_own
from .naming import stored_name
from .operands import RawOperand, Traced, has_symbols
from .ops import table
from .outer_objects import (
    BoundOuter,
    OuterClass,
    OuterObject,
    raw_of,
    special_method,
)
from .state import held_by_code, is_of_users, is_staged, is_users_function, missing_global, plain, read
from .tensor import Method, Tensor
from .types import IMMUTABLE, Array, Instance, Optional, Scalar, Unknown, class_of

if TYPE_CHECKING:
    from .tracing import Tracer


def call(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` in traced code."""
    kind = type(function)
    if kind is Tensor:
        function = method_called(function)
        if type(function) is types.MethodType:
            return call(tracer, function, args, kwargs)
        return tracer.record(table.CALL_VALUE, (function, *args), kwargs)
    if kind is Method:
        return call_method(tracer, function, args, kwargs)
    if kind is containers.Choice:
        return function(*args, **kwargs)
    if kind is BoundOuter:
        return _call_bound(tracer, function, args, kwargs)
    if kind is types.MethodType:
        if isinstance(function.__func__, OuterObject):
            function = types.MethodType(function_of(tracer, function.__func__), function.__self__)
        if function.__func__ is object.__init__ and not args and not kwargs:
            return None
        code = getattr(function.__func__, "__code__", None)
        if isinstance(function.__self__, Traced) and code is not None and is_own(code):
            return function(*args, **kwargs)
        return call(tracer, function.__func__, (held_by_code(tracer, function.__self__), *args), kwargs)
    if kind is functools.partial:
        first = tuple([held_by_code(tracer, arg) for arg in function.args])
        named = {name: held_by_code(tracer, arg) for name, arg in function.keywords.items()}
        return call(tracer, held_by_code(tracer, function.func), (*first, *args), {**named, **kwargs})
    if isinstance(function, OuterObject):  # to look it up would rely on which object it is
        return _call_object(tracer, function, args, kwargs)
    if tracer.later:  # what is called may be exchanged before that runs
        found = _as_it_will_be(tracer, function)
        if found is not function:
            return call(tracer, found, args, kwargs)
        if function is isinstance or function is issubclass:
            args = tuple([_as_it_will_be(tracer, arg) for arg in args])
    try:
        handler = HANDLERS.get(function)
    except TypeError:
        handler = None
    if handler is not None:
        if refuses(function, args, kwargs):
            return exceptions.python_does(function, *args, **kwargs)
        args = tuple([containers.adopt(tracer, arg) for arg in args])
        kwargs = {key: containers.adopt(tracer, arg) for key, arg in kwargs.items()}
        if any(isinstance(arg, OuterObject) for arg in args):
            args, by_the_run = gone_through(tracer, function, args)
            if by_the_run:
                return unknown(tracer, function, args, kwargs)
        return handler(tracer, args, kwargs)
    row = table.find_call(function)
    if row is not None:
        return call_row(tracer, row, args, kwargs)
    if kind is types.FunctionType:
        return _call_function(tracer, function, args, kwargs)
    if isinstance(function, type) and not isinstance(function, Traced):
        return _construct(tracer, function, args, kwargs)
    return _call_object(tracer, function, args, kwargs)


def gone_through(tracer: Tracer, function: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
    """The arguments of a builtin with what it goes through for objects of outside; whether only the run can.
    """
    first, stop = _GOES_THROUGH.get(function, (0, 0))
    if function in (min, max) and len(args) > 1:
        stop = 0
    found = list(args)
    by_the_run = False
    for k in range(first, len(args) if stop is None else min(stop, len(args))):
        if isinstance(args[k], OuterObject):
            found[k] = tracer.iterable_of(args[k])
            by_the_run |= type(found[k]) is Tensor
    return tuple(found), by_the_run


_GOES_THROUGH: dict[Any, tuple[int, int | None]] = {
    **dict.fromkeys((list, tuple, set, frozenset, sorted, sum, any, all, min, max, enumerate, iter), (0, 1)),
    zip: (0, None),
    map: (1, None),
    filter: (1, 2),
}
"""Which arguments a builtin asks for their items: from the first one up to the last."""


def method_called(tensor: Tensor) -> Any:
    """The method that a call of an object of the user's is a call of; else the value itself."""
    kind = tensor._ag_value.type
    found = getattr(kind.cls, "__call__", None) if isinstance(kind, Instance) else None  # noqa: B004
    return types.MethodType(found, tensor) if isinstance(found, types.FunctionType) else tensor


def call_row(tracer: Tracer, row: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what has a row: now, if it is pure and everything is known, else as a node."""
    if row.function in PURE and not has_symbols(args) and not has_symbols(kwargs):
        assert row.function is not None
        return exceptions.python_does(row.function, *args, **kwargs)
    return tracer.record(row, args, kwargs)


def call_method(tracer: Tracer, method: Method, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``x.name(*args)`` for an ``x`` of a known class."""
    kind = method.tensor._ag_value.type
    if isinstance(kind, Array | Scalar):
        row = table.find_method(method.name)
    else:
        cls = class_of(kind)
        row = None if cls is None else table.find_method(method.name, cls)
    return tracer.record(row or table.unknown_method(method.name), (method.tensor, *args), kwargs)


def _call_function(
    tracer: Tracer,
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    staged: Any = None,
) -> Any:
    """A Python function: traced through when it is the user's, else an unknown call.

    One that is ``staged`` itself may get a graph of its own.
    """
    if is_own(function.__code__):
        return function(*args, **kwargs)
    converted = generators.of_outside(tracer, function) or tracer.convert(function)
    if converted is None or recursion.is_called_by_run(tracer, function):
        return unknown(tracer, function, args, kwargs)
    if has_native_tests(converted) and any(map(_may_be_none, (*args, *kwargs.values()))):
        if stage_tests(converted.__code__):
            raise Restart
    if holds_on(converted.__code__):
        suspended = suspending.learn(tracer, converted.__code__)
        if suspended is not None:
            raise suspended
    _guard_static_names(tracer, converted)
    hidden.note(tracer, converted)
    through = functools.partial(_trace_through, tracer, function, converted)
    if staged is None:
        return through(args, kwargs)
    return called_graphs.call(tracer, staged, args, kwargs, through)


def _trace_through(
    tracer: Tracer,
    function: types.FunctionType,
    converted: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Run the converted function, so that its body becomes part of the graph that is traced now."""
    args = tuple(containers.adopt(tracer, arg) for arg in args)
    kwargs = {key: containers.adopt(tracer, arg) for key, arg in kwargs.items()}
    args, kwargs = _with_defaults(tracer, function, args, kwargs)
    if generators.is_marked(converted):
        try:
            return generators.start(tracer, converted, args, kwargs)
        except StagingError:
            if converted is function:
                raise
            raise generators.leave(tracer, function) from None
    tracer.generators.frames.append(tracer.block)
    try:
        result = recursion.call(tracer, function, converted, args, kwargs)
        if type(result) is types.GeneratorType:
            generators.note(tracer, result)
        return result
    except RecursionError as error:
        if hasattr(error, "_autograph_deliberate"):
            raise
        raise tracer.error(
            UnsettledTraceError,
            f"tracing {function.__name__!r} does not come to an end",
            why="it calls itself, and how deep depends on data",
            fix="write it as a loop",
        ) from None
    finally:
        tracer.generators.frames.pop()


def _with_defaults(
    tracer: Tracer, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with those defaults filled in that are objects of outside, as these may change."""
    code = function.__code__
    guard_code(tracer, function)
    defaults = function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    given = code.co_varnames[: len(args)]
    kwargs = dict(kwargs)
    for name, default in (*zip(names, defaults, strict=True), *(function.__kwdefaults__ or {}).items()):
        if name in given or name in kwargs:
            continue
        held = held_by_code(tracer, default)
        if held is not default:
            if name in code.co_varnames[: code.co_posonlyargcount]:
                raise tracer.error(
                    StagingError,
                    f"the default of the positional parameter {name!r} of {function.__name__!r} may change",
                    fix="give it, or take away the slash from the parameters",
                )
            kwargs[name] = held
    return args, kwargs


def guard_code(tracer: Tracer, function: types.FunctionType) -> None:
    """What makes up a function of outside may be exchanged: its code, its defaults."""
    if is_converted_code(function.__code__) or given_functions.is_given(tracer, function):
        return  # made by the trace, or known by path
    owner = paths.Constant(function.__name__, ("object", id(function)), function)
    tracer.guards.identity(paths.attribute(owner, "__code__"), function.__code__)
    if function is tracer.root:
        return  # whose defaults are those of the call
    tracer.guards.identity(paths.attribute(owner, "__defaults__"), function.__defaults__)
    named = paths.attribute(owner, "__kwdefaults__")
    tracer.guards.identity(named, function.__kwdefaults__)
    for name, default in (function.__kwdefaults__ or {}).items():
        tracer.guards.same(paths.item(named, name), default)


def _may_be_none(arg: Any) -> bool:
    """Whether only the run knows if this is None: a native ``is None`` would say no."""
    return type(arg) is Tensor and isinstance(arg._ag_value.type, Unknown | Optional)


@functools.lru_cache(maxsize=1024)
def holds_on(code: types.CodeType) -> bool:
    """Whether this is a generator with something to clean up: it has a ``try`` or ``with``."""
    if not code.co_flags & inspect.CO_GENERATOR:
        return False
    return any(each.opname in _CLEANS_UP for each in dis.get_instructions(code))


_CLEANS_UP = frozenset({"PUSH_EXC_INFO", "SETUP_FINALLY", "SETUP_WITH"})


def _guard_static_names(tracer: Tracer, converted: Any) -> None:
    """The names that the transpiled text reads as they are have to stay what they are."""
    names = getattr(converted, "__static_names__", ())
    if names is tracer.guarded.get(converted):
        return
    tracer.guarded[converted] = names
    cells = dict(zip(converted.__code__.co_freevars, converted.__closure__ or (), strict=True))
    for dotted, where in names:
        name, *attributes = dotted.split(".")
        namespace = converted.__globals__
        if where in ("global", "builtin") and name not in namespace:
            missing_global(tracer, paths.Global(name, ("global", id(namespace), name), namespace, name))
            if where == "builtin":
                owner = paths.Constant("builtins", ("object", id(builtins)), builtins)
                tracer.guards.identity(paths.attribute(owner, name), getattr(builtins, name))
            continue
        if where in ("global", "builtin"):
            path: paths.Path = paths.Global(name, ("global", id(namespace), name), namespace, name)
        elif where == "free" and name in cells:
            path = given_functions.placed(
                tracer, paths.Cell(name, ("cell", id(cells[name]), name), cells[name])
            )
        else:
            continue
        try:
            raw = path.read()
            for attribute in attributes:
                if not _is_exchangeable(raw):
                    break
                path = paths.attribute(path, attribute)
                raw = path.read()
        except (ValueError, AttributeError):  # a cell that is not filled yet
            continue
        if isinstance(raw, types.MethodType):  # made anew by each access
            path, raw = paths.attribute(path, "__func__"), raw.__func__
        elif is_users_function(raw) or (_is_exchangeable(raw) and not _is_called_while_tracing(raw)):
            tracer.outside.named[id(raw)] = raw, path
        tracer.guards.identity(path, raw)


def _as_it_will_be(tracer: Tracer, raw: Any) -> Any:
    """A function or class that is found by an outer name, read when the graph runs; others as they are."""
    if type(raw) is Tensor:
        return raw
    _, path = tracer.outside.named.get(id(raw), (None, None))
    return raw if path is None else read(tracer, path, raw)


def _is_called_while_tracing(raw: Any) -> bool:
    """Whether this makes something that the trace has to know, or is not called at all."""
    return not isinstance(raw, type) or issubclass(raw, BaseException | tuple)


def _is_exchangeable(owner: Any) -> bool:
    """Whether the attributes of this may be exchanged: of a module, or a class or function of the user's."""
    if isinstance(owner, type):
        return is_of_users(owner.__module__)
    return isinstance(owner, types.ModuleType | types.FunctionType)


def _construct(tracer: Tracer, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A class is called: exceptions and named tuples are made now, objects when the graph runs."""
    if issubclass(cls, BaseException):
        return exceptions.make_exception(tracer, cls, args, kwargs)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return exceptions.python_does(cls, *args, **kwargs)
    if (cls in IMMUTABLE or cls in PURE) and not has_symbols(args) and not has_symbols(kwargs):
        return exceptions.python_does(cls, *args, **kwargs)
    if is_made_in_trace(tracer, cls):
        instance = new_instance(tracer, cls)
        call(tracer, cls.__init__, (instance, *args), kwargs)
        return instance
    if id(cls) in tracer.made_classes:
        value = tracer.record_value(table.CALL_VALUE, (cls, *args), kwargs)
    else:
        value = unknown_value(tracer, cls, args, kwargs)
    if cls.__new__ is object.__new__ and type(cls) is type:
        value.type = Instance(cls)
    return tracer.wrap(value)


def is_made_in_trace(tracer: Tracer, cls: Any) -> bool:
    """Whether an object of this class is made by tracing through its ``__init__``."""
    for name in ("__new__", "__init__"):
        tracer.guards.class_attribute(cls, name)
    plain = cls.__new__ is object.__new__ and type(cls) is type
    return plain and isinstance(cls.__init__, types.FunctionType) and tracer.convert(cls.__init__) is not None


def new_instance(tracer: Tracer, cls: Any) -> Tensor:
    """An object of the class before its ``__init__`` runs."""
    if id(cls) in tracer.made_classes:
        made = tracer.record_value(_new_of_run(cls.__name__), (cls,))
    else:
        made = tracer.record_value(new_object(cls), ())
    made.type = Instance(cls)
    return Tensor(made, tracer.block, tracer)


@functools.lru_cache(maxsize=256)
def _new_of_run(name: str) -> Op:
    """The row that makes an object of a class of the run before its ``__init__`` runs."""
    return Op(f"new {name}", object.__new__, "call", f"new_{name}")


@functools.lru_cache(maxsize=256)
def new_object(cls: type) -> Op:
    """The row that makes an object of a class before its ``__init__`` runs."""
    return Op(f"new {cls.__name__}", functools.partial(object.__new__, cls), "call", f"new_{cls.__name__}")


_ASKING = frozenset(
    {"index", "truth", "not_", "is_", "is_not", "contains", "countOf", "indexOf", "length_hint", "concat"}
)
"""Functions of ``operator`` that look at the value itself."""
_READ_DICT = frozenset({"copy", "get", "items", "keys", "values"})


def _call_object(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A builtin without a row, a method of a constant, a callable object."""
    if isinstance(function, OuterClass):
        return call(tracer, raw_of(function), args, kwargs)
    if isinstance(function, OuterObject):
        if is_users_function(raw_of(function)):
            return call(tracer, function_of(tracer, function), args, kwargs)
        special = special_method(tracer, function, "__call__")
        if isinstance(special, types.FunctionType):
            return call(tracer, special, (function, *args), kwargs)
        operand = function.to_operand(tracer, False)
        if type(operand) is Value:
            return tracer.record(table.CALL_VALUE, (RawOperand(operand), *args), kwargs)
        return unknown(tracer, operand, args, kwargs)
    if is_staged(function):
        bound = (held_by_code(tracer, function.__self__),) if hasattr(function, "__self__") else ()
        staged = function.__func__ if bound else function
        return _call_function(tracer, plain(tracer, staged), (*bound, *args), kwargs, staged)
    receiver = getattr(function, "__self__", None)
    if type(receiver) is types.GeneratorType:
        generators.as_value(tracer, receiver)
    if isinstance(receiver, BaseException) and id(receiver) in tracer.caught:
        raise tracer.assumptions.learn(tracer.caught[id(receiver)].key)  # the run has its own
    if isinstance(receiver, str | bytes):
        args = tuple([list(arg) if hasattr(type(arg), "__next__") else arg for arg in args])
    if type(function) is types.BuiltinFunctionType and function in access.COMPARISONS and len(args) == 2:
        return access.compare(tracer, args[0], function, args[1])
    symbols = has_symbols(args) or has_symbols(kwargs)
    if isinstance(receiver, str | bytes | int | float | complex | tuple | range | np.dtype):
        if not symbols and not has_symbols(receiver):
            return exceptions.python_does(function, *args, **kwargs)
        row = table.find_method(function.__name__, type(receiver)) or table.unknown_method(function.__name__)
        return tracer.record(row, (receiver, *args), kwargs)
    if isinstance(receiver, dict) and function.__name__ in _READ_DICT and not symbols:
        return function(*args, **kwargs)  # a ``**options`` of the user's, which Python has just made
    if symbols and getattr(function, "__module__", None) == "_operator" and function.__name__ in _ASKING:
        return unknown(tracer, function, args, kwargs)
    if getattr(function, "__module__", None) in ("_operator", "operator") or (
        not symbols and isinstance(function, type(np.dtype.newbyteorder))
    ):
        return function(*args, **kwargs)
    special = special_method(tracer, function, "__call__")
    if isinstance(special, types.FunctionType) and tracer.convert(special) is not None:
        return call(tracer, special, (held_by_code(tracer, function), *args), kwargs)
    return unknown(tracer, function, args, kwargs)


def function_of(tracer: Tracer, outer: OuterObject) -> Any:
    """The function that this stands for, to be called: what it holds is found by path."""
    raw, path = raw_of(outer), object.__getattribute__(outer, "path")
    if type(raw) is types.FunctionType and not isinstance(path, paths.Constant):
        given_functions.enter(tracer, raw, path)
    return raw


def _call_bound(tracer: Tracer, bound: BoundOuter, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of an outside object: of a generator, a file, a class of another library."""
    raw = bound.bound.__self__
    row = table.find_method(bound.name, type(raw)) or table.unknown_method(bound.name)
    receiver = raw if raw is not raw_of(bound.outer) else bound.outer.to_operand(tracer, False)
    return tracer.record(row, (RawOperand(receiver), *args), kwargs)


def unknown(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that nothing is known about: it runs in its place when the graph runs."""
    if type(function) is types.FunctionType and function.__code__.co_flags & inspect.CO_GENERATOR:
        return generators.called(tracer, unknown_value(tracer, function, args, kwargs))
    return tracer.wrap(unknown_value(tracer, function, args, kwargs))


def unknown_value(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The value of an unknown call."""
    if function is None:
        return tracer.record_value(table.CALL_VALUE, (None, *args), kwargs)
    tracer.lower(function)
    name = stored_name(function) or type(function).__name__
    symbol = name if name.isidentifier() else "function"
    return tracer.record_value(table.unknown_call(function, symbol), args, kwargs)


@functools.lru_cache(maxsize=256)
def construct(cls: Any) -> Op:
    """The row that makes a named tuple of its items."""
    return Op(table.apart(cls.__name__), cls, "call", cls.__name__, result="alias")
