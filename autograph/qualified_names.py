"""The qualified names of functions and classes inside converted code: as the user wrote them.

Conversion puts code into parts, so that Python would call ``f.<locals>.g`` ``f.<locals>.body.<locals>.g``.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Collection, Mapping


def with_qualified_names(
    code: types.CodeType, written: str, qualname: str, made: Collection[str], comprehensions: Mapping[str, str]
) -> types.CodeType:
    """The code of a converted function under its name, with those of everything inside put right.

    Args:
        code: the code of the function, as compiled.
        written: what the compiler called it.
        qualname: what the function is called.
        made: names of functions that conversion made, which the user's names do not tell.
        comprehensions: those among them that stand for comprehensions, with what Python calls these.

    >>> text = "def f():\\n def body():\\n  class A:\\n   def g(self): pass\\n  return A\\n return body"
    >>> module = compile(text, "<text>", "exec")
    >>> f = types.FunctionType(with_qualified_names(module.co_consts[0], "f", "m.f", {"body"}, {}), {})
    >>> f()().g.__qualname__
    'm.f.<locals>.A.g'
    """
    return _Names(made, comprehensions).of(code, (written, True), (qualname, True))


Scope = tuple[str, bool]
"""A qualified name, and whether names inside are said to be local: they are in functions alone."""


class _Names:
    def __init__(self, made: Collection[str], comprehensions: Mapping[str, str]) -> None:
        self.made = made
        self.comprehensions = comprehensions

    def of(self, code: types.CodeType, old: Scope, new: Scope) -> types.CodeType:
        """The code with the ``new`` name for the ``old`` one."""
        renamed = {old[0]: new[0]}
        constants = []
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                name = constant.co_name
                is_function = bool(constant.co_flags & _OPTIMIZED) and name not in _COMPREHENSIONS
                before, after = (_inside(old, name), is_function), self.inside(new, name, is_function)
                renamed[before[0]] = after[0]
                constant = self.of(constant, before, after)
            constants.append(constant)
        # the body of a class, and before Python 3.11 what makes a function, hold the name as a text
        held = [renamed.get(each, each) if type(each) is str else each for each in constants]
        code = code.replace(co_consts=tuple(held))
        return code.replace(co_qualname=new[0]) if sys.version_info >= (3, 11) else code

    def inside(self, around: Scope, name: str, is_function: bool) -> Scope:
        """The name of what was compiled as ``name`` inside ``around``."""
        comprehension = self.comprehensions.get(name)
        if comprehension is not None:
            return _inside(around, comprehension), False
        if name in self.made:
            return around  # as if what is inside stood there itself
        return _inside(around, name), is_function


def _inside(around: Scope, name: str) -> str:
    return f"{around[0]}.<locals>.{name}" if around[1] else f"{around[0]}.{name}"


_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
_OPTIMIZED = 0x1  # the flag of code whose names are local: that of functions
