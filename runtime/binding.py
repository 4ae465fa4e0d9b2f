"""Calls of the user's functions with as many arguments as only the run knows: ``f(*items, **mapping)``.

The run binds the arguments to the parameters, as Python does and in its words, and the function is traced
through on what they came to.  What surely belongs to a parameter (``f(a, *items, key=b)``: ``a`` and ``b``)
stays what it is while tracing.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from autograph.convert import open_stars, stars_as_parameters

from . import calls, containers
from .assumptions import Restart
from .graph import Op
from .making import STARS, parameters, signature
from .operands import has_symbols
from .ops import table
from .ops.builtins import call_star
from .types import UNKNOWN, Tuple

if TYPE_CHECKING:
    from .tracing import Tracer


def bind(
    tracer: Tracer,
    function: FunctionType,
    converted: FunctionType,
    first: tuple[Any, ...],
    rest: Any,
    named: dict[str, Any],
    mappings: list[Any],
) -> tuple[FunctionType, tuple[Any, ...], dict[str, Any]]:
    """What to call, and with what: the stars of the function are parameters of their own then.

    Args:
        first: the arguments before the first star.
        rest: a list of the run with all others; None where there is no star.
        named: what is given by name.
        mappings: the dicts of the run behind two stars, and what is given by name between them.
    """
    code = function.__code__
    through = opened(tracer, function, converted)
    calls.guard_code(tracer, function)
    names = parameters(code)
    positional = names[: code.co_argcount]
    by_name = {*names[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]}
    known = dict(zip(positional, first, strict=False)) | {k: v for k, v in named.items() if k in by_name}
    given = [None if k < len(positional) else each for k, each in enumerate(first)]
    arguments = rest if rest is not None and not given else containers.make_list(tracer, given)
    if rest is not None and given:
        tracer.call(arguments.extend, (rest,), {})
    found = tracer.record(_binder(function), (arguments, _defaults(function), *_hidden(mappings, by_name)))
    bound = {name: known.get(name, each) for name, each in zip(names, found, strict=True)}
    keywords = {name: bound[name] for name in names[code.co_argcount :]}
    return through, tuple([bound[name] for name in positional]), keywords


def opened(tracer: Tracer, function: FunctionType, converted: FunctionType) -> FunctionType:
    """The converted form of a function with its stars as parameters: of a tuple, and of a dict."""
    if function.__code__.co_flags & STARS and open_stars(converted.__code__):
        raise Restart
    found: FunctionType | None = tracer.opened.get(function)
    if found is None:
        found = tracer.opened[function] = stars_as_parameters(converted)
    return found


def _hidden(mappings: list[Any], by_name: set[str]) -> list[Any]:
    """The mappings with ``None`` for what goes to a parameter by its name: only that it is given matters."""
    return [
        {key: None if key in by_name else value for key, value in each.items()}
        if type(each) is dict
        else each
        for each in mappings
    ]


def _defaults(function: FunctionType) -> dict[Any, Any]:
    """The defaults that are values of the graph, by place and by name."""
    every = (*enumerate(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items())
    return {place: default for place, default in every if has_symbols(default)}


def _binder(function: FunctionType) -> Op:
    """The row that binds arguments to the parameters of a function and gives what each of them gets."""
    code = function.__code__
    names = parameters(code)
    kinds = Tuple((UNKNOWN,) * len(names))
    items = "".join(f"{name}, " for name in names)
    binder: FunctionType = eval(f"lambda {', '.join(signature(code))}: ({items})")
    positional, keywords = function.__defaults__ or (), function.__kwdefaults__ or {}

    def bound(arguments: list[Any], defaults: dict[Any, Any], *mappings: Any) -> Any:
        binds = FunctionType(binder.__code__, {}, function.__name__)
        binds.__defaults__ = tuple([defaults.get(k, each) for k, each in enumerate(positional)])
        binds.__kwdefaults__ = {name: defaults.get(name, each) for name, each in keywords.items()}
        binds.__qualname__, binds.__module__ = function.__qualname__, function.__module__
        return call_star(binds, arguments, *mappings)

    name = f"bind_{function.__name__ if function.__name__.isidentifier() else 'lambda'}"
    return Op(table.apart(name), bound, "call", name, infer=lambda *operands: kinds, result="alias")
