"""The qualified names of functions and classes inside converted code: as the user wrote them.

Conversion puts code into parts, so that Python would call ``f.<locals>.g`` ``f.<locals>.body.<locals>.g``.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Made:
    """The functions that conversion made, of which the user's names do not tell."""

    names: Collection[str] = ()
    """Of functions that are no scopes of the user's."""
    comprehensions: Mapping[str, str] = field(default_factory=dict)
    """Of functions that stand for comprehensions and lambdas, with what Python calls these."""
    thunks: Collection[Any] = ()
    """What :func:`_end` gives for their code, of lambdas."""


def with_qualified_names(code: types.CodeType, written: str, qualname: str, made: Made) -> types.CodeType:
    """The code of a converted function under its name, with those of everything inside put right.

    Args:
        code: the code of the function, as compiled.
        written: what the compiler called it.
        qualname: what the function is called.
        made: what conversion put between the user's functions.

    >>> text = "def f():\\n def body():\\n  class A:\\n   def g(self): pass\\n  return A\\n return body"
    >>> module = compile(text, "<text>", "exec")
    >>> f = types.FunctionType(with_qualified_names(module.co_consts[0], "f", "m.f", Made({"body"})), {})
    >>> f()().g.__qualname__
    'm.f.<locals>.A.g'
    """
    return _renamed(code, (written, True), (qualname, True), made)


LAMBDA = "<lambda>"
Scope = tuple[str, bool]
"""A qualified name, and whether names inside are said to be local: they are in functions alone."""


def _renamed(code: types.CodeType, old: Scope, new: Scope, made: Made) -> types.CodeType:
    """The code with the ``new`` name for the ``old`` one."""
    names = {old[0]: new[0]}
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            before = _inside(old, constant.co_name), _is_function(constant)
            after = _name(new, constant, made)
            names[before[0]] = after[0]
            stands_for = made.comprehensions.get(constant.co_name)
            constant = _renamed(constant, before, after, made)
            if stands_for == LAMBDA:
                constant = constant.replace(co_name=LAMBDA)
        constants.append(constant)
    # the body of a class, and before Python 3.11 what makes a function, hold the name as a text
    held = [names.get(each, each) if type(each) is str else each for each in constants]
    code = code.replace(co_consts=tuple(held))
    return code.replace(co_qualname=new[0]) if sys.version_info >= (3, 11) else code


def _name(around: Scope, code: types.CodeType, made: Made) -> Scope:
    """The name of what this code inside ``around`` is, to the user."""
    comprehension = made.comprehensions.get(code.co_name)
    if comprehension is not None:
        return _inside(around, comprehension), comprehension == LAMBDA
    if code.co_name in made.names or (code.co_name == "<lambda>" and _end(code) in made.thunks):
        return around  # as if what is inside stood there itself
    return _inside(around, code.co_name), _is_function(code)


def _is_function(code: types.CodeType) -> bool:
    return bool(code.co_flags & _OPTIMIZED) and code.co_name not in _COMPREHENSIONS


def _end(code: types.CodeType) -> Any:
    """The place of the last instruction before the value of a lambda's expression is returned.

    In Python 3.10 the name of the parameter that conversion gave it.
    """
    if sys.version_info >= (3, 11):
        return [*code.co_positions()][-2:][0]
    return code.co_varnames[code.co_argcount] if code.co_flags & _KEYWORDS else None


def _inside(around: Scope, name: str) -> str:
    return f"{around[0]}.<locals>.{name}" if around[1] else f"{around[0]}.{name}"


_AT_ONCE = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>"))
_COMPREHENSIONS = _AT_ONCE | {"<genexpr>"}
_KEYWORDS = 0x8  # the flag of ``**kwargs``
_OPTIMIZED = 0x1  # the flag of code whose names are local: that of functions


def function_of(code: types.CodeType) -> str:
    """The name of the user's function that this code is, or is a part of; a comprehension is a part."""
    if sys.version_info < (3, 11):
        return code.co_name
    names = code.co_qualname.split(".")
    while names[-1] in _AT_ONCE and len(names) > 1:
        del names[-2:]  # with "<locals>"
    return names[-1] if names else code.co_name
