"""What a trace learns about itself, and how it begins anew with it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import CodeType

from autograph.convert import Generators
from autograph.errors import StagingError

from .types import Type


class Restart(BaseException):
    """The trace must begin anew: its assumptions have just been extended."""


class NotShared(Restart):
    """A function that is called cannot have a graph of its own: the call is traced through."""


class Unreachable(BaseException):
    """Nothing after this point of the part can run: both arms of an ``if`` raise."""


@dataclass(slots=True)
class Assumptions:
    """What the traces of one specialisation learnt, kept when the trace begins anew."""

    static_arguments: dict[str, str] = field(default_factory=dict)
    """Arguments whose value tracing needs, with the reason."""
    pinned: dict[Hashable, tuple[str, str]] = field(default_factory=dict)
    """Numbers in containers and attributes whose value tracing needs, by path: where they are, and the
    reason."""
    dynamic: set[Hashable] = field(default_factory=set)
    """Containers, attributes and outer names that have to live in the graph from the start."""
    carries: dict[Hashable, tuple[Type | None, ...]] = field(default_factory=dict)
    """What the fix-point of each loop came to; None for what stays static."""
    generators: dict[CodeType, Generators] = field(default_factory=dict)
    """For the code of a function, the generators in it that are values of the graph."""
    unrolled: dict[Hashable, StagingError] = field(default_factory=dict)
    """Loops whose body cannot be staged, and why: they run while tracing."""

    may_create: bool = True
    """Whether a Variable may be made: only by the first call."""
    creates: bool = False
    """Whether the latest trace makes one."""

    def learn(self, key: Hashable) -> Restart:
        """Note that what ``key`` names lives in the graph; raise what is returned."""
        self.dynamic.add(key)
        return Restart()

    def unroll(self, key: Hashable, refusal: StagingError) -> Restart:
        """Note that this loop runs while tracing; raise what is returned."""
        self.unrolled[key] = refusal
        return Restart()
