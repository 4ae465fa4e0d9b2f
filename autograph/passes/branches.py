"""``if`` and ``elif`` as operators on parts.

The links of an ``elif`` chain, and early returns that follow each other, are parts side by side.  Where
statements stand between early returns, they are a function that ends in the next ``if``: the parts of that
stand beside the function, not in it, and get what it has made as parameters.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.liveness import sure_walrus
from autograph.passes.flow import Flow, Level, Numbers, Unit
from autograph.passes.logic import movable
from autograph.passes.parts import Parts
from autograph.tree import at, comments_of, constant, load, operator, thunk, tuple_of, walk


def if_stmt(f: Parts, s: Any, flow: Flow, unit: Unit) -> list[Any]:
    """An ``if`` with its ``elif`` links: the parts, and the operator that chooses one."""
    if _is_choice(s):
        return _choice(f, s, flow, unit)
    links = _links(f, s)
    facts = _Facts(f, s, links, flow)
    new = f.require(facts.needs, flow, unit, s)
    headers = [_header(f, link) for link in links]
    place = f.context.head(s, s.test)
    chained = len(links) > 1
    tests = [at(thunk(link.test), link.test) if chained else link.test for link in links]
    tests = [f.read(test, flow, unit) for test in tests]
    flow.bind(facts.by_test)
    branch = _Branch(f, s, facts, flow)
    chosen = [branch.link(number, link, headers[number]) for number, link in enumerate(links)]
    orelse = branch.orelse(links[-1])

    pairs = [tuple_of(pair) for pair in zip(tests, chosen, strict=True)]
    args = [tuple_of(pairs)] if chained else [*tests, *chosen]
    if branch.ends_in_part or facts.state or facts.names:
        args.append(orelse)
    if facts.state or facts.names:
        args.append(tuple_of([load(name) for name in facts.state]))
    if facts.names:
        args.append(tuple_of([constant(name) for name in facts.names]))
    f.join(flow, branch.ends, facts.names)
    if facts.level is None:
        new += branch.parts + branch.beside
    else:
        facts.level.parts += branch.parts + branch.beside
    value = operator(f.context.ag, "if_chain" if chained else "if_stmt", args)
    new.append(f.result(facts.names, value, facts.returns, place))
    if facts.returns:
        flow.reached = False
    return [at(node, s) for node in new]


class _Facts:
    """What goes into the parts of one ``if``, and what comes out.

    ``names`` come out and ``state`` goes in; ``needs`` are the names that must hold something before,
    ``rebound`` those that an inner function or a handler sees while a part runs, ``by_test`` those that the
    test binds.
    """

    def __init__(self, f: Parts, s: Any, links: list[Any], flow: Flow) -> None:
        self.arms = [*(link.body for link in links), links[-1].orelse]
        self.stored = [f.assigned(arm) for arm in self.arms]
        self.returns: bool = getattr(s, "returns", False)
        self.level: Level | None = getattr(s, "level", None)
        self.by_test = sure_walrus(s.test) & f.local
        summaries = [f.live.block(arm) for arm in self.arms]
        changed: set[str] = set().union(*self.stored)
        out: set[str] = set() if self.returns else changed & (s.live_after | s.exposed | f.shared)
        needed = {name for name in out if any(name not in kill for _, kill in summaries)}
        captured: set[str] = set()
        for (gen, _), stored in zip(summaries, self.stored, strict=True):
            needed |= gen & stored
            captured |= (gen - stored) & f.local
        known = out | flow.sure | flow.unset | flow.maybe | self.by_test | f.shared
        self.rebound = f.seen_elsewhere(changed, s)
        needed = (needed & known) | self.rebound
        if self.level is not None:
            needed |= captured & self.level.own
        self.names = f.ordered(out)
        self.state = [name for name in self.names if name in needed] + f.ordered(needed - out)
        needs = [*self.state, *f.ordered(captured - needed)]
        self.needs = [name for name in needs if name not in self.by_test]


class _Branch:
    """The parts of one ``if``, as they are made."""

    def __init__(self, f: Parts, s: Any, facts: _Facts, flow: Flow) -> None:
        self.f, self.facts, self.flow = f, facts, flow
        self.parts: list[Any] = []
        self.beside: list[Any] = []  # the parts of the ``if`` that one of these ends in
        self.ends: list[Flow] = []
        self.ends_in_part = bool(facts.arms[-1])
        self.headers: list[str] = _take_comments(s)  # what stands above the next part
        known = facts.level.numbers if facts.level is not None else f.numbers
        self.numbers = Numbers() if known is None else known
        self.number = 1

    def link(self, number: int, link: Any, header: str) -> Any:
        """The part of a link; none where that leaves everything as it is: its line stands above the next."""
        self.headers += _take_comments(link)
        is_last = number == len(self.facts.arms) - 2
        if _is_empty(link.body) and (self.ends_in_part or not is_last):
            if header:
                self.headers.append(f"# {header}: {getattr(link, 'skips', 'pass')}")
            self.ends.append(self.flow.copy())
            return constant(None)
        return self.part("then", number, link, header, _goes_on(link, "body"))

    def orelse(self, last: Any) -> Any:
        """The part of ``else``, or of what follows an early return."""
        if not self.ends_in_part:
            self.ends.append(self.flow.copy())
            return constant(None)
        headed = getattr(last, "headed", False)
        base = "rest" if getattr(last, "rests", None) == "orelse" and not headed else "orelse"
        header = "else" if headed and not _is_elif(self.f, last.orelse[0]) else ""
        return self.part(base, -1, last.orelse[0], header, _goes_on(last, "orelse"))

    def part(self, base: str, number: int, origin: Any, header: str, goes_on: bool) -> Any:
        """Make the part of one arm; what comes back is its name."""
        below = Level(self.numbers) if goes_on else None
        facts = self.facts
        arm = facts.arms[number]
        bound = _bound_outside(arm, facts.stored[number], facts.rebound)
        part, end = self.f.part(
            self.name(base), facts.state, arm, facts.names, bound, origin, self.flow, below=below
        )
        if header:
            self.headers.append(f"# {header}:")
        if self.headers:
            part.comments_before, self.headers = self.headers, []
        self.parts.append(part)
        self.ends.append(end)
        if below is not None:
            self.beside += below.parts
        return load(part.name)

    def name(self, base: str) -> str:
        """The first part of an ``if`` is ``then``; those of its other links, and beside it, have numbers.

        What comes last has the number of the link before it.
        """
        first = not self.parts
        if self.facts.level is None and (first or base != "then"):
            return base
        if first or base == "then":
            self.numbers.last += 1
            self.number = self.numbers.last
        return f"{base}_{self.number}"


def _links(f: Parts, s: Any) -> list[Any]:
    """The ``if`` statements of a chain: each is all that the ``else`` of the one before holds.

    Names that are seen elsewhere while a part runs are set anew by each part, but not by a test: no chain.
    """
    links = [s]
    if not movable(s.test) or f.seen_elsewhere(f.assigned([s]), s):
        return links
    returns = getattr(s, "returns", False)
    while len(links[-1].orelse) == 1:
        inner = links[-1].orelse[0]
        if not isinstance(inner, gast.If) or getattr(inner, "static", False) or not movable(inner.test):
            break
        if getattr(inner, "returns", False) != returns:
            break
        links.append(inner)
    return links


def _goes_on(s: Any, arm: str) -> bool:
    """Whether what follows an early return is in this arm and ends in an ``if`` that has such an arm too."""
    last = getattr(s, arm)[-1] if getattr(s, "rests", None) == arm else None
    while isinstance(last, gast.If):
        if getattr(last, "rests", None):
            return True
        last = last.orelse[-1] if len(last.orelse) == 1 else None
    return False


def _header(f: Parts, s: Any) -> str:
    """The user's line that an ``if`` stands for; one that was made for flags has none."""
    known: str | None = getattr(s, "header", "" if getattr(s, "made", False) else None)
    return f.context.header(s, s.test) if known is None else known


def _take_comments(statement: Any) -> list[str]:
    """Take the comments above a statement, to put them above a part."""
    comments = list(getattr(statement, "comments_before", ()))
    statement.comments_before = []
    return comments


def _is_empty(arm: list[Any]) -> bool:
    return all(isinstance(node, gast.Pass) and not comments_of(node) for node in arm)


def _is_elif(f: Parts, s: Any) -> bool:
    return isinstance(s, gast.If) and f.context.header(s, s.test).startswith("elif")


def _is_choice(s: Any) -> bool:
    """Whether a test of a flag chooses between two results that are plain expressions."""
    if not (getattr(s, "made", False) and getattr(s, "returns", False)) or hasattr(s, "header"):
        return False
    return all(
        len(arm) == 1
        and isinstance(arm[0], gast.Return)
        and not comments_of(arm[0])
        and (arm[0].value is None or movable(arm[0].value))
        for arm in (s.body, s.orelse)
    )


def _choice(f: Parts, s: Any, flow: Flow, unit: Unit) -> list[Any]:
    """``if returned: return result`` with one more ``return`` behind it, as one expression."""
    read = f.ordered(f.live.block([s])[0] & f.local)
    new = f.require([name for name in read if name not in f.flags], flow, unit, s)
    results = [arm[0].value or constant(None) for arm in (s.body, s.orelse)]
    args = [s.test, *(at(thunk(result), result) for result in results)]
    value = operator(f.context.ag, "if_exp", [f.read(arg, flow, unit) for arg in args])
    new.append(f.result([], value, True, f.context.head(s, s.test)))
    flow.reached = False
    return [at(node, s) for node in new]


def _bound_outside(statements: list[Any], assigned: set[str], rebound: set[str]) -> set[str]:
    """The names that an arm binds with ``nonlocal``, and first gives the value from before the ``if``.

    While tracing, the other arm has run too: what looks at the names from elsewhere must not see that.
    """
    if not rebound or any(not isinstance(node, _INERT) for s in statements for node in walk(s)):
        return rebound
    return rebound & assigned


_INERT = (gast.Assign, gast.Return, gast.Pass, gast.Name, gast.Constant, gast.Tuple, gast.expr_context)
