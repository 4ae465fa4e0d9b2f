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
from autograph.tree import at, constant, load, operator, thunk, tuple_of, walk


def if_stmt(f: Parts, s: Any, flow: Flow, unit: Unit) -> list[Any]:
    """An ``if`` with its ``elif`` links: the parts, and the operator that chooses one."""
    if _is_choice(s):
        return _choice(f, s, flow, unit)
    links = _links(f, s)
    arms = [*(link.body for link in links), links[-1].orelse]
    returns = getattr(s, "returns", False)
    summaries = [f.live.block(arm) for arm in arms]
    stored = [f.assigned(arm) for arm in arms]
    changed = set().union(*stored)
    out = set() if returns else changed & (s.live_after | s.exposed | f.shared)
    needed = {name for name in out if any(name not in kill for _, kill in summaries)}
    captured: set[str] = set()
    for (gen, _), names in zip(summaries, stored, strict=True):
        needed |= gen & names
        captured |= (gen - names) & f.local
    by_test = sure_walrus(s.test) & f.local
    known = flow.sure | flow.unset | flow.maybe | by_test
    needed = {name for name in needed if name in out or name in known or name in f.shared}
    rebound = f.seen_elsewhere(changed, s)
    needed |= rebound
    level = getattr(s, "level", None)
    if level is not None:
        needed |= captured & level.own
    names = f.ordered(out)
    state = [name for name in names if name in needed] + f.ordered(needed - out)
    needs = [*state, *f.ordered(captured - needed)]
    new = f.require([name for name in needs if name not in by_test], flow, unit, s)
    headers = [_header(f, link) for link in links]
    place = f.context.head(s, s.test)
    chained = len(links) > 1
    tests = [at(thunk(link.test), link.test) if chained else link.test for link in links]
    tests = [f.read(test, flow, unit) for test in tests]
    flow.bind(by_test)

    branch = _Branch(f, s, state, names, flow, level)
    chosen = []
    for link, header, arm, assigned in zip(links, headers, arms, stored, strict=False):
        if arm is not arms[-1] and _is_empty(arm) and (arms[-1] or link is not links[-1]):
            chosen.append(branch.skip(link, header))
        else:
            bound = _bound_outside(arm, assigned, rebound)
            chosen.append(branch.part("then", arm, bound, link, header))
    last = links[-1]
    if last.orelse:
        headed = getattr(last, "headed", False)
        bound = _bound_outside(last.orelse, stored[-1], rebound)
        base = "rest" if getattr(last, "rests", False) and not headed else "orelse"
        header = "else" if headed and not _is_elif(f, last.orelse[0]) else ""
        orelse = branch.part(base, last.orelse, bound, last.orelse[0], header, _goes_on(last))
    else:
        orelse = constant(None)
        branch.ends.append(flow.copy())

    if chained:
        args = [tuple_of([tuple_of(pair) for pair in zip(tests, chosen, strict=True)])]
    else:
        args = [*tests, *chosen]
    if last.orelse or state or names:
        args.append(orelse)
    if state or names:
        args.append(tuple_of([load(name) for name in state]))
    if names:
        args.append(tuple_of([constant(name) for name in names]))
    f.join(flow, branch.ends, names)
    if level is None:
        new += branch.parts
    else:
        level.parts += branch.parts
    name = "if_chain" if chained else "if_stmt"
    new.append(f.result(names, operator(f.context.ag, name, args), returns, place))
    if returns:
        flow.reached = False
    return [at(node, s) for node in new]


class _Branch:
    """The parts of one ``if``, as they are made."""

    def __init__(
        self, f: Parts, s: Any, state: list[str], names: list[str], flow: Flow, level: Level | None
    ) -> None:
        self.f, self.state, self.names = f, state, names
        self.flow = flow
        self.parts: list[Any] = []
        self.ends: list[Flow] = []
        self.headers: list[str] = _comments_of(s)  # what stands above the next part
        self.numbered = level is not None
        known = level.numbers if level is not None else f.numbers
        self.numbers = Numbers() if known is None else known

    def skip(self, link: Any, header: str) -> Any:
        """A link that leaves everything as it is: no part, its line stands above the next one."""
        self.headers += _comments_of(link)
        if header:
            self.headers.append(f"# {header}: {getattr(link, 'skips', 'pass')}")
        self.ends.append(self.flow.copy())
        return constant(None)

    def part(
        self, base: str, arm: list[Any], bound: set[str], origin: Any, header: str, rests: bool = False
    ) -> Any:
        """Make the part of one arm; what comes back is its name."""
        below = Level(self.numbers) if rests else None
        name = self.name(base)
        part, end = self.f.part(name, self.state, arm, self.names, bound, origin, self.flow, below=below)
        if base == "then":
            self.headers += _comments_of(origin)
        if header:
            self.headers.append(f"# {header}:")
        if self.headers:
            part.comments_before, self.headers = self.headers, []
        self.parts.append(part)
        self.ends.append(end)
        if below is not None:
            self.parts += below.parts
        return load(part.name)

    def name(self, base: str) -> str:
        """The first part of an ``if`` is ``then``; those of its other links, and beside it, have numbers.

        What comes last has the number of the link before it.
        """
        first = not self.parts
        if not self.numbered and (first or base != "then"):
            return base
        if first or base == "then":
            self.numbers.last += 1
        return f"{base}_{self.numbers.last}"


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


def _goes_on(s: Any) -> bool:
    """Whether the rest of an ``if`` ends in one that has a rest in its turn."""
    last = s.orelse[-1] if getattr(s, "rests", False) else None
    while isinstance(last, gast.If):
        if getattr(last, "rests", False):
            return True
        last = last.orelse[-1] if len(last.orelse) == 1 else None
    return False


def _header(f: Parts, s: Any) -> str:
    """The user's line that an ``if`` stands for; one that was made for flags has none."""
    known: str | None = getattr(s, "header", "" if getattr(s, "made", False) else None)
    return f.context.header(s, s.test) if known is None else known


def _comments_of(statement: Any) -> list[str]:
    """Take the comments above a statement, to put them above a part."""
    comments = list(getattr(statement, "comments_before", ()))
    statement.comments_before = []
    return comments


def _is_empty(arm: list[Any]) -> bool:
    return all(isinstance(node, gast.Pass) and not getattr(node, "comments_before", None) for node in arm)


def _is_elif(f: Parts, s: Any) -> bool:
    return isinstance(s, gast.If) and f.context.header(s, s.test).startswith("elif")


def _is_choice(s: Any) -> bool:
    """Whether a test of a flag chooses between two results that are plain expressions."""
    if not (getattr(s, "made", False) and getattr(s, "returns", False)) or hasattr(s, "header"):
        return False
    return all(
        len(arm) == 1
        and isinstance(arm[0], gast.Return)
        and not getattr(arm[0], "comments_before", None)
        and not getattr(arm[0], "comment_after", None)
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
