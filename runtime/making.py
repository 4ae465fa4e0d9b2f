"""What makes a Python function when the graph runs: one with the signature and the name that the user wrote,
around the program of the graph that its body was traced into.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.convert import keep_plain

from .aliasing import WORLD
from .backends.numpy_code import compile_graph
from .effects import add_control_edges
from .graph import Graph
from .passes import optimise

STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def parameters(code: CodeType) -> tuple[str, ...]:
    """The names of all parameters: positional, keyword-only, ``*args``, ``**kwargs``."""
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def starred(code: CodeType) -> tuple[str, ...]:
    """The names of ``*args`` and ``**kwargs``, as far as there are any."""
    return parameters(code)[code.co_argcount + code.co_kwonlyargcount :]


class Maker:
    """Makes a function of the values that it captures, of its defaults and its attributes.

    It keeps what is written about the function, and not the function, whose variables hold the whole trace.
    """

    def __init__(self, graph: Graph, like: FunctionType, captured: int) -> None:
        self.graph = graph
        """Its inputs are what is captured, and then the parameters."""
        self.captured = captured
        """How many inputs are captured values."""
        self.__name__ = like.__name__
        self.written = _Written(like)
        self.namespace = like.__globals__
        self.code = like.__code__
        self.make: Callable[..., FunctionType] | None = None

    def compile(self) -> Callable[..., FunctionType]:
        """Compile the program of the graph and what makes a function around it, when they are needed first.
        """
        graph = self.graph
        add_control_edges(graph, dict.fromkeys(graph.inputs, WORLD))  # the arguments may be anything
        program = compile_graph(optimise(graph)).function
        make = FunctionType(_making(self.code, self.captured), self.namespace)
        self.make = functools.partial(make, program)
        return self.make

    def __call__(
        self,
        captured: tuple[Any, ...],
        defaults: tuple[Any, ...],
        keywords: dict[str, Any],
        attributes: dict[str, Any],
    ) -> FunctionType:
        made = (self.make or self.compile())(*captured)
        if defaults:
            made.__defaults__ = defaults
        if keywords:
            made.__kwdefaults__ = dict(keywords)
        return self.written.on(made, attributes)


class _Written:
    """The names, the documentation and the annotations of a function."""

    def __init__(self, like: FunctionType) -> None:
        self.name, self.qualname = like.__name__, like.__qualname__
        self.module, self.doc = like.__module__, like.__doc__
        if sys.version_info >= (3, 14):
            self.annotations = like.__annotate__
        else:
            self.annotations = dict(like.__annotations__)

    def on(self, made: FunctionType, attributes: dict[str, Any]) -> FunctionType:
        """The function with these, and with attributes."""
        made.__name__, made.__qualname__ = self.name, self.qualname
        made.__module__, made.__doc__ = self.module, self.doc
        if sys.version_info >= (3, 14):
            made.__annotate__ = self.annotations
        elif self.annotations:
            made.__annotations__ = dict(self.annotations)
        if attributes:
            made.__dict__.update(attributes)
        return made


def copy_of(
    function: FunctionType, attributes: dict[str, Any], closure: tuple[CellType, ...] | None = None
) -> FunctionType:
    """The same function once more, with these attributes; and with other variables, if some are given."""
    closure = function.__closure__ if closure is None else closure or None
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = dict(function.__kwdefaults__) if function.__kwdefaults__ else None
    return _Written(function).on(made, attributes)


def _making(like: CodeType, captured: int) -> CodeType:
    """The code that makes, of a program and of what is captured, a function with the parameters of ``like``.
    """
    names = parameters(like)
    free = [_unlike(names, f"captured_{k}") for k in range(captured)]
    program = _unlike(names, "program")
    inner = f" def function({', '.join(signature(like))}): return {program}({', '.join([*free, *names])})"
    module = compile(f"def make({', '.join([program, *free])}):\n{inner}\n return function", "<made>", "exec")
    make = next(each for each in module.co_consts if isinstance(each, CodeType))
    code = next(each for each in make.co_consts if isinstance(each, CodeType))
    placed = code.replace(
        co_filename=like.co_filename, co_firstlineno=like.co_firstlineno, co_name=like.co_name
    )
    placed = placed.replace(co_qualname=like.co_qualname) if sys.version_info >= (3, 11) else placed
    keep_plain(placed)
    return make.replace(co_consts=tuple([placed if each is code else each for each in make.co_consts]))


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
