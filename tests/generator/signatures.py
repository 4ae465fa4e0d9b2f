"""Calls in random programs: every kind of parameter, decorators, partial functions, functions that call each
other, functions that change a global of the module, and objects with operators.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

from typing import Any

from .expressions import Scope
from .statements import Statements

FUNCTIONS = """\
def note(value):
    print("note", value)
    return value


def spread(first, /, second=0.5, *rest, scale=1.0, **more):
    total = first + second * scale
    for each in rest:
        if each > 2:
            total += each
    return total + more.get("extra", 0)


def twice(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return inner


def least(limit):
    def around(function):
        def inner(v):
            result = function(v)
            return result if result > limit else limit
        return inner
    return around


@least(-1.0)
@twice
def halved(v):
    if v > 1:
        return v / 2
    return v


def ping(n, x):
    return x if n <= 0 else pong(n - 1, x + 1)


def pong(n, x):
    if n <= 0:
        return -x
    return ping(n - 2, x * 2)


def tally(by):
    global count
    if by > 2:
        count += by
    return count


class Scale:
    factor = 2.0

    def __init__(self, by):
        self.by = by

    def __call__(self, v, *, plus=0):
        return v * self.by + plus

    def __getitem__(self, n):
        return self.by if n > 1 else self.factor

    def __eq__(self, other):
        return isinstance(other, Scale) and self.by == other.by

    def __mul__(self, v):
        return Scale(self.by * v)

    @staticmethod
    def of(v):
        return Scale(v if v > 0 else -v)

    @property
    def twofold(self):
        return self.by * 2

    @twofold.setter
    def twofold(self, v):
        self.by = v / 2
"""


class Signatures(Statements):
    """The statements."""

    def write_invoke(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        x, y, n = self.write.float(scope, 0), self.write.float(scope, 1), self.write.int(scope, 0)
        forms: list[Any] = [
            f"spread({x})",
            f"spread({x}, {y}, {n}, 3)",
            f"spread({x}, scale={y}, extra={n})",
            f"spread(*({x}, {n}), **{{'extra': {y}}})",
            f"functools.partial(spread, {x}, scale=2)({y})",
            f"functools.reduce(lambda a, b: a + b if b > 1 else a, [{x}, {n}, 2], 0)",
            f"halved({x})",
            f"ping({n} % 5, {x})",
            f"note({x}) + note({n})",
            f"(lambda v, k={n}: v if v > k else k)({x})",
            f"(lambda *v: max(v))({x}, {n})",
        ]
        if lists := scope.names("list"):
            name = self.write.pick(*lists)
            forms += [
                f"spread({x}, *{name})",
                f"sum(map(halved, {name}))",
                f"max({name}, key=halved, default={x})",
            ]
        if "count" in scope.kinds:
            forms += [f"tally({n}) + {x}", f"tally({n}) * tally(3)"]
        self.line(indent, f"{self.target('float', scope)} = {self.write.pick(*forms)}")

    def write_scale(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """An object with the operators of the language."""
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        names = scope.names("scale")
        if not names:
            return self.line(indent, f"{self.target('scale', scope)} = Scale({x})")
        name = self.write.pick(*names)
        kind, text = self.write.pick(
            ("float", f"{name}({x}, plus={n})"),
            ("float", f"{name}[{n}] + {name}.twofold"),
            ("float", f"Scale.of({x}).by"),
            ("int", f"int({name} == Scale({n}))"),
            ("scale", f"{name} * {x}"),
            ("scale", f"({name} if {self.write.condition(scope, 0)} else Scale({n}))"),
            ("", f"{name}.twofold = {x}"),
            ("", f"{name}.kept = {name}.by"),
            ("", f"setattr({name}, 'by', {x})"),
        )
        if kind:
            text = f"{self.target(kind, scope)} = {text}"
        self.line(indent, text)
