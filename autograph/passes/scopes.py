"""Note on each function which names are its own, before other passes add or drop any, and which tests are
static.

Before and after the text is the same; the facts hang on the nodes (``scope``, ``generator``, ``static``).
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import declared, scope_of, stores
from autograph.analysis.static import is_static
from autograph.passes.context import Context
from autograph.tree import (
    FUNCTIONS,
    children,
    dotted,
    inside,
    is_generator,
    param_nodes,
)


def scopes(tree: Any, context: Context) -> Any:
    """Hang ``scope`` on every function and lambda, and ``static`` on every test that no data decides.

    >>> tree = gast.parse("def f(x):\\n    if x is None: pass\\n")
    >>> scopes(tree, Context()).body[0].body[0].static
    True
    """
    _visit(tree, set(), set(), context)
    return tree


_TESTS = (
    gast.BoolOp,
    gast.UnaryOp,
    gast.Compare,
    gast.Call,
    gast.Constant,
    gast.Name,
    gast.Attribute,
)


def _visit(node: Any, steady: set[str], shadowed: set[str], context: Context) -> None:
    if isinstance(node, (*FUNCTIONS, gast.Lambda)):
        node.scope = scope_of(node)
        node.generator = isinstance(node, FUNCTIONS) and (
            isinstance(node, gast.AsyncFunctionDef) or is_generator(node)
        )
        rebound = stores(inside(node)) | dict.fromkeys(node.scope.rebound_inside)
        steady = (steady - set(node.scope.local)) | {
            p.id
            for p in param_nodes(node.args)
            if p.id not in rebound and p.id not in declared(node, gast.Global)
        }
        shadowed = (shadowed | set(node.scope.local)) - node.scope.global_
    elif isinstance(node, _TESTS) and is_static(node, steady, shadowed):
        node.static = not context.stage_tests or isinstance(node, gast.Constant)
        context.native_tests |= node.static and isinstance(node, (gast.Call, gast.Compare))
    elif isinstance(node, gast.With):
        node.transparent = all(_transparent(item.context_expr, shadowed, context) for item in node.items)
    for child in children(node):
        _visit(child, steady, shadowed, context)
    if isinstance(node, gast.If):
        node.static = getattr(node.test, "static", False)


def _transparent(manager: Any, shadowed: set[str], context: Context) -> bool:
    """Whether a context manager surely lets every exception through."""
    path = dotted(manager.func if isinstance(manager, gast.Call) else manager)
    return path is not None and path.partition(".")[0] not in shadowed and context.ask("transparent", path)
