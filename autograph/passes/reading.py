"""Reads of names that may be unset: found and checked, but for what Python checks itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import gast

from autograph.analysis.scopes import bound_names
from autograph.passes.flow import Flow, Unit
from autograph.tree import Rewriter, param_nodes

if TYPE_CHECKING:
    from autograph.passes.parts import Parts


class Reader(Rewriter):
    """Finds the reads of names that may be unset."""

    def __init__(self, function: Parts, flow: Flow, unit: Unit) -> None:
        self.function, self.flow, self.unit = function, flow, unit
        self.hidden: list[set[str]] = []
        self.inside = 0  # lambdas of ours and comprehensions around this point
        self.free = False  # whether Python itself sees a free variable here
        self.later = False  # whether what is read here is read when a generator is asked for an item

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
        lost = name in f.lost or (self.later and name in f.deleted_anywhere)
        if (name in flow.sure and not lost) or name in f.flags:
            return node
        free = self.free or getattr(node, "free", False)
        if name in flow.unset or lost:
            return f.check(node, free)
        if self.inside or free:
            self.unit.top[name] = None
            flow.unset.add(name)
            return f.check(node, free)
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
            self.function.convert_lambda(node, self.flow)
            node.converted = True
        return node

    def comprehension(self, node: Any) -> Any:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        self.hidden.append(set(bound_names(node)))
        self.inside += 1
        own_scope = sys.version_info < (3, 12) or isinstance(node, gast.GeneratorExp)
        free, self.free = self.free, self.free or own_scope
        later, self.later = self.later, self.later or isinstance(node, gast.GeneratorExp)
        self.visit_comprehended(node)
        self.free, self.later = free, later
        self.inside -= 1
        self.hidden.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


class Settle(Rewriter):
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
    visit_For = visit_While = compound


def _decide(statement: Any) -> None:
    """A check that stands as a statement of its own is kept only where it is needed."""
    if getattr(statement, "check", None) is not None:
        statement.check = getattr(statement.value, "checked", True) is not False


def _idle_check(statement: Any) -> bool:
    """A check statement that turned out to be Python's own business."""
    return getattr(statement, "check", None) is False
