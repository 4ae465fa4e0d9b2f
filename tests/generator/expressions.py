"""Expressions of random programs, and the names they may use.

Every expression is drawn for a kind of value: an ``int``, a ``float`` (Python's or NumPy's), or an ``array``
of one dimension.  Numbers stay small: no product of two ``int`` variables, so no program runs out of memory.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

KINDS = ("int", "float", "array")
LENGTH = 3  # of every array argument


@dataclass
class Scope:
    """The names of a function as the writer knows them: surely set, or set on some paths only."""

    kinds: dict[str, str] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    readonly: set[str] = field(default_factory=set)
    """Counters of ``while`` loops, which nothing but their loop may change."""

    def copy(self) -> Scope:
        return Scope(dict(self.kinds), set(self.unsure), set(self.readonly))

    def names(self, kind: str, unsure: bool = False) -> list[str]:
        found = [name for name, own in self.kinds.items() if own == kind]
        return found if unsure else [name for name in found if name not in self.unsure]


class Expressions:
    """Draws expressions over the names of a scope."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def pick(self, *choices: Any) -> Any:
        """One of the choices, made when it is a function; shrinks towards the first."""
        choice = self._draw(st.sampled_from(choices)) if len(choices) > 1 else choices[0]
        return choice() if callable(choice) else choice

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred draws; shrinks to False."""
        return self._draw(st.integers(0, 99)) >= 100 - percent

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def of_kind(self, kind: str, scope: Scope, depth: int = 2) -> str:
        write = {"int": self.int, "float": self.float, "array": self.array, "list": self.list}
        return write[kind](scope, depth)

    def operand(self, kind: str, scope: Scope, depth: int) -> str:
        """An expression that may stand beside any operator."""
        text = self.of_kind(kind, scope, depth)
        return f"({text})" if " " in text and not text.endswith(")") else text

    def name(self, kind: str, scope: Scope) -> str | None:
        """A name of the kind; now and then one that may be unset."""
        names = scope.names(kind, unsure=bool(scope.unsure) and self.chance(25))
        return self.pick(*names) if names else None

    def int(self, scope: Scope, depth: int = 2) -> str:
        name = self.name("int", scope)
        if name is None or (depth == 0 and self.chance(15)):
            return str(self.number(0, 5))
        if depth == 0:
            return name
        deeper = depth - 1
        array = scope.names("array") + scope.names("list")
        return self.pick(
            name,
            lambda: f"{name} + {self.operand('int', scope, deeper)}",
            lambda: f"{name} - {self.number(1, 3)}",
            lambda: f"{self.operand('int', scope, deeper)} * {self.number(2, 3)}",
            lambda: f"{self.operand('int', scope, deeper)} // {self.number(1, 3)}",
            lambda: f"{self.operand('int', scope, deeper)} % {self.number(2, 4)}",
            f"-{name}",
            f"abs({name})",
            lambda: f"max({name}, {self.int(scope, deeper)})",
            lambda: f"min({self.int(scope, deeper)}, {self.number(0, 4)})",
            lambda: f"({name} if {self.condition(scope, 0)} else {self.int(scope, deeper)})",
            *([lambda: f"len({self.pick(*array)})"] if array else []),
            *self.inside(scope, {"object": "{}.n", "dict": "len({})", "tuple": "{}[1]"}),
        )

    def inside(self, scope: Scope, forms: dict[str, str]) -> list[str]:
        """What can be read from the objects, dicts, tuples and functions that there are."""
        return [form.format(name) for kind, form in forms.items() for name in scope.names(kind)[:2]]

    def float(self, scope: Scope, depth: int = 2) -> str:
        name = self.name("float", scope)
        array = self.name("array", scope)
        constants = ("1.5", "0.5", "0.0", "-2.0", "3.25")
        if (name is None and array is None) or (depth == 0 and self.chance(15)):
            return self.pick(*constants)
        if depth == 0:
            return name or f"{array}[{self.index(scope)}]"
        deeper = depth - 1
        choices: list[Any] = [
            lambda: f"{self.operand('float', scope, deeper)} + {self.int(scope, 0)}",
            lambda: f"{self.operand('float', scope, deeper)} * {self.pick(*constants)}",
            lambda: f"{self.operand('float', scope, deeper)} / {self.number(2, 4)}",
        ]
        if name is not None:
            choices = [
                name,
                *choices,
                lambda: f"{name} - {self.operand('float', scope, deeper)}",
                f"{name} * {name}",
                f"abs({name})",
                f"np.sqrt(np.abs({name}))",
                lambda: f"np.maximum({name}, {self.float(scope, deeper)})",
                lambda: f"clamp({name}, {self.float(scope, deeper)})",
                lambda: f"({name} if {self.condition(scope, 0)} else {self.float(scope, deeper)})",
            ]
        if array is not None:
            choices += [
                lambda: f"{array}[{self.index(scope)}]",
                f"{array}.sum()",
                f"np.sum({array})",
                f"{array}.max()",
                f"total({array})",
                f"np.dot({array}, {array})",
                f"float({array}[0])",
            ]
        if items := scope.names("list"):
            choices += [
                lambda: f"sum({self.pick(*items)})",
                lambda: f"{self.pick(*items)}[{self.pick('0', '-1')}]",
                lambda: f"max({self.pick(*items)})",
            ]
        argument = name or "1.5"
        choices += self.inside(
            scope,
            {"object": "{}.x", "dict": "{}['a']", "tuple": "{}[0]", "function": "{}(%s)" % argument},
        )
        choices += self.inside(
            scope,
            {"object": "{}.grow(%s)" % argument, "dict": "{}.get('b', 0.5)", "function": "{}(0.5)"},
        )
        choices += self.inside(scope, {"object": "{}.size"})
        return self.pick(*choices)

    def list(self, scope: Scope, depth: int = 2) -> str:
        """A list of floats, now and then an empty one."""
        items = scope.names("list")
        return self.pick(
            lambda: f"[{self.float(scope, 1)}, {self.float(scope, 1)}]",
            lambda: f"[{self.float(scope, 0)}]",
            "[]",
            *([lambda: f"{self.pick(*items)} + [{self.float(scope, 0)}]"] if items else []),
            *([lambda: f"{self.pick(*items)}[1:]", lambda: self.pick(*items)] if items else []),
        )

    def array(self, scope: Scope, depth: int = 2) -> str:
        array = self.name("array", scope)
        if array is None:
            return self.pick("np.zeros(3)", "np.ones(3)", "np.arange(3.0)")
        if depth == 0:
            return array
        return self.pick(
            f"{array}.copy()",
            lambda: f"{array} + {self.operand('float', scope, 1)}",
            lambda: f"{array} * {self.int(scope, 0)}",
            lambda: f"{array} - {self.operand('array', scope, depth - 1)}",
            lambda: f"np.where({array} > {self.float(scope, 0)}, {array}, {self.float(scope, 0)})",
            lambda: f"np.maximum({array}, {self.float(scope, 0)})",
            f"np.zeros({LENGTH})",
            f"-{array}",
            f"np.abs({array})",
        )

    def view(self, array: str) -> str:
        """The array itself, or a view of it, in place of a new one."""
        whole = f"{array}[:{LENGTH}]"
        return self.pick(array, f"{array}[:]", f"{array}[::-1]", whole, f"np.asarray({array})")

    def index(self, scope: Scope) -> str:
        names = scope.names("int")
        computed = [lambda: f"{self.pick(*names)} % {LENGTH}"] if names else []
        return self.pick(lambda: str(self.number(0, LENGTH - 1)), "-1", *computed)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        kind = self.pick(*[kind for kind in ("int", "float") if scope.names(kind)] or ["float"])
        ints = scope.names("int")
        choices: list[Any] = [
            lambda: f"{self.of_kind(kind, scope, 1)} {self.comparison()} {self.of_kind(kind, scope, 0)}",
            lambda: f"{self.number(-1, 2)} < {self.operand(kind, scope, 1)} <= {self.number(1, 6)}",
        ]
        if ints:
            choices += [
                lambda: f"{self.pick(*ints)} % 2 == 0",
                lambda: f"{self.pick(*ints)} > {self.number(0, 4)}",
                lambda: self.pick(*ints),
            ]
        if depth > 0:
            choices += [
                lambda: f"{self.condition(scope, 0)} and {self.condition(scope, 0)}",
                lambda: f"{self.condition(scope, 0)} or {self.condition(scope, 0)}",
                lambda: f"not ({self.condition(scope, 0)})",
            ]
        return self.pick(*choices)

    def comparison(self) -> str:
        return self.pick(">", "<", ">=", "<=", "==", "!=")
