"""``if``, ``while`` and ``for`` as operators on parts: nested functions that take the state and hand it back.

What a part reads must hold something, ``ag.undefined`` if nothing else; what others see of it while it runs
(an inner function, a handler) it binds with ``nonlocal``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.jumps import endless
from autograph.analysis.liveness import Everything, Liveness, sure_walrus
from autograph.analysis.scopes import scope_of, stores
from autograph.passes.context import Context
from autograph.passes.flow import Flow, Unit
from autograph.passes.reading import Reader, Settle
from autograph.tree import (
    assign,
    at,
    constant,
    define,
    expression,
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
        self.native = bool(getattr(node, "generator", False))
        self.order = {name: index for index, name in enumerate([*known.local, *now.local])}
        self.flags = context.flags
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
                if name not in bound and name in self.local:
                    unit.top[name] = None
                check.checked = name in unit.top
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
        last = len(self.order)
        return sorted(names, key=lambda name: (name in self.flags, self.order.get(name, last), name))

    def assigned(self, statements: list[Any]) -> set[str]:
        """What ``statements`` may rebind, by a call of an inner function too."""
        found = set(self.live.assigned(statements)) & self.local
        if self.rebound and any(isinstance(n, gast.Call) for s in statements for n in walk(s)):
            found |= self.rebound
        return found

    def if_(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        returns = getattr(s, "returns", False)
        (then_gen, then_kill), (else_gen, else_kill) = self.live.block(s.body), self.live.block(s.orelse)
        then_set, else_set = self.assigned(s.body), self.assigned(s.orelse)
        live = s.live_after | s.exposed | self.shared
        out = set() if returns else (then_set | else_set) & live
        kept = {
            name for name in out if name not in then_set & _names(then_kill) & else_set & _names(else_kill)
        }
        needed = (then_gen & then_set) | (else_gen & else_set) | kept
        by_test = sure_walrus(s.test) & self.local
        known = flow.sure | flow.unset | flow.maybe | by_test
        needed = {name for name in needed if name in out or name in known or name in self.shared}
        header, place = self.context.header(s, s.test), self.context.head(s, s.test)
        rebound = self.seen_elsewhere(then_set | else_set, s)
        needed |= rebound
        names = self.ordered(out)
        state = [name for name in names if name in needed]
        extra = self.ordered(needed - out)
        if not s.orelse and extra and not returns:
            s.orelse = [at(gast.Pass(), s)]
        state += extra
        captured = ((then_gen - then_set) | (else_gen - else_set)) & self.local
        needs = [*state, *self.ordered(captured - set(state))]
        new = self.require([name for name in needs if name not in by_test], flow, unit, s)
        s.test = self.read(s.test, flow, unit)
        flow.bind(by_test)
        then, then_end = self.part(
            "then", state, s.body, names, self.bound_outside(s.body, then_set, rebound), s, flow
        )
        new.append(then)
        ends = [then_end]
        self.comment(then, s, header)
        if s.orelse:
            orelse, else_end = self.part(
                "orelse",
                state,
                s.orelse,
                names,
                self.bound_outside(s.orelse, else_set, rebound),
                s.orelse[0],
                flow,
            )
            new.append(orelse)
            second: Any = load(orelse.name)
            ends.append(else_end)
        else:
            second = constant(None)
            ends.append(flow.copy())
        args = [s.test, load(then.name), second]
        if state or names:
            args.append(tuple_of([load(name) for name in state]))
        if names:
            args.append(tuple_of([constant(name) for name in names]))
        self.join(flow, ends, names)
        new.append(self.result(names, operator(self.context.ag, "if_stmt", args), returns, place))
        if returns:
            flow.reached = False
        return [at(node, s) for node in new]

    def seen_elsewhere(self, names: set[str], s: Any) -> set[str]:
        """Which names an inner function or a handler sees while a part runs; flags are set where it ends."""
        seen: set[str] = self.shared | s.exposed
        return (names & seen) - self.flags

    def bound_outside(self, statements: list[Any], assigned: set[str], rebound: set[str]) -> set[str]:
        """The names that an arm binds with ``nonlocal``, and first gives the value from before the ``if``.

        While tracing, the other arm has run too: what looks at the names from elsewhere must not see that.
        """
        if not rebound or any(not isinstance(node, _INERT) for s in statements for node in walk(s)):
            return rebound
        return rebound & assigned

    def comment(self, part: Any, origin: Any, header: str) -> None:
        """The line that a construct came from stands above it."""
        header = getattr(origin, "header", "" if getattr(origin, "made", False) else header)
        if header:
            part.comments_before = [f"# {header}:"]

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
        if is_while:
            test, _ = self.part(
                "test", state, [at(gast.Return(value=s.test), s.test)], None, rebound, s.test, start
            )
            new.append(test)
            args.append(load(test.name))
        item, opening = (None, []) if is_while else self.item(s, state, start)
        body, end = self.part("body", state, opening + s.body, state, rebound, s, start, item)
        new.append(body)
        self.comment(test if is_while else body, s, header)
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
    ) -> tuple[Any, Flow]:
        """A nested function that takes the state and hands the new state back."""
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
        body = self.block(statements, inside, unit)
        if names and inside.reached:
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
        if len(body) > 1:
            body = [node for node in body if not isinstance(node, gast.Pass)] or body[:1]
        body = self.finish(unit, body, [*state, *([item] if item else [])], origin)
        body = [at(node, origin) for node in opening] + body
        params = [item, *params] if item is not None else params
        name = self.context.stable(base)
        return at(define(name, params, body or [gast.Pass()]), origin), inside


_INERT = (gast.Assign, gast.Return, gast.Pass, gast.Name, gast.Constant, gast.Tuple, gast.expr_context)


def _names(kill: Any) -> Any:
    return _Any() if isinstance(kill, Everything) else kill


class _Any(set[str]):
    def __contains__(self, name: object) -> bool:
        return True

    def __and__(self, other: Any) -> Any:
        return other

    def __rand__(self, other: Any) -> Any:
        return other

