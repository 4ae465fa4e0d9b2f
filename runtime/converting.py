"""Which form of a function a trace runs."""

from __future__ import annotations

import inspect
import linecache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from autograph import convert as transpiled
from autograph.convert import converted, is_converted, with_generators
from autograph.errors import UnsupportedSyntaxError

if TYPE_CHECKING:
    from .tracing import Tracer


def convert(tracer: Tracer, function: FunctionType) -> FunctionType | None:
    """The converted form of a function of the user's, or None for one that is to be called as it is."""
    if not tracer.asks_for_tracebacks and _asks_for_tracebacks(function.__code__):
        tracer.asks_for_tracebacks = True
        if tracer.handled:
            raise tracer.assumptions.learn(next(iter(tracer.handled.values())))
    if not is_converted(function):
        tracer.outer_cells.update((id(cell), cell) for cell in function.__closure__ or ())
    own = tracer.assumptions.generators.get(function.__code__)
    if own is not None:
        return with_generators(function, own)
    if function is tracer.root:
        return staged_form(function)
    found = converted(function, tracer.also)
    if found is not function or is_converted(function):
        return found  # type: ignore[no-any-return]
    return None


def _asks_for_tracebacks(code: CodeType) -> bool:
    """Whether the function reads ``e.__traceback__``: what is caught while tracing has that of the trace."""
    return "__traceback__" in code.co_names or any(
        isinstance(each, CodeType) and _asks_for_tracebacks(each) for each in code.co_consts
    )


def staged_form(function: FunctionType) -> FunctionType:
    """The converted form of a function that is staged itself, wherever it comes from.

    Raises:
        SourceError: its text cannot be found.
        UnsupportedSyntaxError: it is a generator or a coroutine, or uses a construct that cannot be staged.
    """
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        if code.co_flags & inspect.CO_GENERATOR:
            kind = "generator"
            why = "it gives its results bit by bit while its caller goes on, and a graph runs from end to end"
            fix = "stage a function that returns a list or an array, or the functions that this one calls"
        else:
            kind = "asynchronous"
            why = "an event loop runs it in pieces, with other code between, and a graph runs from end to end"
            fix = "stage the plain functions that it calls, and await around them"
        raise UnsupportedSyntaxError(
            f"the {kind} function {function.__name__!r} cannot be staged",
            why=why,
            fix=fix,
            filename=code.co_filename,
            lineno=code.co_firstlineno,
            line=linecache.getline(code.co_filename, code.co_firstlineno).rstrip("\n"),
        )
    return transpiled(function)  # type: ignore[no-any-return]
