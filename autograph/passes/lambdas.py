"""Lambdas that need statements become functions.

What ``:=`` and comprehensions are lowered to has no place in an expression.
A comprehension in a lambda inside a function gets a function before the statement around it
(:mod:`.comprehensions`); that leaves lambdas that are converted by themselves, and those with ``:=``.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.passes.context import Context
from autograph.passes.walrus import own_walrus
from autograph.tree import COMPREHENSIONS, Transformer, at, has_suspension, load, walk


def lambdas(tree: Any, context: Context) -> Any:
    """Define a function before the statement for each lambda with a ``:=``.

    >>> tree = gast.parse("f = lambda v: [y := x + 1 for x in v] and y")
    >>> print(gast.unparse(lambdas(tree, Context())).strip())
    def function(v):
        return [(y := (x + 1)) for x in v] and y
    f = function
    """
    return _Lambdas(context).visit(tree)


def needs_statements(node: Any) -> bool:
    """Whether a lambda that is converted by itself holds what is lowered to statements."""
    return any(isinstance(each, (gast.NamedExpr, *COMPREHENSIONS)) for each in walk(node.body))


def as_function(node: Any, name: str) -> Any:
    """The ``def`` that does what a lambda does."""
    body = [at(gast.Return(value=node.body), node.body)]
    function = gast.FunctionDef(
        name=name,
        args=node.args,
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    return at(function, node)


class _Lambdas(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.made: list[Any] = []  # functions to define before the current statement
        self.inside = False  # a lambda or comprehension, whose names a function before it does not see

    def visit_block(self, statements: list[Any]) -> list[Any]:
        new: list[Any] = []
        for statement in statements:
            outer, self.made = self.made, []
            result = self.visit(statement)
            new += [*self.made, result]
            self.made = outer
        return new

    def visit_Module(self, node: Any) -> Any:
        node.body = self.visit_block(node.body)
        return node

    def generic_visit(self, node: Any) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and isinstance(node, (gast.stmt, gast.ExceptHandler, gast.match_case)):
                block[:] = self.visit_block(block)
        if isinstance(node, gast.stmt):
            for field in ("value", "test", "iter", "exc"):
                value = getattr(node, field, None)
                if isinstance(value, gast.expr) and not isinstance(node, gast.While):
                    setattr(node, field, self.visit(value))
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                self.visit(part)
            return node
        return super().generic_visit(node)

    def visit_Lambda(self, node: Any) -> Any:
        plain = not node.args.defaults and not any(node.args.kw_defaults) and not self.inside
        if plain and own_walrus(node.body) and not has_suspension(node.body):
            function = as_function(node, self.context.fresh("function"))
            self.context.comprehensions[function.name] = "<lambda>"
            self.made.append(function)
            return load(function.name)
        return self.scope(node)

    def scope(self, node: Any) -> Any:
        outer, self.inside = self.inside, True
        super().generic_visit(node)
        self.inside = outer
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = scope
