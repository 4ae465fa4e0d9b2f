"""Generators that run while tracing, and turn out to need the run: they get a graph of their own."""

from __future__ import annotations

import inspect
from types import BuiltinFunctionType, CodeType, FrameType, GeneratorType, MethodWrapperType
from typing import TYPE_CHECKING, Any

from autograph.convert import origin_of

from .assumptions import Restart
from .location import user_frame

if TYPE_CHECKING:
    from .tracing import Tracer


def in_frames(tracer: Tracer, frame: FrameType | None) -> Restart | None:
    """What to raise when tracing fails inside a generator that runs while tracing; None outside of any.

    The innermost one that has no graph of its own yet gets one.
    """
    while frame is not None:
        code = frame.f_code
        if code.co_flags & inspect.CO_GENERATOR and origin_of(code) is not None:
            found = learn(tracer, code)
            if found is not None:
                return found
        frame = frame.f_back
    return None


def at_making(tracer: Tracer) -> Restart | None:
    """The same where Python asks a symbol for its iterator, to make a generator expression on this line."""
    frame = user_frame()
    if frame is None:
        return None
    for code in frame.f_code.co_consts:
        if (
            isinstance(code, CodeType)
            and code.co_flags & inspect.CO_GENERATOR
            and code.co_name == "<genexpr>"
        ):
            lines = [line for _, _, line in code.co_lines() if line is not None]
            if min(lines) <= frame.f_lineno <= max(lines):
                found = learn(tracer, code)
                if found is not None:
                    return found
    return in_frames(tracer, frame)


def needed(tracer: Tracer, operand: Any) -> None:
    """The run is given this: a generator, or a method of one, is a value of the graph.

    Raises:
        Restart: from the next trace on.
    """
    kind = type(operand)
    if kind is BuiltinFunctionType or kind is MethodWrapperType:
        operand = operand.__self__
        kind = type(operand)
    if kind is GeneratorType:
        found = learn(tracer, operand.gi_code)
        if found is not None:
            raise found
    elif kind is tuple:
        for item in operand:
            needed(tracer, item)


def learn(tracer: Tracer, code: CodeType) -> Restart | None:
    """Give the generators of this code a graph of their own from the next trace on; None if they have one."""
    origin = origin_of(code)
    if origin is None:
        return None
    known = tracer.assumptions.generators.get(origin, frozenset())
    named = (code.co_name, code.co_firstlineno)
    if named in known:
        return None
    tracer.assumptions.generators[origin] = known | {named}
    return tracer.assumptions.learn(("generators", origin))
