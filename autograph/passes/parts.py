"""``if``, ``while`` and ``for`` as operators on parts: nested functions that take the state and hand it back.

What a part reads must hold something, ``ag.undefined`` if nothing else; what others see of it while it runs
(an inner function, a handler) it binds with ``nonlocal``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.jumps import endless
from autograph.analysis.liveness import Liveness
from autograph.analysis.scopes import declared, scope_of, stores
from autograph.passes.context import Context
from autograph.passes.flow import Flow, Level, Numbers, Unit
from autograph.passes.reading import Reader, Settle
from autograph.tree import (
    FUNCTIONS,
    assign,
    at,
    blocks,
    comments_of,
    constant,
    define,
    expression,
    keep_comments,
    load,
    operator,
    store,
    tuple_of,
    walk,
)


class Parts:
    """What the conversion of one function knows about its names, and how a statement becomes parts."""

    def __init__(self, node: Any, context: Context, outside: dict[str, Parts]) -> None:
        self.node, self.context, self.outside = node, context, outside
        self.main = Unit()
        self.ever_unset: set[str] = set()  # names that hold ``ag.undefined`` somewhere in this function
        self.late: list[tuple[str, Any]] = []  # reads of our names by inner functions
        now = scope_of(node)
        known = getattr(node, "scope", None) or now
        self.local: set[str] = set(known.local) | set(now.local)
        self.shared: set[str] = known.captured | now.captured | known.rebound_inside
        self.shared |= now.nonlocal_
        self.local |= now.nonlocal_
        self.not_ours = now.nonlocal_
        self.rebound = known.rebound_inside | now.rebound_inside
        self.deleted_anywhere: set[str] = set()
        self.lost = _deleted_inside(node)
        self.native = bool(getattr(node, "generator", False))
        self.order = {name: index for index, name in enumerate([*known.local, *now.local])}
        self.flags = context.flags
        self.numbers: Numbers | None = None  # of the parts that stand beside the function around
        self.live = Liveness(self.flags)

    def block(self, statements: list[Any], flow: Flow, unit: Unit) -> list[Any]:
        """Convert the statements of a block."""
        raise NotImplementedError

    def convert_lambda(self, node: Any, flow: Flow) -> None:
        """Convert a lambda of the user's in place."""
        raise NotImplementedError

    def deleted(self, statements: list[Any]) -> set[str]:
        found: set[str] = set()
        for node in statements:
            for inner in walk(node):
                if isinstance(inner, gast.Delete):
                    found |= set(stores(inner))
                elif isinstance(inner, gast.ExceptHandler) and inner.name is not None:
                    found.add(inner.name.id)
        return found & self.local

    # Reading names

    def read(self, node: Any, flow: Flow, unit: Unit) -> Any:
        return Reader(self, flow, unit).visit(node)

    def undefined(self, name: str) -> Any:
        owner = self.outside.get(name, self) if name in self.not_ours else self
        owner.ever_unset.add(name)
        return assign(name, operator(self.context.ag, "undefined", [constant(name)]))

    def check(self, name_node: Any, free: bool = False) -> Any:
        keywords = [("free", constant(True))] if free else []
        return at(operator(self.context.ag, "defined", [name_node], keywords), name_node)

    def foreign(self, name_node: Any) -> Any:
        """Read a name of an enclosing function that may be unset: its owner decides whether that is to be
        checked.
        """
        owner = self.outside[name_node.id]
        check = self.check(name_node, free=getattr(self.node, "inlined_in", None) is not owner.node)
        check.checked = None
        owner.late.append((name_node.id, check))
        return check

    def require(self, names: Iterable[str], flow: Flow, unit: Unit, origin: Any) -> list[Any]:
        """Make sure that each of ``names`` holds something, ``ag.undefined`` if nothing else, before a part
        sees it.
        """
        new: list[Any] = []
        for name in names:
            if name in flow.sure or name in flow.unset:
                continue
            if name in self.not_ours:
                owner = self.outside[name]
                owner.main.top[name] = None
                owner.ever_unset.add(name)
            elif name in flow.maybe:
                unit.top[name] = None
            elif name in self.rebound:  # an inner function may have set it by now
                self.main.top[name] = None
                flow.maybe.add(name)
            else:
                new.append(at(self.undefined(name), origin))
                flow.maybe.add(name)
                unit.bound.add(name)
            flow.unset.add(name)
        return new

    def finish(self, unit: Unit, body: list[Any], params: list[str], origin: Any) -> list[Any]:
        """Decide about the reads left open, and put what has to be set first at the top."""
        if unit.pending or unit.top:
            bound = unit.bound | set(stores(body)) | set(params)
            for name, check in unit.pending:
                top = self.main.top if name in self.rebound else unit.top
                if name not in bound and name in self.local:
                    top[name] = None
                check.checked = name in top
            Settle().all(body)
            tops = [name for name in unit.top if name not in params]
            body[:0] = [at(self.undefined(name), body[0] if body else origin) for name in tops]
        return body

    # Staged statements

    def meet(self, flow: Flow, unit: Unit, *ends: Flow) -> None:
        """Ways meet: a name that one of them left as ``ag.undefined`` has to hold something on all."""
        reached = [end for end in ends if end.reached]
        flow.become(*ends)
        if flow.reached:
            self.hold(
                {n for n in flow.unset if any(n not in e.sure and n not in e.unset for e in reached)}, unit
            )

    def hold(self, names: set[str], unit: Unit) -> None:
        """Let the names hold ``ag.undefined`` from the start of the unit."""
        for name in self.ordered(names - self.not_ours):
            unit.top[name] = None
            self.ever_unset.add(name)

    def ordered(self, names: Iterable[str]) -> list[str]:
        """Names in the order of the text; flags come last, and last of them those that end a loop."""

        def place(name: str) -> tuple[Any, ...]:
            flag = name in self.flags
            rank = _ENDING.get(name.partition("_")[0], 0) if flag else 0
            return flag, rank, self.order.get(name, len(self.order)), name

        return sorted(names, key=place)

    def assigned(self, statements: list[Any]) -> set[str]:
        """What ``statements`` may rebind, by a call of an inner function too."""
        found = set(self.live.assigned(statements)) & self.local
        if self.rebound and any(isinstance(n, gast.Call) for s in statements for n in walk(s)):
            found |= self.rebound
        return found

    def seen_elsewhere(self, names: set[str], s: Any) -> set[str]:
        """Which names an inner function or a handler sees while a part runs; flags are set where it ends."""
        seen: set[str] = self.shared | s.exposed
        return (names & seen) - self.flags

    def comment(self, part: Any, origin: Any, header: str) -> None:
        """The line that a construct came from stands above it."""
        header = getattr(origin, "header", "" if getattr(origin, "made", False) else header)
        above = list(getattr(origin, "comments_before", ()))
        origin.comments_before = []
        if header:
            above.append(f"# {header}:")
        if above:
            part.comments_before = above

    def result(self, names: list[str], value: Any, returns: bool, origin: Any) -> Any:
        if returns:
            return at(gast.Return(value=value), origin)
        if not names:
            return at(expression(value), origin)
        target = store(names[0]) if len(names) == 1 else tuple_of([store(name) for name in names], gast.Store)
        return at(gast.Assign(targets=[target], value=value, type_comment=None), origin)

    def join(self, flow: Flow, ends: list[Flow], names: Iterable[str]) -> None:
        reached = [end for end in ends if end.reached]
        if not reached:
            flow.reached = False
            return
        for name in names:
            flow.maybe.add(name)
            if all(name in end.sure for end in reached):
                flow.sure.add(name)
            else:
                flow.sure.discard(name)
                flow.unset.add(name)

    def loop(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        is_while = isinstance(s, gast.While)
        last = s.test if is_while else s.iter
        header, place = self.context.header(s, last), self.context.head(s, last)
        body_set = self.assigned(s.body) | (set() if is_while else set(stores(s.target)) & self.local)
        if is_while:
            body_set |= self.assigned([expression(s.test)])
        live = s.live_after | s.exposed | self.shared | s.again
        state = self.ordered(body_set & live)
        stop = getattr(s, "stop", None)
        if stop is not None:
            state = [*(name for name in state if name != stop), stop]
        rebound = self.seen_elsewhere(body_set, s)
        gen = (self.live.summary(s)[0] & self.local) - body_set
        new = self.require([*state, *self.ordered(gen - set(state))], flow, unit, s)
        if not is_while:
            s.iter = self.read(s.iter, flow, unit)
        deleted = self.deleted(s.body)
        start = flow.copy()
        start.sure -= deleted
        start.unset |= deleted
        args: list[Any] = []
        opened = len(new)
        if is_while and endless(s):
            args.append(constant(None))
        elif is_while:
            test, _ = self.part(
                "test", state, [at(gast.Return(value=s.test), s.test)], None, rebound, s.test, start
            )
            new.append(test)
            args.append(load(test.name))
        item, opening = (None, []) if is_while else self.item(s, state, start)
        body, end = self.part("body", state, opening + s.body, state, rebound, s, start, item)
        new.append(body)
        self.comment(new[opened], s, header)
        args = ([] if is_while else [s.iter]) + args + [load(body.name)]
        if state:
            args.append(tuple_of([load(name) for name in state]))
            args.append(tuple_of([constant(name) for name in state]))
        keywords = [("stop", constant(stop))] if stop is not None else []
        once = endless(s)
        if once and stop is None:
            self.join(flow, [end], state)
            flow.reached = flow.reached and not once
        else:
            self.join(
                flow, [end] if once and end.reached else [start, end] if end.reached else [start], state
            )
        name = "while_stmt" if is_while else "for_stmt"
        value = operator(self.context.ag, name, args, keywords)
        new.append(self.result(state, value, False, place))
        return [at(node, s) for node in new]

    def item(self, s: Any, state: list[str], flow: Flow) -> tuple[str, list[Any]]:
        """The parameter of a ``for`` body that takes the item, and what the body does with it first."""
        if isinstance(s.target, gast.Name) and s.target.id not in state and s.target.id in self.local:
            return s.target.id, []
        name = self.context.stable("item")
        flow.bind([name])
        first = gast.Assign(targets=[s.target], value=load(name), type_comment=None)
        return name, [at(first, s.target)]

    def part(
        self,
        base: str,
        state: list[str],
        statements: list[Any],
        names: list[str] | None,
        rebound: set[str],
        origin: Any,
        flow: Flow,
        item: str | None = None,
        below: Level | None = None,
    ) -> tuple[Any, Flow]:
        """A nested function that takes the state and hands the new state back.

        ``below`` takes the parts of the ``if`` that the function ends in.
        """
        mine = set(state) - rebound
        local = (self.assigned(statements) if names is not None else set()) - rebound
        inside = flow.copy()
        for known in (inside.sure, inside.unset, inside.maybe):
            known -= local - mine
        inside.maybe |= set(state)
        if item is not None:
            inside.bind([item])
        unit = Unit(bound=set(state) | rebound)
        last = statements[-1] if statements else origin
        if below is not None:
            below.own = local | mine | ({item} if item is not None else set())
            last.level = below
        numbers, self.numbers = self.numbers, None if below is None else below.numbers
        body = self.block(statements, inside, unit)
        self.numbers = numbers
        if names and inside.reached and not (rebound & set(names)) and _gives(body[-1], names):
            body[-1] = keep_comments([at(gast.Return(value=body[-1].value), body[-1])], body[-1])[0]
        elif names and inside.reached:
            at_end = self.require(names, inside, unit, last)
            values = [load(name) for name in names]
            value = values[0] if len(values) == 1 else tuple_of(values)
            body += [*at_end, at(gast.Return(value=value), last)]
        params = [self.context.stable(f"{name}_") if name in rebound else name for name in state]
        opening: list[Any] = []
        if rebound:
            opening.append(gast.Nonlocal(names=self.ordered(rebound)))
            opening += [
                assign(name, load(p)) for name, p in zip(state, params, strict=True) if name in rebound
            ]
            body = _without_annotations(body, rebound)
        body = _without_pass(body)
        body = self.finish(unit, body, [*state, *([item] if item else [])], origin)
        body = [at(node, origin) for node in opening] + body
        params = [item, *params] if item is not None else params
        name = self.context.stable(base)
        return at(define(name, params, body or [gast.Pass()]), origin), inside


def _deleted_inside(node: Any) -> set[str]:
    """The names of a function that a function inside it takes away: unset at any time."""
    found: set[str] = set()
    for inner in walk(node)[1:]:
        if isinstance(inner, FUNCTIONS):
            gone = {name for each in walk(inner) if isinstance(each, gast.Delete) for name in stores(each)}
            found |= gone & declared(inner, gast.Nonlocal)
    return found


def _without_annotations(body: list[Any], names: set[str]) -> list[Any]:
    """``k = 1`` for ``k: int = 1``, which Python does not take where ``k`` is nonlocal."""
    kept: list[Any] = []
    for statement in body:
        if isinstance(statement, gast.AnnAssign) and getattr(statement.target, "id", None) in names:
            if statement.value is None:
                continue
            made = gast.Assign(targets=[statement.target], value=statement.value, type_comment=None)
            kept += keep_comments([at(made, statement)], statement)
            continue
        for block in filter(None, blocks(statement)):
            block[:] = _without_annotations(block, names) or [at(gast.Pass(), statement)]
        kept.append(statement)
    return kept


def _without_pass(body: list[Any]) -> list[Any]:
    """The statements without ``pass``, unless there is nothing else; comments at one go above the next."""
    kept: list[Any] = []
    above: list[str] = []
    for node in body:
        if isinstance(node, gast.Pass) and node is not body[-1]:
            above += comments_of(node)
        elif not isinstance(node, gast.Pass) or not kept:
            if above:
                node.comments_before = [*above, *getattr(node, "comments_before", ())]
                above = []
            kept.append(node)
    return kept


def _gives(statement: Any, names: list[str]) -> bool:
    """Whether the statement is ``names = ag.if_stmt(...)`` or the like: what it gives can be handed on."""
    if getattr(getattr(statement, "value", None), "operator", None) not in _HANDING:
        return False
    if not isinstance(statement, gast.Assign):
        return False
    target = statement.targets[0]
    targets = target.elts if isinstance(target, gast.Tuple) else [target]
    return [getattr(each, "id", None) for each in targets] == names


_HANDING = {"if_stmt", "if_chain", "while_stmt", "for_stmt"}
_ENDING = {"returned": 1, "stop": 2}
