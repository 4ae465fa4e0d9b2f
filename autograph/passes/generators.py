"""Generators that a trace found to need a graph of their own: ``yield`` becomes an operator.

Python suspends a frame at ``yield``, and the parts of staged constructs have frames of their own.  So a
generator stays as it is, and runs while tracing, as long as no data decides in it.  Where a trace finds out
that it does (``autograph.convert.with_generators``), its function becomes a plain one, whose ``yield`` the
tracer sees.  Only a tracer can call that form.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.passes.context import Context
from autograph.tree import FUNCTIONS, Transformer, at, constant, load, operator


def generators(tree: Any, context: Context) -> Any:
    """Let operators yield in the functions that ``context.generators`` names.

    >>> tree = gast.parse('''
    ... def f(n):
    ...     def count():
    ...         for i in range(n):
    ...             yield i
    ...     return sum(count())
    ... ''')
    >>> context = Context(generators=frozenset({("count", 3)}))
    >>> print(gast.unparse(generators(tree, context)).strip())
    def f(n):
    <BLANKLINE>
        @ag.generator
        def count():
            for i in range(n):
                ag.yield_(i)
        return sum(count())
    """
    return _Generators(context).visit(tree) if context.generators else tree


def is_named(node: Any, context: Context) -> bool:
    """Whether the trace found that this generator function or expression needs a graph of its own."""
    name = "<genexpr>" if isinstance(node, gast.GeneratorExp) else node.name
    places = [node, *getattr(node, "decorator_list", ())]
    return any((name, getattr(place, "lineno", None)) in context.generators for place in places)


class _Generators(Transformer):
    """Rewrites the functions that are named; ``inside`` says whether it is in the body of one."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.inside = False

    def function(self, node: Any) -> Any:
        named = isinstance(node, gast.FunctionDef) and is_named(node, self.context)
        outer, self.inside = self.inside, named
        super().visit_FunctionDef(node)
        self.inside = outer
        if named:
            node.generator = False
            mark = gast.Attribute(value=load(self.context.ag), attr="generator", ctx=gast.Load())
            node.decorator_list.append(at(mark, node))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = function

    def visit_Lambda(self, node: Any) -> Any:
        outer, self.inside = self.inside, False
        self.generic_visit(node)
        self.inside = outer
        return node

    def visit_ClassDef(self, node: Any) -> Any:
        node.body = [self.visit(s) if isinstance(s, (*FUNCTIONS, gast.ClassDef)) else s for s in node.body]
        return node

    def visit_Yield(self, node: Any) -> Any:
        self.generic_visit(node)
        if not self.inside:
            return node
        value = constant(None) if node.value is None else node.value
        return operator(self.context.ag, "yield_", [value])

    def visit_YieldFrom(self, node: Any) -> Any:
        self.generic_visit(node)
        return operator(self.context.ag, "yield_from", [node.value]) if self.inside else node
