"""``if``, ``while`` and ``for`` become operators on functions of the state.

Three facts decide the form: liveness (what is state), definedness (what may be unset when it is read) and
capture
(what an inner function or a handler sees, bound with ``nonlocal`` so that it sees every change at once).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.jumps import endless
from autograph.analysis.liveness import LOOPS, TRIES, WITHS, Everything, Liveness, may_swallow, sure_walrus
from autograph.analysis.scopes import bound_names, captured_in, free_names, scope_of, stores
from autograph.passes.context import Context
from autograph.passes.flow import Flow, Unit
from autograph.tree import (
    FUNCTIONS,
    Rewriter,
    assign,
    at,
    children,
    constant,
    define,
    expression,
    is_docstring,
    keep_comments,
    load,
    operator,
    param_nodes,
    store,
    tuple_of,
    walk,
)


def control_flow(tree: Any, context: Context) -> Any:
    """Turn the statements that data may decide into operators.

    >>> tree = gast.parse('''
    ... def f(x, y):
    ...     if x > 5:
    ...         y = y + 1
    ...     return y
    ... ''')
    >>> print(gast.unparse(control_flow(tree, Context())).strip())
    def f(x, y):
    <BLANKLINE>
        def then(y):
            y = y + 1
            return y
        y = ag.if_stmt(x > 5, then, None, (y,), ('y',))
        return y
    """
    _Roots(context).walk(tree)
    return tree


class _Roots:
    """Finds the outermost functions."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def walk(self, node: Any) -> None:
        for child in children(node):
            if isinstance(child, FUNCTIONS):
                convert_function(child, self.context, {})
            elif isinstance(child, gast.Lambda):
                _Function(child, self.context, {}).lambda_()
            else:
                self.walk(child)


def convert_function(function: Any, context: Context, outside: dict[str, _Function]) -> None:
    """Convert one function in place; ``outside`` are names that may be unset, with the function they belong
    to.
    """
    _Function(function, context, outside).convert()


class _Function:
    """The conversion of one function of the user's."""

    def __init__(self, node: Any, context: Context, outside: dict[str, _Function]) -> None:
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
        self.live = Liveness()
        self.flags = context.flags

    def convert(self) -> None:
        node = self.node
        unit, flow = self.main, Flow()
        flow.bind(parameter.id for parameter in param_nodes(node.args))
        flow.maybe |= self.not_ours
        flow.sure |= self.not_ours - set(self.outside)
        self.deleted_anywhere = self.deleted(node.body)
        head = [node.body[0]] if is_docstring(node.body[0]) else []
        body = node.body[len(head) :]
        while body and (isinstance(body[0], gast.Nonlocal) or getattr(body[0], "setter", False)):
            head.append(body.pop(0))
        flow.bind(s.name for s in head if isinstance(s, FUNCTIONS))
        if not self.native:
            self.live.annotate(body, set(self.shared), set())
        body = self.block(body, flow, unit)
        body = self.finish(unit, body, [p.id for p in param_nodes(node.args)], node)
        if self.late:
            self.settle_late(body)
        node.body = head + body
        if not node.body:
            node.body = [at(gast.Pass(), node)]

    def settle_late(self, body: list[Any]) -> None:
        """Inner functions check the names of ours that hold ``ag.undefined`` at some time."""
        for name, check in self.late:
            check.checked = name in self.ever_unset
        _Settle().all(body)

    def lambda_(self) -> None:
        flow = Flow()
        flow.bind(parameter.id for parameter in param_nodes(self.node.args))
        self.deleted_anywhere = set()
        unit = self.main
        self.node.body = self.read(self.node.body, flow, unit)
        for _, check in [*unit.pending, *self.late]:
            check.checked = False
        self.node.body = _Settle().visit(self.node.body)

    # Statements

    def block(self, statements: list[Any], flow: Flow, unit: Unit) -> list[Any]:
        done: list[Any] = []
        for statement in statements:
            new = self.statement(statement, flow, unit)
            done += keep_comments(new, statement)
        return done

    def statement(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        if isinstance(s, gast.If):
            if self.native or getattr(s, "static", False):
                return self.native_if(s, flow, unit)
            return self.if_(s, flow, unit)
        if isinstance(s, LOOPS):
            return self.native_loop(s, flow, unit) if self.native else self.loop(s, flow, unit)
        if isinstance(s, WITHS):
            return self.with_(s, flow, unit)
        if isinstance(s, TRIES):
            return self.try_(s, flow, unit)
        if isinstance(s, gast.Match):
            return self.match(s, flow, unit)
        if isinstance(s, FUNCTIONS):
            return self.inner_function(s, flow, unit)
        if isinstance(s, gast.ClassDef):
            return self.inner_class(s, flow, unit)
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            return self.augmented(s, flow, unit)
        if isinstance(s, gast.Delete):
            return self.delete(s, flow, unit)
        for field in ("value", "exc", "cause", "test", "msg"):
            value = getattr(s, field, None)
            if isinstance(value, ast.AST):
                setattr(s, field, self.read(value, flow, unit))
        if isinstance(s, gast.Assign):
            s.targets = [self.read(target, flow, unit) for target in s.targets]
        elif isinstance(s, (gast.AugAssign, gast.AnnAssign)):
            s.target = self.read(s.target, flow, unit)
        bound = set(stores(s)) & self.local
        if isinstance(s, gast.AnnAssign) and s.value is None:
            bound = set()
        flow.maybe |= bound
        sure = self.live.summary(s)[1]
        if not isinstance(sure, Everything):
            flow.sure |= bound & sure
        if isinstance(s, (gast.Return, gast.Raise, gast.Break, gast.Continue)):
            flow.reached = False
        return [s]

    def augmented(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        name = s.target.id
        new: list[Any] = []
        if name in self.local and name not in flow.sure:
            # Python reads the name before anything else: so does the check
            new.append(at(expression(self.read(load(name), flow, unit)), s))
            new[0].check = True
        s.value = self.read(s.value, flow, unit)
        if name in self.local:
            flow.bind([name])
        return [*new, s]

    def delete(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        new: list[Any] = []
        for target in s.targets:
            if isinstance(target, gast.Name) and target.id in self.local:
                name = target.id
                if name not in flow.sure and not self.native:
                    if name not in flow.unset and name not in self.not_ours:
                        unit.top[name] = None
                        flow.unset.add(name)
                    new.append(at(expression(self.read(load(name), flow, unit)), s))
                if self.native:
                    new.append(at(gast.Delete(targets=[target]), s))
                else:
                    new.append(at(self.undefined(name), s))
                    flow.unset.add(name)
                flow.sure.discard(name)
            else:
                new.append(at(gast.Delete(targets=[self.read(target, flow, unit)]), s))
        return new

    def native_if(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        s.test = self.read(s.test, flow, unit)
        flow.bind(sure_walrus(s.test) & self.local)
        then, orelse = flow.copy(), flow.copy()
        s.body = self.block(s.body, then, unit)
        s.orelse = self.block(s.orelse, orelse, unit)
        self.meet(flow, unit, then, orelse)
        return [s]

    def native_loop(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        if not isinstance(s, gast.While):
            s.iter = self.read(s.iter, flow, unit)
        flow.sure -= self.deleted(s.body)
        inside = flow.copy()
        if isinstance(s, gast.While):
            s.test = self.read(s.test, inside, unit)
            inside.bind(sure_walrus(s.test) & self.local)
        else:
            s.target = self.read(s.target, inside, unit)
            inside.bind(set(stores(s.target)) & self.local)
        s.body = self.block(s.body, inside, unit)
        flow.maybe |= set(stores(s)) & self.local
        flow.unset |= inside.unset
        s.orelse = self.block(s.orelse, flow.copy(), unit)
        return [s]

    def with_(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        for item in s.items:
            item.context_expr = self.read(item.context_expr, flow, unit)
            if item.optional_vars is not None:
                item.optional_vars = self.read(item.optional_vars, flow, unit)
                flow.bind(set(stores(item.optional_vars)) & self.local)
        before = flow.copy()
        before.maybe |= set(stores(s.body)) & self.local
        before.sure -= self.deleted(s.body)
        s.body = self.block(s.body, flow, unit)
        if may_swallow(s):
            before.unset |= flow.unset
            self.meet(flow, unit, flow.copy(), before)
        return [s]

    def try_(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        def anywhere(blocks: list[Any]) -> Flow:
            """The point reached by an exception somewhere in ``blocks``."""
            point = start.copy()
            point.maybe |= set(stores(blocks)) & self.local
            deleted = self.deleted(blocks)
            point.sure -= deleted
            point.unset |= deleted if not self.native else set()
            return point

        start = flow.copy()
        body = flow.copy()
        caught = anywhere(s.body)
        deleted_last = self.deleted(s.finalbody)
        s.body = self.block(s.body, body, unit)
        caught.unset |= body.unset
        self.hold(caught.unset - start.sure - start.unset, unit)
        s.orelse = self.block(s.orelse, body, unit)
        ends = [body]
        for handler in s.handlers:
            end = caught.copy()
            if handler.type is not None:
                handler.type = self.read(handler.type, end, unit)
            if handler.name is not None:
                end.bind([handler.name.id])
            handler.body = self.block(handler.body, end, unit)
            if handler.name is not None:
                end.sure.discard(handler.name.id)
            ends.append(end)
        self.meet(flow, unit, *ends)
        if s.finalbody:
            after = flow.copy()
            final = caught.copy()
            for end in ends:
                final.maybe |= end.maybe
                final.unset |= end.unset
                final.sure &= end.sure if end.reached else final.sure
            before = set(final.sure)
            s.finalbody = self.block(s.finalbody, final, unit)
            flow.reached = after.reached and final.reached
            flow.sure = (after.sure | (final.sure - before)) - deleted_last
            flow.unset = after.unset | final.unset
            flow.maybe = after.maybe | final.maybe
        return [s]

    def match(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        s.subject = self.read(s.subject, flow, unit)
        flow.bind(sure_walrus(s.subject) & self.local)
        ends = []
        total = False
        for case in s.cases:
            end = flow.copy()
            flow.maybe |= set(stores(case.pattern)) & self.local  # a pattern may bind before it fails
            end.maybe |= flow.maybe
            end.bind(self.always_bound(case.pattern))
            if case.guard is not None:
                case.guard = self.read(case.guard, end, unit)
            elif isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None:
                total = True
            case.body = self.block(case.body, end, unit)
            ends.append(end)
        self.meet(flow, unit, *ends, *([] if total else [flow.copy()]))
        return [s]

    def always_bound(self, pattern: Any) -> set[str]:
        return set(stores(pattern)) & self.local

    def inner_function(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        if not getattr(s, "setter", False):
            s.decorator_list = [self.read(d, flow, unit) for d in s.decorator_list]
            s.args.defaults = [self.read(d, flow, unit) for d in s.args.defaults]
            s.args.kw_defaults = [d and self.read(d, flow, unit) for d in s.args.kw_defaults]
            convert_function(s, self.context, self.outside_of(s, flow))
        flow.bind({s.name} & self.local)
        return [s]

    def inner_class(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        for statement in s.body:
            if isinstance(statement, FUNCTIONS):
                convert_function(statement, self.context, self.outside_of(statement, flow))
            elif isinstance(statement, gast.ClassDef):
                self.inner_class(statement, flow, unit)
        flow.bind({s.name} & self.local)
        return [s]

    def outside_of(self, scope: Any, flow: Flow) -> dict[str, _Function]:
        """The free names of an inner function that may be unset when it reads them, and whose they are."""
        found: dict[str, _Function] = {}
        for name in free_names(scope):
            if name in self.local and name not in self.not_ours:
                if name not in flow.sure or name in self.deleted_anywhere:
                    found[name] = self
            elif name in self.outside:
                found[name] = self.outside[name]
        return found

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
        return _Reader(self, flow, unit).visit(node)

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
        check = self.check(name_node, free=True)
        check.checked = None
        self.outside[name_node.id].late.append((name_node.id, check))
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
            _Settle().all(body)
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
        known = flow.sure | flow.unset | flow.maybe
        needed = {name for name in needed if name in out or name in known or name in self.shared}
        header = self.context.header(s, s.test)
        rebound = (then_set | else_set) & (self.shared | s.exposed)
        bare: list[str] = []
        if returns:
            bare = [name for name in self.ordered(rebound) if name not in needed and name not in flow.maybe]
        names = self.ordered(out)
        state = [name for name in names if name in needed]
        extra = self.ordered(needed - out)
        if not s.orelse and extra and not returns:
            s.orelse = [at(gast.Pass(), s)]
        state += extra
        captured = ((then_gen - then_set) | (else_gen - else_set)) & self.local
        by_test = sure_walrus(s.test) & self.local
        needs = [*state, *bare, *self.ordered(captured - set(state))]
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
        new.append(self.result(names, operator(self.context.ag, "if_stmt", args), returns, s))
        if returns:
            flow.reached = False
        return [at(node, s) for node in new]

    def bound_outside(self, statements: list[Any], assigned: set[str], rebound: set[str]) -> set[str]:
        """The names that an arm binds with ``nonlocal``: what it assigns or captures of those seen from
        elsewhere.
        """
        if not rebound:
            return rebound
        return rebound & (assigned | captured_in(statements, rebound))

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
        header = self.context.header(s, s.test if is_while else s.iter)
        body_set = self.assigned(s.body) | (set() if is_while else set(stores(s.target)) & self.local)
        if is_while:
            body_set |= self.assigned([expression(s.test)])
        live = s.live_after | s.exposed | self.shared | s.again
        state = self.ordered(body_set & live)
        stop = getattr(s, "stop", None)
        if stop is not None:
            state = [*(name for name in state if name != stop), stop]
        rebound = body_set & (self.shared | s.exposed)
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
        new.append(self.result(state, value, False, s))
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


def _names(kill: Any) -> Any:
    return _Any() if isinstance(kill, Everything) else kill


class _Any(set[str]):
    def __contains__(self, name: object) -> bool:
        return True

    def __and__(self, other: Any) -> Any:
        return other

    def __rand__(self, other: Any) -> Any:
        return other


class _Reader(Rewriter):
    """Finds the reads of names that may be unset."""

    def __init__(self, function: _Function, flow: Flow, unit: Unit) -> None:
        self.function, self.flow, self.unit = function, flow, unit
        self.hidden: list[set[str]] = []
        self.inside = 0  # lambdas of ours and comprehensions around this point
        self.free = False  # whether Python itself sees a free variable here

    def visit_Name(self, node: Any) -> Any:
        if not isinstance(node.ctx, gast.Load):
            return node
        name, f, flow = node.id, self.function, self.flow
        if any(name in hidden for hidden in self.hidden):
            return node
        if name not in f.local:
            return f.foreign(node) if name in f.outside else node
        if name in f.not_ours and name not in flow.sure:
            return f.foreign(node)
        if name in flow.sure or name in f.flags:
            return node
        if name in flow.unset:
            return f.check(node, self.free)
        if self.inside:
            self.unit.top[name] = None
            flow.unset.add(name)
            return f.check(node, self.free)
        check = f.check(node)
        check.checked = None
        self.unit.pending.append((name, check))
        return check

    def visit_NamedExpr(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        if not self.inside and node.target.id in self.function.local:
            self.flow.maybe.add(node.target.id)
        return node

    def visit_Call(self, node: Any) -> Any:
        if getattr(node, "operator", None) == "outer":
            return node
        return self.generic_visit(node)

    def visit_Lambda(self, node: Any) -> Any:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if getattr(node, "generated", False):
            self.hidden.append({p.id for p in param_nodes(node.args)})
            self.inside += 1
            node.body = self.visit(node.body)
            self.inside -= 1
            self.hidden.pop()
            return node
        if not getattr(node, "converted", False):
            outside = self.function.outside_of(node, self.flow)
            _Function(node, self.function.context, outside).lambda_()
            node.converted = True
        return node

    def comprehension(self, node: Any) -> Any:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        self.hidden.append(set(bound_names(node)))
        self.inside += 1
        free, self.free = self.free, sys.version_info < (3, 12) or isinstance(node, gast.GeneratorExp)
        for index, generator in enumerate(node.generators):
            if index:
                generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(test) for test in generator.ifs]
        if isinstance(node, gast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        self.free = free
        self.inside -= 1
        self.hidden.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


class _Settle(Rewriter):
    """Takes away the checks that are Python's own business."""

    def all(self, statements: list[Any]) -> None:
        for statement in statements:
            _decide(statement)
        statements[:] = [self.visit(s) for s in statements if not _idle_check(s)] or [gast.Pass()]

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        if getattr(node, "checked", True) is False:
            return node.args[0]
        return node

    def compound(self, node: Any) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                for statement in block:
                    _decide(statement)
                setattr(node, field, [s for s in block if not _idle_check(s)])
        return self.generic_visit(node)

    visit_If = visit_With = visit_Try = visit_TryStar = visit_ExceptHandler = visit_match_case = compound
    visit_For = visit_While = visit_FunctionDef = compound


def _decide(statement: Any) -> None:
    """A check that stands as a statement of its own is kept only where it is needed."""
    if getattr(statement, "check", None) is not None:
        statement.check = getattr(statement.value, "checked", True) is not False


def _idle_check(statement: Any) -> bool:
    """A check statement that turned out to be Python's own business."""
    return getattr(statement, "check", None) is False
