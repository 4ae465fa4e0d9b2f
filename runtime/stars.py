"""Stars: ``a, *b = items``, ``[*a, x]``, ``f(*a, **d)`` where only the run knows how many items there are.

A star of such a value becomes one :class:`Spread` among the items or arguments.  It holds a list that the run
made at the place of the star, and what builds the container, or calls, puts the items of that list there.
"""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from autograph.errors import ValueNeededError
from autograph.operators.calls import Keywords
from autograph.operators.plain import unpacker

from . import binding, calls, containers, exceptions, outer_containers
from .graph import Operand
from .location import is_own
from .operands import RawOperand, Traced, has_symbols
from .ops import table
from .ops.ufuncs import foreign
from .outer_objects import OuterClass, OuterObject, is_iterable, raw_of
from .state import held_by_code, is_staged, is_users_function, plain
from .tensor import Method, Tensor
from .types import UNKNOWN, Dict, Instance, List

if TYPE_CHECKING:
    from .tracing import Tracer


class Spread(Traced):
    """Stands among items or arguments for all those of a list of the run."""

    __slots__ = ("items",)

    def __init__(self, items: Tensor) -> None:
        self.items = items

    def to_operand(self, tracer: Tracer, display: bool) -> Operand:
        raise _refusal(tracer)


def unpack_star(tracer: Tracer, iterable: Any, before: int, after: int) -> tuple[Any, ...]:
    """``a, *b, c = iterable``."""
    iterable = _listed(tracer, iterable)
    if type(iterable) is Tensor:
        items = tracer.items_of(iterable)
        if items is None:
            found: tuple[Any, ...] = tracer.apply("unpack_star", iterable, before, after)
            return found
        iterable = items
    values = list(exceptions.python_does(unpacker(before, after), iterable))
    values[before] = containers.new_list(tracer, values[before])
    return tuple(values)


def _listed(tracer: Tracer, iterable: Any) -> Any:
    """What a star goes through; for an object of outside a list, where only the run knows the items."""
    if isinstance(iterable, OuterObject) and not is_iterable(tracer, iterable):
        return raw_of(iterable)  # for Python to refuse
    found = tracer.iterable_of(iterable)
    if type(found) is Tensor and isinstance(iterable, OuterObject):
        return tracer.call(list, (found,), {})
    return found


def star(tracer: Tracer, iterable: Any, op: str = "star") -> Any:
    """The items of ``*iterable``."""
    iterable = _listed(tracer, iterable)
    if type(iterable) is not Tensor:
        return iterable
    items = tracer.items_of(iterable)
    if items is not None:
        return items
    value = tracer.record_value(table.get(op), (iterable,))
    value.type = List(UNKNOWN)
    return (Spread(Tensor(value, tracer.block, tracer)),)


def double_star(tracer: Tracer, mapping: Any, op: str = "double_star") -> Any:
    """The items of ``**mapping``."""
    if isinstance(mapping, containers.TracedContainer) and mapping.tensor is not None:
        mapping = mapping.tensor
    if isinstance(mapping, outer_containers.OuterDict):
        return {key: mapping.find(key) for key in mapping.in_order()}
    of_outside = isinstance(mapping, OuterObject)
    if type(mapping) is not Tensor and not of_outside:
        return mapping
    row = table.get(op)
    value = tracer.record_value(foreign(row) if of_outside else row, (mapping,))
    value.type = Dict(UNKNOWN)
    return {Keywords("**"): Tensor(value, tracer.block, tracer)}


# Displays --------------------------------------------------------------------------------------------------


def new_list(tracer: Tracer, items: list[Any]) -> Any:
    """``[...]``."""
    first = next((k for k, item in enumerate(items) if type(item) is Spread), None)
    if first is None:
        return containers.new_list(tracer, items)
    if first == 0:
        made = items[0].items  # a list of its own
        rest = items[1:]
    else:
        made, rest = containers.make_list(tracer, items[:first]), items[first:]
    for item in rest:
        if type(item) is Spread:
            tracer.call(made.extend, (item.items,), {})
        else:
            tracer.call(made.append, (item,), {})
    return made


def new_tuple(tracer: Tracer, items: tuple[Any, ...]) -> Any:
    """``(*a, b)``."""
    if not any_spread(items, {}):
        return items
    return tracer.call(tuple, (new_list(tracer, list(items)),), {})


def new_set(tracer: Tracer, items: Any) -> Any:
    """``{...}``."""
    if type(items) is set or not any_spread(tuple(items), {}):
        return containers.new_set(tracer, items)
    return tracer.call(set, (new_list(tracer, items),), {})


def new_dict(tracer: Tracer, items: Any) -> Any:
    """``{...}``; ``items`` may be a dict that the run has made for ``**options`` of a function."""
    if type(items) is Tensor:
        return items
    if type(items) is list:
        return _of_pairs(tracer, items)
    if not any_spread((), items):
        return containers.new_dict(tracer, items)
    made: Tensor | None = None
    for mapping in _mappings(items):
        if made is None:
            made = mapping if type(mapping) is Tensor else containers.make_dict(tracer, mapping)
        else:
            tracer.call(made.update, (mapping,), {})
    return made


def _of_pairs(tracer: Tracer, items: list[Any]) -> Any:
    """A dict display with keys that may be symbolic: a list of pairs and of mappings."""
    mappings: list[Any] = [[]]
    first: Any
    for item in items:
        for key, value in [item] if type(item) is tuple else dict(item).items():
            if type(key) is Keywords:
                mappings += [value, []]
            else:
                mappings[-1].append((key, value))
    first, *rest = [each for each in mappings if type(each) is Tensor or each] or [[]]
    if not rest and type(first) is list and not any(has_symbols(key) for key, _ in first):
        return containers.new_dict(tracer, dict(first))
    made = containers.make_pairs(tracer, [] if type(first) is Tensor else first)
    for mapping in [first, *rest] if type(first) is Tensor else rest:
        tracer.call(made.update, (mapping,), {})
    return made


def _mappings(items: dict[Any, Any]) -> list[Any]:
    """The dicts of the run, and the keys known by now between them."""
    found: list[Any] = []
    for key, value in items.items():
        if type(key) is Keywords:
            found.append(value)
        elif found and type(found[-1]) is dict:
            found[-1][key] = value
        else:
            found.append({key: value})
    return found


# Calls -----------------------------------------------------------------------------------------------------


def any_spread(args: tuple[Any, ...], kwargs: dict[Any, Any]) -> bool:
    """Whether only the run knows how many arguments there are."""
    return any(type(arg) is Spread for arg in args) or any(type(key) is Keywords for key in kwargs)


def call(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``function(*a, **d)``: a function of the user's is traced through, anything else called by the run."""
    kind = type(function)
    if kind is Tensor:
        function = calls.method_called(function)
        if type(function) is types.MethodType:
            return call(tracer, function, args, kwargs)
    if kind is Tensor or kind is Method:
        return _called_by_the_run(tracer, function, args, kwargs)
    if kind is containers.Choice:
        return function.chosen(lambda each: call(tracer, each, args, kwargs))
    if kind is types.MethodType and isinstance(function.__func__, OuterObject):
        return call(tracer, function.__func__, (function.__self__, *args), kwargs)
    if kind is types.MethodType and (is_staged(function.__func__) or not is_own(function.__func__.__code__)):
        return call(tracer, function.__func__, (held_by_code(tracer, function.__self__), *args), kwargs)
    if kind is functools.partial and not (function.keywords and any_spread((), kwargs)):
        first = [held_by_code(tracer, arg) for arg in function.args]
        named = {name: held_by_code(tracer, arg) for name, arg in function.keywords.items()}
        return call(tracer, held_by_code(tracer, function.func), (*first, *args), {**named, **kwargs})
    if kind is types.FunctionType and not is_own(function.__code__):
        converted = tracer.convert(function)
        if converted is not None:
            return _call_bound(tracer, function, converted, args, kwargs)
    elif isinstance(function, type) and not isinstance(function, Traced):
        if calls.is_made_in_trace(tracer, function):
            instance = calls.new_instance(tracer, function)
            call(tracer, function.__init__, (instance, *args), kwargs)  # type: ignore[misc]
            return instance
        if issubclass(function, BaseException):
            made = tracer.record_value(table.get("call_star"), (function, *_arguments(tracer, args, kwargs)))
            made.type = Instance(function)
            return exceptions.SymbolicException(tracer, Tensor(made, tracer.block, tracer))
    elif isinstance(function, OuterClass):
        return call(tracer, raw_of(function), args, kwargs)
    elif isinstance(function, OuterObject) and is_users_function(raw_of(function)):
        return call(tracer, calls.function_of(tracer, function), args, kwargs)
    elif isinstance(function, OuterObject):
        special = getattr(function.__class__, "__call__", None)  # noqa: B004
        if isinstance(special, types.FunctionType):
            return call(tracer, special, (function, *args), kwargs)
    elif is_staged(function):
        bound = (held_by_code(tracer, function.__self__),) if hasattr(function, "__self__") else ()
        through = plain(tracer, function.__func__ if bound else function)
        return call(tracer, through, (*bound, *args), kwargs)
    elif is_own(getattr(function, "__code__", _NO_CODE)):
        raise _refusal(tracer)
    return _called_by_the_run(tracer, function, args, kwargs)


def _called_by_the_run(tracer: Tracer, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return tracer.apply("call_star", function, *_arguments(tracer, args, kwargs))


def _arguments(tracer: Tracer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What ``call_star`` takes: the list of arguments and the mappings."""
    known = not any_spread(args, {})
    return RawOperand(tracer.lower(list(args))) if known else new_list(tracer, list(args)), *_mappings(kwargs)


_NO_CODE = compile("", "<none>", "exec")


def _call_bound(
    tracer: Tracer,
    function: types.FunctionType,
    converted: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Trace through a function on the arguments that the run binds to its parameters."""
    count = next((k for k, arg in enumerate(args) if type(arg) is Spread), len(args))
    rest = new_list(tracer, list(args[count:])) if count < len(args) else None
    through, args, kwargs = binding.bind(
        tracer, function, converted, args[:count], rest, kwargs, _mappings(kwargs)
    )
    return tracer.call(through, args, kwargs)


def _refusal(tracer: Tracer) -> Exception:
    return tracer.error(
        ValueNeededError,
        "how many arguments this gets is known only when the graph runs",
        why="it is called while tracing, which has to know them",
        fix="give it the list or dict itself",
    )
