"""What a caller can see of functions that a function made: their signatures, and what calls of them give."""

from __future__ import annotations

import copy
import functools
import inspect
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import autograph as ag

CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((3,), {}),
    ((5, 2), {}),
    ((1, 2, 3), {}),
    ((4,), {"d": 4}),
    ((7,), {"c": 7, "z": 9}),
)
"""How each function is called, one after the other, as calls may change what the next one gives."""
GIVEN = {"n": (1, 4, 0), "x": (7, 2, -1), "start": (2, 2, 2), "a": (np.arange(5.0),) * 3}
"""What sample functions are given, three times, for parameters of these names."""


def given_arguments(functions: Iterable[Callable[..., Any]]) -> Iterator[tuple[Any, ...]]:
    """Cases of sample functions whose parameters tell by their names what they are given."""
    for f in functions:
        names = inspect.signature(f).parameters
        yield from ((f, *(GIVEN[name][k] for name in names)) for k in range(3))


def check_made(
    f: Callable[..., Any],
    *args: Any,
    before: Callable[[], Any] = lambda: None,
    after: Callable[[], Any] = lambda: None,
) -> None:
    """Check that the functions in the result of ``f`` are in every mode what they are plain.

    Args:
        before: what is done before ``f`` is called.
        after: what is done when it has returned, before the functions in its result are called.
    """
    wanted = _outcome(f, args, before, after)
    assert _outcome(ag.convert(f), args, before, after) == wanted
    staged = ag.function(f)
    assert _outcome(staged, args, before, after) == wanted
    assert _outcome(staged, args, before, after) == wanted  # of the second call nothing is left


def _outcome(f: Any, args: tuple[Any, ...], before: Callable[[], Any], after: Callable[[], Any]) -> Any:
    before()
    try:
        result = f(*copy.deepcopy(args))
    except ag.StagingError:
        raise
    except Exception as error:
        return type(error), str(error)
    after()
    return seen(result)


def seen(value: Any, depth: int = 0) -> Any:
    """A value as something that can be compared; functions in it are called."""
    if isinstance(value, types.FunctionType):
        return [_described(value), *(_call(value, call, depth) for call in CALLS if depth < 3)]
    if isinstance(value, (types.MethodType, functools.partial)):
        return [_call(value, call, depth) for call in CALLS[:2]]
    if isinstance(value, types.GeneratorType):
        return value.__qualname__, [seen(item, depth) for item in value]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(seen(item, depth) for item in value)]
    if isinstance(value, dict):
        return {key: seen(item, depth) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return type(value).__qualname__, seen(vars(value), depth)
    return type(value), value


def _described(function: types.FunctionType) -> tuple[Any, ...]:
    parameters = [
        (parameter.name, parameter.kind, parameter.default is not parameter.empty, parameter.annotation)
        for parameter in inspect.signature(function).parameters.values()
    ]
    code = function.__code__
    names = (function.__name__, function.__qualname__, function.__module__, function.__doc__)
    return (*names, parameters, code.co_filename, code.co_firstlineno, sorted(function.__annotations__))


def _call(function: Any, call: tuple[tuple[Any, ...], dict[str, Any]], depth: int) -> Any:
    args, kwargs = call
    try:
        return seen(function(*args, **kwargs), depth + 1)
    except Exception as error:
        file = inspect.getsourcefile(function.func if isinstance(function, functools.partial) else function)
        frames = traceback.extract_tb(error.__traceback__)
        return type(error), str(error), [frame.lineno for frame in frames if frame.filename == file][-1:]
