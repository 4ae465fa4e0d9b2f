"""What makes a Python function when the graph runs: one with the signature and the name that the user wrote,
around the program of the graph that its body was traced into.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.convert import keep_plain

from .aliasing import WORLD
from .effects import add_control_edges
from .graph import Graph

STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def parameters(code: CodeType) -> tuple[str, ...]:
    """The names of all parameters: positional, keyword-only, ``*args``, ``**kwargs``."""
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def starred(code: CodeType) -> tuple[str, ...]:
    """The names of ``*args`` and ``**kwargs``, as far as there are any."""
    return parameters(code)[code.co_argcount + code.co_kwonlyargcount :]


@dataclass(eq=False)
class Maker:
    """Makes a function of the values that it captures, of its defaults and its attributes."""

    graph: Graph
    """Its inputs are what is captured, and then the parameters."""
    like: FunctionType
    """The function of the trace, which does not hold values of the graph any more than its code does."""
    captured: int
    """How many inputs are captured values."""
    code: CodeType | None = field(default=None, init=False)
    program: Callable[..., Any] | None = field(default=None, init=False)

    @property
    def __name__(self) -> str:
        return self.like.__name__

    def compile(self) -> None:
        """Compile the program of the graph and the code that calls it, when they are needed first."""
        from .backends.numpy_code import compile_graph
        from .passes import optimise

        graph = self.graph
        add_control_edges(graph, dict.fromkeys(graph.inputs, WORLD))  # the arguments may be anything
        self.program = compile_graph(optimise(graph)).function
        self.code = _calling(self.like.__code__, self.captured)
        keep_plain(self.code)

    def __call__(
        self,
        captured: tuple[Any, ...],
        defaults: tuple[Any, ...],
        keywords: dict[str, Any],
        attributes: dict[str, Any],
    ) -> FunctionType:
        if self.code is None:
            self.compile()
        assert self.code is not None
        closure = tuple(CellType(value) for value in (self.program, *captured))
        made = FunctionType(self.code, self.like.__globals__, self.like.__name__, defaults or None, closure)
        made.__kwdefaults__ = dict(keywords) if keywords else None
        return _dressed(made, self.like, attributes)


def copy_of(
    function: FunctionType, attributes: dict[str, Any], closure: tuple[CellType, ...] | None = None
) -> FunctionType:
    """The same function once more, with these attributes; and with other variables, if some are given."""
    closure = function.__closure__ if closure is None else closure or None
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = dict(function.__kwdefaults__) if function.__kwdefaults__ else None
    return _dressed(made, function, attributes)


def _dressed(made: FunctionType, like: FunctionType, attributes: dict[str, Any]) -> FunctionType:
    """The function under the names and with the documentation of another."""
    made.__qualname__, made.__module__, made.__doc__ = like.__qualname__, like.__module__, like.__doc__
    if sys.version_info < (3, 14):
        made.__annotations__ = dict(like.__annotations__)
    else:
        made.__annotate__ = like.__annotate__
    made.__dict__.update(attributes)
    return made


def _calling(like: CodeType, captured: int) -> CodeType:
    """The code of a function with the parameters of ``like`` that calls a program.

    Its free variables are the program, and then what is captured.
    """
    names = parameters(like)
    free = [_unlike(names, f"captured_{k:06}") for k in range(captured)]
    program = _unlike(names, "_program")  # sorted before the others, as free variables are
    text = ", ".join(signature(like))
    inner = f" def function({text}): return {program}({', '.join([*free, *names])})"
    module = compile(f"def make({', '.join([program, *free])}):\n{inner}\n return function", "<made>", "exec")
    outer = next(each for each in module.co_consts if isinstance(each, CodeType))
    code = next(each for each in outer.co_consts if isinstance(each, CodeType))
    code = code.replace(
        co_filename=like.co_filename, co_firstlineno=like.co_firstlineno, co_name=like.co_name
    )
    return code.replace(co_qualname=like.co_qualname) if sys.version_info >= (3, 11) else code


def signature(code: CodeType) -> list[str]:
    """The parameters as they are written, without defaults."""
    names = parameters(code)
    positional, rest = list(names[: code.co_argcount]), list(names[code.co_argcount :])
    only, stars = rest[: code.co_kwonlyargcount], rest[code.co_kwonlyargcount :]
    if code.co_posonlyargcount:
        positional.insert(code.co_posonlyargcount, "/")
    if code.co_flags & inspect.CO_VARARGS:
        positional.append(f"*{stars.pop(0)}")
    elif only:
        positional.append("*")
    return [*positional, *only, *(f"**{name}" for name in stars)]


def _unlike(names: tuple[str, ...], name: str) -> str:
    """The name, or one like it that no parameter has."""
    while name in names:
        name += "_"
    return name
