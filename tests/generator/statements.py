"""What the rooms of statements build on: the writer's own methods."""

from __future__ import annotations

from .expressions import Expressions, Scope


class Statements:
    """Some statements of random programs; :class:`generator.writing.Writer` has what is missing."""

    write: Expressions

    def line(self, indent: int, text: str) -> None:
        raise NotImplementedError

    def arm(self, indent: int, scope: Scope, own: Scope, loops: int, in_loop: bool) -> None:
        raise NotImplementedError

    def loop(self, indent: int, scope: Scope, own: Scope, loops: int, orelse: bool = False) -> None:
        raise NotImplementedError

    def fresh(self, kind: str) -> str:
        raise NotImplementedError

    def target(self, kind: str, scope: Scope) -> str:
        raise NotImplementedError

    def guarded(self, indent: int, scope: Scope, text: str) -> bool:
        raise NotImplementedError

    def write_assign(self, indent: int, scope: Scope, loops: int, in_loop: bool) -> None:
        raise NotImplementedError
