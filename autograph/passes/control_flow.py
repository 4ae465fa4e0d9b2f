"""``if``, ``while`` and ``for`` become operators on functions of the state.

Three facts decide the form: liveness (what is state), definedness (what may be unset when it is read) and
capture
(what an inner function or a handler sees, bound with ``nonlocal`` so that it sees every change at once).
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph.analysis.liveness import LOOPS, TRIES, WITHS, Everything, may_swallow, sure_walrus
from autograph.analysis.scopes import free_names, stores
from autograph.passes import branches, protected
from autograph.passes.context import Context
from autograph.passes.flow import Flow, Unit
from autograph.passes.parts import Parts
from autograph.passes.reading import Settle
from autograph.tree import (
    FUNCTIONS,
    at,
    children,
    constant,
    expression,
    is_docstring,
    keep_comments,
    load,
    operator,
    param_nodes,
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


def convert_function(function: Any, context: Context, outside: dict[str, Parts]) -> None:
    """Convert one function in place; ``outside`` are names that may be unset, with the function they belong
    to.
    """
    _Function(function, context, outside).convert()


class _Function(Parts):
    """The conversion of one function of the user's."""

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
        params = [p.id for p in param_nodes(node.args)]
        seen_inside = {name for name, _ in self.late} | self.rebound
        self.hold(seen_inside - set(params) - set(stores(body)), unit)
        body = self.finish(unit, body, params, node)
        if self.late:
            self.settle_late(body)
        node.body = head + body
        if not node.body:
            node.body = [at(gast.Pass(), node)]

    def settle_late(self, body: list[Any]) -> None:
        """Inner functions check the names of ours that hold ``ag.undefined`` at some time."""
        for name, check in self.late:
            check.checked = name in self.ever_unset
        Settle().all(body)

    def lambda_(self) -> None:
        flow = Flow()
        flow.bind(parameter.id for parameter in param_nodes(self.node.args))
        self.deleted_anywhere = set()
        unit = self.main
        self.node.body = self.read(self.node.body, flow, unit)
        for _, check in [*unit.pending, *self.late]:
            check.checked = False
        self.node.body = Settle().visit(self.node.body)

    # Statements

    def block(self, statements: list[Any], flow: Flow, unit: Unit) -> list[Any]:
        done: list[Any] = []
        for statement in statements:
            if getattr(statement, "dead", False) and isinstance(statement.value, gast.Constant):
                continue
            new = self.statement(statement, flow, unit)
            done += keep_comments(new, statement)
        return done or [at(gast.Pass(), statement) for statement in statements[:1]]

    def statement(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        if isinstance(s, gast.If):
            if self.native or getattr(s, "static", False):
                return self.native_if(s, flow, unit)
            return branches.if_stmt(self, s, flow, unit)
        if isinstance(s, LOOPS):
            return self.native_loop(s, flow, unit) if self.native else self.loop(s, flow, unit)
        if isinstance(s, WITHS):
            if isinstance(s, gast.With) and not self.native:
                return protected.with_stmt(self, s, flow, unit)
            return self.native_with(s, flow, unit)
        if isinstance(s, TRIES):
            if isinstance(s, gast.Try) and not self.native:
                return protected.try_stmt(self, s, flow, unit)
            new = self.native_try(s, flow, unit)
            return new if self.native or isinstance(s, gast.Try) else [self.unstaged(new, "except*", s)]
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

    def unstaged(self, statements: list[Any], what: str, origin: Any) -> Any:
        """Statements left as they are: the runtime refuses what is symbolic inside."""
        manager = operator(self.context.ag, "unstaged", [constant(what)])
        item = gast.withitem(context_expr=manager, optional_vars=None)
        whole = gast.With(items=[item], body=statements, type_comment=None)
        return keep_comments([at(whole, self.context.head(origin, None))], origin)[0]

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

    def native_with(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
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

    def native_try(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
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
            outside = self.outside_of(s, flow)
            if getattr(s, "inlined_in", None) is not None:
                # what Python would say of a free variable is not what it says of one of the function's own
                self.hold({name for name, owner in outside.items() if owner is self} - flow.unset, unit)
                flow.unset |= set(outside)
            convert_function(s, self.context, outside)
        flow.bind({s.name} & self.local)
        return [s]

    def inner_class(self, s: Any, flow: Flow, unit: Unit) -> list[Any]:
        for statement in s.body:
            if isinstance(statement, FUNCTIONS):
                convert_function(statement, self.context, self.outside_of(statement, flow))
            elif isinstance(statement, gast.ClassDef):
                self.inner_class(statement, flow, unit)
        made = at(gast.Attribute(value=load(self.context.ag), attr="class_", ctx=gast.Load()), s)
        s.decorator_list.insert(0, made)
        flow.bind({s.name} & self.local)
        return [s]

    def convert_lambda(self, node: Any, flow: Flow) -> None:
        _Function(node, self.context, self.outside_of(node, flow)).lambda_()

    def outside_of(self, scope: Any, flow: Flow) -> dict[str, Parts]:
        """The free names of an inner function that may be unset when it reads them, and whose they are."""
        found: dict[str, Parts] = {}
        for name in free_names(scope):
            if name in self.local and name not in self.not_ours:
                if name not in flow.sure or name in self.deleted_anywhere:
                    found[name] = self
            elif name in self.outside:
                found[name] = self.outside[name]
        return found
