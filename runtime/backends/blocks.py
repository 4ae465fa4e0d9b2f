"""Structured statements whose values have no locals yet: what :mod:`.statements` makes and :mod:`.locals`
completes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..graph import Value
from .expressions import Place


@dataclass(slots=True, eq=False)
class Expression:
    """A tree and the values whose locals it reads."""

    tree: ast.expr
    reads: list[Value]
    free: bool = False
    """Whether it may be evaluated later: it cannot raise, has no effect and reads no memory."""
    pure: bool = False
    """Whether it need not be evaluated when nobody wants its value."""
    place: Place | None = None
    arms: tuple[Expression, Expression, Expression] | None = None
    """For a conditional expression: test, then, orelse."""


@dataclass(slots=True, eq=False)
class Line:
    """One statement without parts."""

    tree: ast.stmt
    reads: list[Value]
    writes: list[Value] = field(default_factory=list)
    pure: bool = False
    ends: bool = False
    """Whether nothing after it runs: ``return`` and ``raise``."""
    position: int = 0
    dead: bool = False
    """Filled in by the liveness analysis: nobody reads what it writes, and it has no effect."""
    unused: bool = False
    """The same, but it has to run."""


@dataclass(slots=True, eq=False)
class Copies:
    """``targets = sources``, all at once."""

    pairs: list[tuple[Value, Expression, Value | None]]
    """The target, the source, and the source as a value when it is just that."""
    place: Place
    position: int = 0


@dataclass(slots=True, eq=False)
class Branch:
    """``if``."""

    test: Expression
    then: Block
    orelse: Block
    place: Place
    position: int = 0
    middle: int = 0
    end: int = 0


@dataclass(slots=True, eq=False)
class Loop:
    """``while`` (with the test as a block and a condition) or ``for`` (with targets and an iterable)."""

    place: Place
    carry: list[Value]
    test: Block
    condition: Expression | None
    targets: list[Value]
    iterable: Expression | None
    body: Block
    reads: set[Value] = field(default_factory=set)
    """What is read anywhere inside, without what only lives inside."""
    lets_go: list[Value] = field(default_factory=list)
    """What is set inside and may not be kept alive behind it."""
    unpacks: bool = False
    """Whether the items are unpacked into the targets."""
    position: int = 0
    middle: int = 0
    end: int = 0


@dataclass(slots=True, eq=False)
class Protected:
    """``try`` (with handlers, else and finally) or ``with`` (with a manager and the value that it gives).

    ``reads`` is everything that is read anywhere inside: as the parts may be left anywhere, it is live all
    along.
    """

    place: Place
    body: Block
    handlers: list[tuple[Expression | None, Value, Block]] = field(default_factory=list)
    orelse: Block = field(default_factory=list)
    final: Block = field(default_factory=list)
    manager: Expression | None = None
    entered: Value | None = None
    reads: set[Value] = field(default_factory=set)
    slots: set[Value] = field(default_factory=set)
    """The locals from around that the parts write: what they hold counts wherever a part is left."""
    position: int = 0
    end: int = 0

    def parts(self) -> list[tuple[Value | None, Block]]:
        """Each part with the value that it begins with."""
        handlers = [(error, block) for _, error, block in self.handlers]
        return [(self.entered, self.body), *handlers, (None, self.orelse), (None, self.final)]


Statement = Line | Copies | Branch | Loop | Protected
Block = list[Statement]


def writes_of(block: Iterable[Statement]) -> set[Value]:
    """Every value that is given somewhere in a block."""
    found: set[Value] = set()
    for item in block:
        if isinstance(item, Line):
            found.update(item.writes)
        elif isinstance(item, Copies):
            found.update([target for target, _, _ in item.pairs])
        elif isinstance(item, Branch):
            found |= writes_of(item.then)
            found |= writes_of(item.orelse)
        elif isinstance(item, Loop):
            found.update(item.targets)
            found |= writes_of(item.test)
            found |= writes_of(item.body)
        else:
            for first, part in item.parts():
                found |= writes_of(part)
                if first is not None:
                    found.add(first)
    return found


def reads_of(block: Iterable[Statement]) -> set[Value]:
    """Every value that is read somewhere in a block, without what only lives in a loop in it."""
    found: set[Value] = set()
    for item in block:
        if isinstance(item, Line):
            found.update(item.reads)
        elif isinstance(item, Copies):
            for _, source, _ in item.pairs:
                found.update(source.reads)
        elif isinstance(item, Branch):
            found.update(item.test.reads)
            found |= reads_of(item.then)
            found |= reads_of(item.orelse)
        else:
            found |= item.reads
    return found
