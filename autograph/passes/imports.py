"""Imports inside functions go through ``ag.import_``: a module may be missing, or be another one, in another
call.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.passes.context import Context
from autograph.tree import Transformer, assign, at, constant, define, load, operator, store


def imports(tree: Any, context: Context) -> Any:
    """Let an operator import.

    >>> tree = gast.parse('''
    ... def f(x):
    ...     from os import path, sep as separator
    ... ''')
    >>> print(gast.unparse(imports(tree, Context())).strip())
    def f(x):
    <BLANKLINE>
        def importing():
            from os import path, sep as separator
            return (path, separator)
        path, separator = ag.import_(importing, 'os', 'path', 'sep')
    """
    return _Imports(context).visit(tree)


class _Imports(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.inside = False  # a function that is converted

    def visit_FunctionDef(self, node: Any) -> Any:
        before, self.inside = self.inside, not getattr(node, "generator", False)
        super().visit_FunctionDef(node)
        self.inside = before
        return node

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        return node

    def visit_ClassDef(self, node: Any) -> Any:
        before, self.inside = self.inside, False
        self.generic_visit(node)
        self.inside = before
        return node

    def visit_Import(self, node: Any) -> Any:
        if not self.inside:
            return node
        new = []
        for alias in node.names:
            one = at(gast.Import(names=[alias]), node)
            name = alias.asname or alias.name.partition(".")[0]
            new += self.importing(one, [name], [alias.name])
        return new

    def visit_ImportFrom(self, node: Any) -> Any:
        if not self.inside:
            return node
        module = "." * (node.level or 0) + (node.module or "")
        names = [alias.asname or alias.name for alias in node.names]
        return self.importing(node, names, [module, *(alias.name for alias in node.names)])

    def importing(self, statement: Any, names: list[str], wanted: list[str]) -> list[Any]:
        """``def importing``, which is the statement, and the call that binds the names."""
        function = self.context.stable("importing")
        loaded = [load(name) for name in names]
        value = loaded[0] if len(loaded) == 1 else gast.Tuple(elts=loaded, ctx=gast.Load())
        made = define(function, [], [statement, gast.Return(value=value)])
        found = operator(self.context.ag, "import_", [load(function), *map(constant, wanted)])
        if len(names) == 1:
            return [made, assign(names[0], found)]
        target = gast.Tuple(elts=[store(name) for name in names], ctx=gast.Store())
        return [made, at(gast.Assign(targets=[target], value=found, type_comment=None), statement)]
