"""Generators of random programs: made, kept, and asked for items while the variables that they use change.

A mixin of :class:`generator.writing.Writer`.
"""

from __future__ import annotations

from .expressions import Scope
from .statements import Statements

OPENING = ("waiting = []", "it = iter(())")
"""What a program with generators begins with: those that wait, and the latest."""
RESULTS = ("[next(each, None) for each in waiting]", "list(it)[:4]")


class Suspending(Statements):
    """The statements."""

    def write_suspend(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Make a generator: an expression, or of a function with any flow around its ``yield``."""
        own = Scope({**scope.kinds, "k": "int"}, set(scope.unsure))
        kind = self.write.pick("expression", "expression", "plain", "assigns", "sent", "guarded", "other")
        changed = [name for name in scope.names("float") if name not in scope.readonly]
        count, value, test = self.write.int(scope, 0), self.write.float(own, 1), self.write.condition(own, 0)
        if kind == "expression":
            text = f"({value} for k in range({count} % 5) if {test})"
        elif kind == "other":
            text = self.write.pick(
                "(v for v in it)", "zip(it, it)", "map(abs, it)", "enumerate(it)", "iter([*it])"
            )
        else:
            name = self.fresh("function")
            self.line(indent, f"def {name}(m):")
            target = self.write.pick(*changed) if kind == "assigns" and changed else None
            if target is not None:
                self.line(indent + 1, f"nonlocal {target}")
            self.line(indent + 1, "for k in range(m % 5):")
            if target is not None:
                self.line(indent + 2, f"{target} = {target} + 1.0")
            self.body(indent + 2, kind, value, test)
            self.line(indent + 1, self.write.pick("return k", "yield m", "yield from range(m % 3)"))
            text = f"{name}({count})"
        keep = self.write.chance(30)
        self.line(indent, f"waiting.append({text})" if keep else f"it = {text}")

    def body(self, indent: int, kind: str, value: str, test: str) -> None:
        """What is in the loop of a generator."""
        if kind == "guarded":
            self.line(indent, "try:")
            self.line(indent + 1, f"yield {value}")
            self.line(indent, self.write.pick("finally:", "except ValueError:"))
            self.line(indent + 1, "print('left', k)")
            return
        self.line(indent, f"if {test}:")
        if kind == "sent":
            self.line(indent + 1, f"got = yield {value}")
            self.line(indent + 1, "print('got', got)")
        else:
            self.line(indent + 1, f"yield {value}")
        self.line(indent, self.write.pick("else:", "if k > 2:"))
        self.line(indent + 1, self.write.pick("continue", "return 3", "yield -1.0", "pass"))

    def write_resume(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        """Ask a generator for one item, for some, or for all."""
        value, n = self.write.float(scope, 0), self.write.int(scope, 0)
        kind = self.write.pick("next", "all", "loop", "loop", "waiting", "send", "both")
        if kind == "loop":
            target = self.target("float", scope)
            self.line(indent, "for item in it:")
            self.line(indent + 1, f"{target} = {value}")
            self.line(indent + 1, f"print('item', item, {n})")
            self.line(indent + 1, f"if {self.write.condition(scope, 0)}:")
            self.line(indent + 2, self.write.pick("break", "continue", "item = next(it, None)"))
            return
        if kind == "send":
            self.line(indent, "if hasattr(it, 'send'):")
            self.line(indent + 1, "print(next(it, 'none'))")
            self.line(indent + 1, "try:")
            self.line(indent + 2, f"print(it.send({n}))")
            self.line(indent + 1, "except (StopIteration, TypeError) as stopped:")
            self.line(indent + 2, "print('stopped', stopped.args)")
            return
        texts = {
            "next": "print(next(it, 'none'))",
            "all": f"print(list(it)[:{n} % 4])",
            "waiting": f"print(next(waiting[{n} % len(waiting)], 'none') if waiting else 'empty')",
            "both": "print([a for a, b in zip(it, it)], any(it), sum(1 for each in it))",
        }
        self.line(indent, texts[kind])
