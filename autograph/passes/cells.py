"""Variables that functions made inside a function keep, where those are needed when a graph runs, live in
cells.

A trace finds out which (``autograph.convert.keep_in_cells``); all other conversions leave variables alone.
"""

from __future__ import annotations

import sys
from typing import Any

import gast

from autograph.analysis.scopes import bound_names, scope_of, walrus_targets
from autograph.passes.context import Context
from autograph.passes.handlers import bind_explicitly
from autograph.tree import (
    FUNCTIONS,
    Transformer,
    assign,
    at,
    constant,
    expression,
    is_docstring,
    load,
    operator,
    param_nodes,
)


def cells(tree: Any, context: Context) -> Any:
    """Keep the variables named by ``context.cells`` in cells.

    >>> tree = gast.parse('''
    ... def counter():
    ...     count = 0
    ...     def step(k):
    ...         nonlocal count
    ...         count += k
    ...         return count
    ...     return step
    ... ''')
    >>> print(gast.unparse(cells(tree, Context(cells=frozenset({"count"})))).strip())
    def counter():
        count_cell = ag.cell('count')
        count_cell.value = 0
    <BLANKLINE>
        def step(k):
            count_cell.free += k
            return count_cell.free
        return step
    """
    return _Cells(context).visit(tree) if context.cells else tree


class _Cells(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.kept: dict[str, tuple[str, str]] = {}  # a name seen here -> its cell, and the attribute to use
        self.rewritten = 0

    def visit(self, node: Any) -> Any:
        before = self.rewritten
        new = super().visit(node)
        static = getattr(node, "static", False) and not isinstance(node, gast.If)
        if static and self.rewritten != before:
            node.static = False  # what is in a cell only the run knows
        return new

    def visit_If(self, node: Any) -> Any:
        self.generic_visit(node)
        node.static = getattr(node, "static", False) and getattr(node.test, "static", False)
        return node

    # Scopes

    def inside(self, kept: dict[str, tuple[str, str]], node: Any, fields: tuple[str, ...]) -> None:
        """Visit what sees these cells."""
        around, self.kept = self.kept, kept
        for field in fields:
            value = getattr(node, field)
            if field == "body" and isinstance(value, list):
                setattr(node, field, self.visit_block(value))
            elif isinstance(value, list):
                setattr(node, field, [self.visit(each) for each in value])
            else:
                setattr(node, field, self.visit(value))
        self.kept = around

    def seen_from(self, node: Any, bound: Any, later: bool) -> dict[str, tuple[str, str]]:
        """The cells around as a scope sees them that binds some names itself."""
        return {
            name: (kept, "free" if later else attribute)
            for name, (kept, attribute) in self.kept.items()
            if name not in bound
        }

    def visit_FunctionDef(self, node: Any) -> Any:
        name = node.name
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        for each in [*param_nodes(node.args), node]:
            field = "returns" if each is node else "annotation"
            if getattr(each, field, None) is not None:
                setattr(each, field, self.visit(getattr(each, field)))
        scope = getattr(node, "scope", None) or scope_of(node)
        local = {**scope.local, **bound_names(node)}
        here_and_now = getattr(node, "generated", False) and sys.version_info >= (3, 12)
        kept = self.seen_from(node, local, not here_and_now)
        own = [each for each in local if each in self.context.cells and not getattr(node, "generator", False)]
        for each in own:
            kept[each] = (self.context.fresh(f"{each}_cell"), "value")
        self.inside(kept, node, ("body",))
        node.body = [each for each in node.body if not _is_empty(each)] or node.body[:1]
        for each in kept:
            scope.local.pop(each, None)
        for known in (scope.captured, scope.rebound_inside, scope.nonlocal_):
            known -= set(kept)
        opening = self.opening(node, [(each, kept[each][0]) for each in own])
        place = _place(node.body)
        node.body[place:place] = [at(statement, node) for statement in opening]
        return self.stored(node, name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def opening(self, node: Any, own: list[tuple[str, str]]) -> list[Any]:
        """The statements that make the cells of a function's own variables."""
        parameters = {param.id for param in param_nodes(node.args)}
        made: list[Any] = []
        for name, kept in own:
            made.append(assign(kept, operator(self.context.ag, "cell", [constant(name)])))
            if name in parameters:
                made.append(_put(kept, load(name)))
        return made

    def visit_Lambda(self, node: Any) -> Any:
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        bound = {param.id for param in param_nodes(node.args)} | set(walrus_targets(node.body))
        self.inside(self.seen_from(node, bound, not getattr(node, "generated", False)), node, ("body",))
        return node

    def comprehension(self, node: Any) -> Any:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        later = sys.version_info < (3, 12) or isinstance(node, gast.GeneratorExp)
        kept = self.seen_from(node, bound_names(node), later)
        for generator in node.generators:
            fields = ("target", "ifs") if generator is first else ("target", "iter", "ifs")
            self.inside(kept, generator, fields)
        self.inside(kept, node, ("key", "value") if isinstance(node, gast.DictComp) else ("elt",))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_ClassDef(self, node: Any) -> Any:
        for field in ("bases", "keywords", "decorator_list"):
            setattr(node, field, [self.visit(each) for each in getattr(node, field)])
        here = self.seen_from(node, bound_names(node), later=True)
        body: list[Any] = []
        for statement in node.body:
            around = self.kept
            if not isinstance(statement, FUNCTIONS):
                self.kept = here
            new = self.visit(statement)
            self.kept = around
            body += new if isinstance(new, list) else [new]
        node.body = body
        return self.stored(node, node.name)

    # Names

    def attribute(self, name: str, ctx: Any) -> Any:
        self.rewritten += 1
        kept, attribute = self.kept[name]
        return gast.Attribute(value=load(kept), attr=attribute, ctx=ctx)

    def visit_Name(self, node: Any) -> Any:
        if node.id in self.kept and not isinstance(node.ctx, gast.Param):
            return self.attribute(node.id, node.ctx)
        return node

    def stored(self, statement: Any, name: str) -> Any:
        """A statement that binds a name natively, and what puts it into the cell."""
        if name not in self.kept:
            return statement
        self.rewritten += 1
        return [statement, at(_put(self.kept[name][0], load(name)), statement)]

    def visit_NamedExpr(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        name = node.target.id
        if name not in self.kept:
            return node
        self.rewritten += 1
        return operator(self.context.ag, "put", [load(self.kept[name][0]), node.value])

    def visit_Delete(self, node: Any) -> Any:
        new: list[Any] = []
        for target in node.targets:
            if getattr(target, "id", None) in self.kept:  # Python's error where it is not set
                new.append(expression(self.attribute(target.id, gast.Load())))
            new.append(gast.Delete(targets=[self.visit(target)]))
        return new

    def visit_AnnAssign(self, node: Any) -> Any:
        name = getattr(node.target, "id", None)
        if name not in self.kept:
            return super().visit_AnnAssign(node)
        if node.value is None:
            return self.nothing()
        return gast.Assign(targets=[self.visit(node.target)], value=self.visit(node.value), type_comment=None)

    def visit_Nonlocal(self, node: Any) -> Any:
        node.names = [name for name in node.names if name not in self.kept]
        return node if node.names else self.nothing()

    def nothing(self) -> Any:
        """What stands for a declaration that is not needed any more."""
        statement = gast.Pass()
        statement.made = True
        return statement

    def visit_Import(self, node: Any) -> Any:
        new = [node]
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if name in self.kept:
                self.rewritten += 1
                new.append(_put(self.kept[name][0], load(name)))
        return new

    visit_ImportFrom = visit_Import

    def visit_ExceptHandler(self, node: Any) -> Any:
        if node.name is not None and node.name.id in self.kept:
            bind_explicitly(node, node.name.id, True, self.context)
        return self.generic_visit(node)


def _put(kept: str, value: Any) -> Any:
    target = gast.Attribute(value=load(kept), attr="value", ctx=gast.Store())
    return gast.Assign(targets=[target], value=value, type_comment=None)


def _is_empty(statement: Any) -> bool:
    return isinstance(statement, gast.Pass) and getattr(statement, "made", False)


def _place(body: list[Any]) -> int:
    """Where the first statement stands that is not a docstring, a setter or ``nonlocal``."""
    place = 1 if body and is_docstring(body[0]) else 0
    while place < len(body):
        if not (isinstance(body[place], gast.Nonlocal) or getattr(body[place], "setter", False)):
            break
        place += 1
    return place
