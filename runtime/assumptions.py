"""What a trace learns about itself, and how it begins anew with it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import CodeType

from autograph.convert import Generators
from autograph.errors import StagingError

from .types import Type

_HEAP = 1 << 9
"""The flag of classes that are made by a ``class`` statement."""


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

    assigned: set[str | None] = field(default_factory=set)
    """The attributes that are set on objects that only the run knows; None stands for any."""
    given: dict[int, type] = field(default_factory=dict)
    """The classes of the objects from outside that become values of the graph."""
    knows_methods: bool = False
    """Whether a method was taken from the class, as no object was known to hide it."""
    may_create: bool = True
    """Whether a Variable may be made: only by the first call."""
    creates: bool = False
    """Whether the latest trace makes one."""

    def assigns(self, name: str | None) -> None:
        """Note that an attribute of this name (None: of any) is set on some object, which hides methods."""
        if name not in self.assigned:
            self.assigned.add(name)
            self._begin_anew_if_methods_are_known()

    def gives(self, cls: type) -> None:
        """Note that an object of this class comes from outside: what is set on it is not known."""
        if id(cls) not in self.given:
            self.given[id(cls)] = cls
            self._begin_anew_if_methods_are_known()

    def _begin_anew_if_methods_are_known(self) -> None:
        if self.knows_methods:
            self.knows_methods = False
            raise Restart()

    def knows_method(self, cls: type, name: str, is_new: bool) -> bool:
        """Whether an object surely has the method that its class has; ``is_new``: the trace makes it."""
        if not cls.__dictoffset__ or not cls.__flags__ & _HEAP:
            return True
        if name in self.assigned or None in self.assigned or (not is_new and id(cls) in self.given):
            return False
        self.knows_methods = True
        return True

    def learn(self, key: Hashable) -> Restart:
        """Note that what ``key`` names lives in the graph; raise what is returned."""
        self.dynamic.add(key)
        return Restart()

    def unroll(self, key: Hashable, refusal: StagingError) -> Restart:
        """Note that this loop runs while tracing; raise what is returned."""
        self.unrolled[key] = refusal
        return Restart()
