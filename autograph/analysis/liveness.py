"""Which names are read later (live), what a block reads before writing it, and what it surely writes.

Structured code needs no control-flow graph: each block has a summary ``(gen, kill)`` (upward-exposed reads,
sure
writes), computed once bottom up, so a loop needs no fixed point: what is live at its head is what its test
and body
read first, and what is live after it.  See Appel, Modern Compiler Implementation, chapter 10, for the
equations.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.jumps import endless
from autograph.analysis.scopes import Names, outside_parts, reads, stores
from autograph.tree import (
    FUNCTIONS,
    SCOPES,
    children,
)

TRIES = (gast.Try, getattr(gast, "TryStar", gast.Try))
WITHS = (gast.With, gast.AsyncWith)
LOOPS = (gast.For, gast.While, gast.AsyncFor)

class Everything:
    """The set of all names: what unreachable code writes."""

    def __contains__(self, name: object) -> bool:
        return True


def minus(names: Any, kill: Any) -> set[str]:
    return set() if isinstance(kill, Everything) else set(names) - kill


def union(first: Any, second: Any) -> Any:
    return Everything() if isinstance(first, Everything) or isinstance(second, Everything) else first | second


def meet(first: Any, second: Any) -> Any:
    if isinstance(first, Everything):
        return second
    if isinstance(second, Everything):
        return first
    return first & second


def may_swallow(statement: Any) -> bool:
    """Whether a ``with`` statement may go on after an exception in its body."""
    return not getattr(statement, "transparent", False)


def sure_walrus(expression: Any) -> set[str]:
    """The names that ``:=`` surely binds whenever ``expression`` is evaluated.

    >>> sorted(sure_walrus(gast.parse("f(a := 1) and (b := 2)").body[0].value))
    ['a']
    """
    found: set[str] = set()
    stack = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, gast.NamedExpr):
            found.add(node.target.id)
        if isinstance(node, gast.BoolOp):
            stack.append(node.values[0])
        elif isinstance(node, gast.IfExp):
            stack.append(node.test)
        elif isinstance(node, gast.Compare):
            stack += [node.left, node.comparators[0]]
        elif isinstance(node, SCOPES):
            stack += outside_parts(node)
        else:
            stack += list(children(node))
    return found


class Liveness:
    """The facts about one function; nodes carry ``live_after`` and ``exposed`` once :meth:`annotate` has run.

    ``live_after``: the names read after the statement; ``exposed``: those that an exception handler or a
    ``finally``
    around it reads.  A flag set where nothing asks for it is ``dead``.
    """

    def __init__(self, flags: set[str] | frozenset[str] = frozenset()) -> None:
        self.flags = flags
        self.summaries: dict[int, tuple[set[str], Any]] = {}
        self.alive: list[Any] = []  # keeps the ids in ``summaries`` valid
        self.stored: dict[int, Names] = {}

    # Summaries

    def assigned(self, statements: list[Any]) -> Names:
        """The names that ``statements`` may bind."""
        found: Names = {}
        for statement in statements:
            known = self.stored.get(id(statement))
            if known is None:
                known = self.stored[id(statement)] = stores(statement)
                self.alive.append(statement)
            found.update(known)
        return found

    def block(self, statements: list[Any]) -> tuple[set[str], Any]:
        gen: set[str] = set()
        kill: Any = set()
        for statement in statements:
            first, sure = self.summary(statement)
            gen |= minus(first, kill)
            kill = union(kill, sure)
        return gen, kill

    def summary(self, statement: Any) -> tuple[set[str], Any]:
        known = self.summaries.get(id(statement))
        if known is None:
            known = self.summaries[id(statement)] = self._summary(statement)
            self.alive.append(statement)
        return known

    def _summary(self, s: Any) -> tuple[set[str], Any]:
        if isinstance(s, gast.If):
            (then, then_kill), (orelse, orelse_kill) = self.block(s.body), self.block(s.orelse)
            bound = sure_walrus(s.test)
            return set(reads(s.test)) | ((then | orelse) - bound), union(meet(then_kill, orelse_kill), bound)
        if isinstance(s, gast.While):
            body, kill = self.block(s.body)
            bound = sure_walrus(s.test)
            orelse, _ = self.block(s.orelse)
            gen = set(reads(s.test)) | ((body | orelse) - bound)
            return gen, (meet(kill, set(stores(s.body))) if endless(s) and hasattr(s, "stop") else bound)
        if isinstance(s, (gast.For, gast.AsyncFor)):
            body, _ = self.block(s.body)
            orelse, _ = self.block(s.orelse)
            return set(reads(s.iter)) | (body - set(stores(s.target))) | set(reads(s.target)) | orelse, set()
        if isinstance(s, WITHS):
            gen, kill = set(), set()
            for item in s.items:
                gen |= set(reads(item)) - kill
                kill |= set(stores(item))
            body, body_kill = self.block(s.body)
            gen |= minus(body, kill)
            return gen, (set() if may_swallow(s) else union(kill, body_kill))
        if isinstance(s, TRIES):
            gen, kill = self.block(s.body + s.orelse)
            for handler in s.handlers:
                first, handler_kill = self.block(handler.body)
                caught = {handler.name.id} if handler.name is not None else set()
                gen = (
                    gen | (first - caught) | (set(reads(handler.type)) if handler.type is not None else set())
                )
                kill = meet(
                    kill, handler_kill if isinstance(handler_kill, Everything) else handler_kill - caught
                )
            final, final_kill = self.block(s.finalbody)
            return gen | final, union(kill, final_kill)
        if isinstance(s, gast.Match):
            gen = set(reads(s.subject))
            for case in s.cases:
                first, _ = self.block(case.body)
                bound = set(stores(case.pattern))
                gen |= set(reads(case.pattern)) | (first - bound)
                gen |= set(reads(case.guard)) - bound if case.guard is not None else set()
            return gen, set()
        if isinstance(s, gast.Return):
            return set(reads(s)), Everything()
        if isinstance(s, gast.Raise):
            return set(reads(s)), Everything()
        if isinstance(s, (gast.Break, gast.Continue)):
            return set(), Everything()
        if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            return set(reads(s)), {s.name}
        gen = set(reads(s))
        if isinstance(s, (gast.Assign, gast.AugAssign, gast.Import, gast.ImportFrom, gast.Delete)):
            return gen, set(_direct(s)) | sure_walrus(s)
        if isinstance(s, gast.AnnAssign):
            return gen, (set(_direct(s)) if s.value is not None else set()) | sure_walrus(s)
        return gen, sure_walrus(s)

    # From the end to the start

    def annotate(self, statements: list[Any], after: set[str], exposed: set[str]) -> None:
        """Hang ``live_after`` and ``exposed`` on each statement that control may enter more than one way."""
        live = after
        for s in reversed(statements):
            if isinstance(s, gast.If):
                s.live_after, s.exposed = live, exposed
                self.annotate(s.body, live, exposed)
                self.annotate(s.orelse, live, exposed)
            elif isinstance(s, LOOPS):
                s.live_after, s.exposed = live, exposed
                gen, _ = self.summary(s)
                head = live | gen | self.block(s.body)[0]
                if getattr(s, "stop", None) is not None:
                    head.add(s.stop)
                s.again = self.again(s)
                self.annotate(s.body, head, exposed)
                self.annotate(s.orelse, live, exposed)
            elif isinstance(s, WITHS):
                s.live_after, s.exposed = live, exposed
                self.annotate(s.body, live, exposed | live if may_swallow(s) else exposed)
            elif isinstance(s, TRIES):
                s.live_after, s.exposed = live, exposed
                final = self.block(s.finalbody)[0]
                self.annotate(s.finalbody, live, exposed)
                ended = live | final
                handlers: set[str] = set()
                for handler in s.handlers:
                    handlers |= self.block(handler.body)[0]
                    if handler.type is not None:
                        handlers |= set(reads(handler.type))
                    self.annotate(handler.body, ended, exposed | final)
                # after a handler the code goes on, so what is live there is exposed as well
                caught = handlers | (live if s.handlers else set())
                self.annotate(s.orelse, ended, exposed | final)
                self.annotate(s.body, ended | self.block(s.orelse)[0] | caught, exposed | final | caught)
            elif isinstance(s, gast.Assign):
                target = s.targets[0]
                s.dead = isinstance(target, gast.Name) and target.id in self.flags and target.id not in live
            elif isinstance(s, gast.Match):
                for case in s.cases:
                    self.annotate(case.body, live, exposed)
            gen, kill = self.summary(s)
            live = gen | minus(live, kill) | exposed
            if getattr(s, "stop", None) is not None:
                live.add(s.stop)

    def again(self, loop: Any) -> set[str]:
        """What a loop's test and body read before writing it: what one time round hands to the next."""
        body, _ = self.block(loop.body)
        if isinstance(loop, gast.While):
            bound = sure_walrus(loop.test)
            return set(reads(loop.test)) | (body - bound)
        return body - set(stores(loop.target)) | set(reads(loop.target))


def _direct(statement: Any) -> Names:
    """What a simple statement surely binds (comprehensions and lambdas bind nothing of ours)."""
    found: Names = {}
    if isinstance(statement, (gast.Import, gast.ImportFrom, gast.Delete)):
        return stores(statement)
    targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
    for target in targets:
        stores(target, found)
    return found
