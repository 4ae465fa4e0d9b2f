"""Functions of random programs that are kept in a list while the variables that they use go on changing.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

from .expressions import Scope
from .statements import Statements


class Closures(Statements):
    """The statements."""

    def write_keep(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Make a function and keep it: it looks at variables, assigns one, deletes one, or knows another."""
        own = Scope({**scope.kinds, "v": "float"}, set(scope.unsure))
        changed = [name for name in scope.names("float") if name not in scope.readonly and name != "v"]
        kind = self.write.pick("lambda", "assigns", "looks", "stars", "knows", "default")
        if kind == "assigns" and not changed:
            kind = "looks"
        value = self.write.float(own, 1)
        if kind == "lambda":
            self.line(indent, f"kept.append(lambda v=1.0: {value})")
            return
        if kind == "default":
            n = self.write.int(scope, 0)
            self.line(indent, f"kept.append(lambda v=1.0, k={n}: {value} + k)")
            return
        if kind == "knows":
            self.line(indent, f"kept.append(lambda v=1.0: len(kept) + {value})")
            return
        name = self.fresh("function")
        self.line(indent, f"def {name}({'*vs' if kind == 'stars' else 'v=1.0'}):")
        if kind == "assigns":
            target = self.write.pick(*changed)
            self.line(indent + 1, f"nonlocal {target}")
            self.line(indent + 1, f"{target} {self.write.pick('+=', '=', '-=')} {value}")
        if kind == "stars":
            self.line(indent + 1, "v = sum(vs)")
        self.line(indent + 1, f"if {self.write.condition(own, 0)}:")
        self.line(indent + 2, f"return {self.write.float(own, 1)}")
        self.line(indent + 1, "return v")
        self.line(indent, f"kept.append({name})")

    def write_ask(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Call functions that were kept."""
        value = self.write.float(scope, 0)
        target = self.target("float", scope)
        place = f"{self.write.int(scope, 0)} % len(kept)"
        text = self.write.pick(
            f"kept[-1]({value}) if kept else 0.0",
            f"kept[{place}]({value}) if kept else 1.0",
            "sum(g() for g in kept)",
            f"sum(map(kept[0], [1.0, {value}])) if kept else 2.0",
            f"sorted([2.0, {value}, 1.0], key=kept[0])[0] if kept else 3.0",
        )
        self.line(indent, f"{target} = {text}")
