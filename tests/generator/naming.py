"""Statements of random programs about names: chained and annotated assignment, ``del``, ``global``,
``assert``, ``raise ... from``, walrus wherever it may stand, what ``and``, ``or``, ``in`` and ``None`` give.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

from typing import Any

from .expressions import Scope
from .statements import Statements

GENERATED = ("then", "orelse", "body", "test", "stop", "returned", "result", "items", "built", "ag", "build")
"""Names that conversion likes to give, here given by the user."""


class Naming(Statements):
    """The statements."""

    def write_chain(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick("float", "int", "float")
        value = self.write.of_kind(kind, scope)
        targets = [self.target(kind, scope), self.target(kind, scope)]
        if arrays := scope.names("array"):
            targets.insert(self.write.number(0, 1), f"{self.write.pick(*arrays)}[{self.write.index(scope)}]")
        self.line(indent, f"{' = '.join(targets)} = {value}")

    def write_annotate(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kind = self.write.pick("float", "int")
        value = self.write.of_kind(kind, scope)
        name = self.target(kind, scope)
        if self.write.chance(20):
            self.line(indent, f"{self.fresh(kind)}: {kind}")
        if name == "count":  # Python refuses an annotation of a global
            self.line(indent, f"{name} = {value}")
        else:
            self.line(indent, f"{name}: {kind} = {value}")

    def write_rename(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A name that collides with one that conversion would give."""
        kind = self.write.pick("float", "int")
        value = self.write.of_kind(kind, scope, 1)
        name = self.write.pick(*[name for name in GENERATED if scope.kinds.get(name, kind) == kind])
        self.line(indent, f"{name} = {value}")
        scope.kinds[name] = kind
        scope.unsure.discard(name)

    def write_delete(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        kept = {"count", *scope.readonly}
        names = [name for kind in ("float", "int") for name in scope.names(kind) if name not in kept]
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name = self.write.pick(*names)
        if self.write.chance(50):
            self.line(indent, f"if {self.write.condition(scope)}:")
            indent += 1
        self.line(indent, f"del {name}")
        scope.unsure.add(name)

    def write_shared(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Read and write the global, here and in functions."""
        n, name = self.write.int(scope, 0), self.fresh("float")
        text = self.write.pick(
            f"count += {n}",
            f"count = min(count, {n}) + 1",
            f"{name} = tally({n}) + count",
            f"count = tally({n}) - 1",
            f"{name} = (lambda v: v + count)({n})",
            f"print(count, tally({n}), count)",
        )
        self.line(indent, text)
        if text.startswith(name):
            scope.kinds[name] = "float"

    def write_assert(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        said = self.write.pick("", ", 'no'", lambda: f", f'{{{self.write.int(scope, 0)}}} is bad'")
        test = self.write.pick(lambda: f"{self.write.condition(scope)} or {self.write.condition(scope, 0)}")
        self.line(indent, f"assert {test}{said}")

    def write_cause(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> bool:
        cause = self.write.pick("None", "KeyError('k')", "LookupError")
        return self.guarded(indent, scope, f"raise ValueError({self.write.int(scope, 0)}) from {cause}")

    def write_named(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A walrus in a call, a comparison, behind ``and``, in a comprehension."""
        kind = self.write.pick("float", "int")
        value = self.write.of_kind(kind, scope, 1)
        test = self.write.condition(scope, 0)
        name = self.fresh(kind)
        number = self.write.number(0, 3)
        forms: list[Any] = [
            (False, f"{self.fresh(kind)} = abs({name} := {value}) + {name}"),
            (True, f"if {test} and ({name} := {value}) > {number}:"),
            (False, f"print(({name} := {value}), {name} > {number})"),
            (False, f"{self.fresh('float')} = sum([({name} := v * {number}) for v in range(3) if {test}])"),
            (True, f"if any(({name} := v) > {value} for v in range({number})):"),
            (True, f"if not ({number} < ({name} := {value}) <= 5):"),
        ]
        opens, text = self.write.pick(*forms)
        self.line(indent, text)
        scope.kinds[name] = kind
        if "for v in" in text or " and (" in text:
            scope.unsure.add(name)
        if opens:
            self.arm(indent + 1, scope, scope.copy(), loops, in_loop)

    def write_value(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """``and``, ``or``, ``in`` and chained comparison as values, each operand evaluated once at most."""
        kind = self.write.pick("float", "int")
        one, two = self.write.of_kind(kind, scope, 1), self.write.of_kind(kind, scope, 0)
        n = self.write.int(scope, 0)
        forms = [
            f"({one}) or {two}",
            f"({one}) and {two}",
            f"note({one}) or note({two})",
            f"int({n} in (1, 2, {self.write.number(0, 5)}))",
            f"int({n} not in range({self.write.number(1, 4)}))",
            f"int({self.write.number(0, 2)} <= note({one}) < note({self.write.number(1, 6)}))",
            f"({one} if {n} > 1 else ({two} if {n} else {n}))",
            f"(not {n}) + {two}",
        ]
        if items := scope.names("list") + scope.names("array"):
            forms += [f"int({two} in {self.write.pick(*items)})"]
        self.line(indent, f"{self.target(kind, scope)} = {self.write.pick(*forms)}")

    def write_optional(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A value that is ``None`` on some path, and the question whether it is."""
        names = scope.names("optional")
        if not names or self.write.chance(40):
            value = self.write.pick(
                "None", lambda: f"{self.write.float(scope, 1)} if {self.write.condition(scope)} else None"
            )
            self.line(indent, f"{self.target('optional', scope)} = {value}")
            return
        name = self.write.pick(*names)
        if self.write.chance(30):
            text = f"{self.write.float(scope, 0)} if {name} is None else {name}"
            self.line(indent, f"{self.target('float', scope)} = {text}")
            return
        own = scope.copy()
        known = self.write.pick("is None", "is not None")
        self.line(indent, f"if {name} {known}:")
        if known == "is not None":
            own.kinds[name] = "float"
        elif self.write.chance(50):
            self.line(indent + 1, f"{name} = {self.write.float(scope, 1)}")
        self.arm(indent + 1, scope, own, loops, in_loop)
