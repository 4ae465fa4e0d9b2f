"""``match`` in random programs: every kind of pattern, on subjects that may or may not fit.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from .expressions import Scope
from .statements import Statements

RECORDS = """\
@dataclasses.dataclass
class Point:
    x: float
    y: float = 1.0

    def swap(self):
        self.x, self.y = self.y, self.x
        return self


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    x: float
    n: int = 0

    @staticmethod
    def start(n):
        return Fixed(0.5, n)

    def next(self, by):
        return dataclasses.replace(self, x=self.x + by, n=self.n + 1)


class Pair(NamedTuple):
    x: float
    n: int
"""


class Patterns(Statements):
    """The statements."""

    def write_record(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Dataclasses and named tuples: made, changed in place, made anew."""
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        points, fixed, pairs = scope.names("point"), scope.names("fixed"), scope.names("pair")
        kind = self.write.pick("point", "fixed", "pair")
        texts = {
            "point": [f"Point({x})", f"Point({x}, y={n})"],
            "fixed": [f"Fixed({x}, {n})", f"Fixed.start({n})"],
            "pair": [f"Pair({x}, {n})", f"Pair(n={n}, x={x})"],
        }
        if points:
            one = self.write.pick(*points)
            texts["point"] += [f"{one}.swap()", f"dataclasses.replace({one}, x={x})", one]
            if self.write.chance(50):
                return self.line(
                    indent, self.write.pick(f"{one}.x += {x}", f"{one}.y = {one}.x", f"{one}.swap()")
                )
        if fixed:
            texts["fixed"].append(f"{self.write.pick(*fixed)}.next({x})")
        if pairs:
            texts["pair"].append(f"{self.write.pick(*pairs)}._replace(x={x})")
        self.line(indent, f"{self.target(kind, scope)} = {self.write.pick(*texts[kind])}")

    def write_case(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        subjects = {
            "number": f"{n} % 4",
            "items": self.write.pick(
                *scope.names("list"), f"[{x}, {n}]", f"[{n}, [{x}, 2]]", f"({n}, {x}, 1)"
            ),
            "mapping": self.write.pick(*scope.names("dict"), f"{{'a': {x}, 'k': {n}}}"),
            "record": self.write.pick(
                *scope.names("point"),
                *scope.names("fixed"),
                *scope.names("pair"),
                f"Point({x}, {n})",
                f"Fixed({x})",
            ),
            "anything": self.write.pick(
                *scope.names("optional"), f"(None if {n} > 2 else {x})", f"('a' if {n} else {x})", f"{n} > 1"
            ),
        }
        kind = self.write.pick(*subjects)
        self.line(indent, f"match {subjects[kind]}:")
        cases = list(self.cases(kind))
        first = self.write.number(0, len(cases) - 1)
        for pattern, bound in cases[first : first + self.write.number(1, 3)]:
            own = scope.copy()
            guard = self.write.pick("", "", lambda: f" if {self.write.condition(scope, 0)}")
            self.line(indent + 1, f"case {pattern}{guard}:")
            own.kinds.update(bound)
            own.unsure -= set(bound)
            self.arm(indent + 2, scope, own, loops, in_loop)
        if self.write.chance(50):
            self.line(indent + 1, self.write.pick("case _:", f"case {self.fresh('other')}:"))
            self.arm(indent + 2, scope, scope.copy(), loops, in_loop)

    def cases(self, kind: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Patterns for a subject of the kind, each with what it surely binds."""
        x, y, n, rest = self.fresh("float"), self.fresh("float"), self.fresh("int"), self.fresh("list")
        if kind == "number":
            yield f"{self.write.number(0, 3)}", {}
            yield f"0 | 2 as {n}", {n: "int"}
            yield f"int({n})", {n: "int"}
        elif kind == "items":
            yield "[]", {}
            yield f"[{x}]", {x: "float"}
            yield f"[_, [{y}, 2]]", {y: "float"}
            yield f"[{x}, {y}]", {}
            yield f"[{x}, *{rest}]", {}
            yield f"(_, *_, {y})", {}
            yield "[1 | 2, *_]", {}
        elif kind == "mapping":
            yield "{'k': 1}", {}
            yield f"{{'a': {x}, **{rest}}}", {x: "float"}
            yield f"{{'b': {y}}} | {{'k': {y}}}", {y: "float"}
            yield "{}", {}
        elif kind == "record":
            yield f"Point({x}, y=1)", {x: "float"}
            yield f"Fixed(x={x}, n=0 | 1 as {n})", {x: "float", n: "int"}
            yield f"Pair({x}, {n})", {x: "float", n: "int"}
            yield f"Point(x={x}) | Fixed(x={x})", {x: "float"}
        else:
            yield "None", {}
            yield "True | False", {}
            yield f"'a' | 'b' as {self.fresh('other')}", {}
            yield f"float({x})", {x: "float"}
            yield f"int() | float() as {y}", {y: "float"}
