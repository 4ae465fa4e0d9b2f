"""What is known about names at one point of a function, on the way through it from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Flow:
    """Facts at one point.

    ``sure``: names that are set; ``unset``: names that may hold ``ag.undefined`` (unless sure); ``maybe``:
    names that
    Python itself may have bound.  ``reached`` is false behind a jump.
    """

    sure: set[str] = field(default_factory=set)
    unset: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    reached: bool = True

    def copy(self) -> Flow:
        return Flow(set(self.sure), set(self.unset), set(self.maybe), self.reached)

    def bind(self, names: Iterable[str]) -> None:
        names = list(names)
        self.sure.update(names)
        self.maybe.update(names)

    def become(self, *ends: Flow) -> None:
        """The point where the ways ``ends`` meet."""
        reached = [end for end in ends if end.reached]
        if not reached:
            self.reached = False
            return
        self.reached = True
        self.sure = set.intersection(*(end.sure for end in reached))
        self.unset = set.union(*(end.unset for end in reached))
        self.maybe = set.union(*(end.maybe for end in reached))


@dataclass
class Unit:
    """One Python function of the output: the user's own, or a part.

    ``pending`` holds the reads of names that Python may find unset; whether they are left to Python or
    checked is
    decided when the unit is complete.  ``top`` are the names set to ``ag.undefined`` at its start.
    """

    bound: set[str] = field(default_factory=set)
    top: dict[str, None] = field(default_factory=dict)
    pending: list[tuple[str, Any]] = field(default_factory=list)


@dataclass
class Numbers:
    """Counts the parts that stand beside each other."""

    last: int = 1


@dataclass
class Level:
    """The parts of an ``if`` that ends the rest of another one: they stand beside the function of the rest.

    ``own`` are the names local to that function.
    """

    numbers: Numbers
    parts: list[Any] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
