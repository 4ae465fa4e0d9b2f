"""Statements of random programs about lists, and the ways to go over something.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

import re

from .expressions import LENGTH, Scope
from .statements import Statements

GENERATORS = """\
def countdown(n):
    while n > 0:
        yield n
        n -= 1


def large(items):
    for i, v in enumerate(items):
        if v > 1:
            yield i, v
"""


class Sequences(Statements):
    """The statements."""

    def write_alter(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Change a list in place, in any way that lists have."""
        names = scope.names("list")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name, other = self.write.pick(*names), self.write.pick(*names)
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        longer = [f"{name}.extend([{x}, {n}])", f"{name}[1:2] = [{x}, {n}]", f"{name} += {other}[:2]"]
        shorter = [f"{name}.pop()", f"{name}.pop({n} % len({name}))", f"del {name}[0]", f"{name}[1:] = []"]
        same = [f"{name}.sort()", f"{name}.sort(key=abs, reverse=True)", f"{name}.clear()", f"{name}[::-1]"]
        size = self.write.pick("longer", "shorter", "same")
        if size != "same":
            self.line(indent, f"if len({name}) < 6:" if size == "longer" else f"if {name}:")
            indent += 1
        choices = {"longer": longer, "shorter": shorter, "same": same}[size]
        self.line(indent, self.write.pick(*choices))

    def write_derive(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A list, or a number, made of a list."""
        names = scope.names("list")
        if not names:
            return self.write_assign(indent, scope, loops, in_loop)
        name, x, n = self.write.pick(*names), self.write.float(scope, 0), self.write.int(scope, 0)
        kind, text = self.write.pick(
            ("list", f"sorted({name}, reverse={n} > 1)"),
            ("list", f"{name}[::-1]"),
            ("list", f"list(reversed({name}))[{n} % 3:]"),
            ("list", f"[*{name}, {x}]"),
            ("list", f"list(filter(lambda v: v > {x}, {name}))"),
            ("list", f"list(map(abs, {name}))"),
            ("list", f"{name}[:2] * 2"),
            ("array", f"np.array([*{name}, 0.0, {x}, 2.0][:{LENGTH}])"),
            ("int", f"{name}.count({x}) + len({name})"),
            ("int", f"{name}.index({name}[-1]) if {name} else {n}"),
            ("float", f"min({name}, default={x})"),
        )
        self.line(indent, f"{self.target(kind, scope)} = {text}")

    def write_unpack(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Starred and nested unpacking, into names and into places."""
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        lists, arrays = scope.names("list"), scope.names("array")
        name = self.write.pick(*lists) if lists else f"[{x}, 1.5]"
        olds = [old for old in scope.names("float", unsure=True) if old not in scope.readonly]
        head, last = self.write.pick(*olds, self.fresh("float")), self.fresh("float")
        forms = [
            (f"{head}, *{{}} = [{x}, *{name}]", True),
            (f"*{{}}, {head} = [*{name}, {x}]", True),
            (f"{head}, ({last}, *{{}}) = {x}, [{n}, *{name}]", True),
            (f"({head}, {last}), _ = ({x}, {n}), 0", False),
            (f"[{head}, {last}] = {last}, {head} = {x}, {n}", False),
        ]
        if arrays:
            array = self.write.pick(*arrays)
            forms += [
                (f"{array}[0], {array}[-1] = {array}[1], {x}", False),
                (f"{head}, _, _ = {array}", False),
            ]
        text, starred = self.write.pick(*forms)
        if starred:
            text = text.format(self.target("list", scope))
        self.line(indent, text)
        for bound in (head, last):
            if re.search(rf"\b{bound}\b.* = ", text):
                scope.kinds[bound] = "float"
                scope.unsure.discard(bound)

    def write_nest(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Lists of lists, whose rows may be shared."""
        names = scope.names("nested")
        x, n = self.write.float(scope, 0), self.write.int(scope, 0)
        lists = scope.names("list")
        if not names or self.write.chance(25):
            row = self.write.pick(*lists) if lists else f"[{x}]"
            text = self.write.pick(f"[[{x}], [{n}, 2.0]]", f"[{row}, [{x}]]", f"[{row}] * 2")
            self.line(indent, f"{self.target('nested', scope)} = {text}")
            return
        name = self.write.pick(*names)
        kind = self.write.pick("append", "grow", "put", "loop", "copy", "row", "sum")
        if kind == "loop" and loops:
            row = self.fresh("list")
            own = scope.copy()
            own.kinds[row] = "list"
            self.line(indent, f"for {row} in {name}:")
            self.loop(indent, scope, own, loops)
            return
        texts = {
            "append": f"if len({name}) < 4: {name}.append([{x}])",
            "grow": f"if len({name}[-1]) < 5: {name}[-1].append({x})",
            "put": f"if {name}[{n} % len({name})]: {name}[{n} % len({name})][0] = {x}",
            "copy": f"{name} = [row[:] for row in {name}]",
            "row": f"{self.fresh('list')} = {name}[0]",
            "sum": f"{self.fresh('float')} = sum(sum(row) for row in {name})",
            "loop": f"{name}.reverse()",
        }
        self.line(indent, texts[kind])
        made = texts[kind].split(" = ")[0]
        if kind in ("row", "sum"):
            scope.kinds[made] = "list" if kind == "row" else "float"

    def write_over(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """A loop over what is reversed, zipped, counted down, filtered, mapped, generated."""
        if not loops:
            return self.write_assign(indent, scope, loops, in_loop)
        own = scope.copy()
        place, item, other = self.fresh("int"), self.fresh("float"), self.fresh("float")
        sources = scope.names("list") + scope.names("array") or ["(0.5, 2.0)"]
        one, two = self.write.pick(*sources), self.write.pick(*sources)
        n = self.write.int(scope, 0)
        limit = self.write.float(scope, 0)
        heads: list[tuple[str, str]] = [
            (item, f"reversed({one})"),
            (f"{place}, {item}", f"enumerate({one}, {self.write.number(0, 2)})"),
            (f"{item}, {other}", f"zip({one}, {two}, strict=True)"),
            (f"{place}, ({item}, {other})", f"enumerate(zip({one}, {two}))"),
            (place, f"range({n} % 5, {self.write.number(-1, 1)}, -{self.write.number(1, 2)})"),
            (place, f"range({self.write.number(0, 1)}, {n} % 6, {self.write.number(1, 3)})"),
            (place, f"countdown({n} % 4)"),
            (f"{place}, {item}", f"large({one})"),
            (item, f"map(abs, {one})"),
            (item, f"filter(None, {one})"),
            (item, f"[v * 2 for v in {one} if v > {limit}]"),
            (item, f"(v + {limit} for v in {one})"),
            (item, f"sorted({one}, key=lambda v: -v)"),
        ]
        if arrays := scope.names("array"):
            row = self.fresh("array")
            heads.append((row, f"{self.write.pick(*arrays)}.reshape({LENGTH}, 1)"))
        target, source = self.write.pick(*heads)
        self.line(indent, f"for {target} in {source}:")
        for name, kind in ((place, "int"), (item, "float"), (other, "float")):
            if name in target.replace("(", " ").replace(")", " ").replace(",", " ").split():
                own.kinds[name] = kind
        if "reshape" in source:
            self.line(indent + 1, f"{target} {self.write.pick('+=', '*=')} {self.write.float(scope, 0)}")
        self.loop(indent, scope, own, loops, orelse=self.write.chance(20))
