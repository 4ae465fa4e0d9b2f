"""The name of an ``except ... as`` that is used elsewhere too becomes an ordinary assignment.

Python takes the name away at the end of the handler; as state of a part around it, that has to be said.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autograph.analysis.jumps import falls, kinds
from autograph.analysis.liveness import TRIES
from autograph.passes.context import Context
from autograph.tree import FUNCTIONS, assign, at, constant, load, store, walk


def handlers(tree: Any, context: Context) -> Any:
    """Bind such a name at the start of the handler and delete it at the end.

    >>> tree = gast.parse('''
    ... def f():
    ...     e = 1
    ...     try: g()
    ...     except ValueError as e: h(e)
    ...     return e
    ... ''')
    >>> print(gast.unparse(handlers(tree, Context())).strip())
    def f():
        e = 1
        try:
            g()
        except ValueError as error:
            e = error
            h(e)
            e = None
            del e
        return e
    """
    for function in walk(tree):
        if isinstance(function, FUNCTIONS) and not getattr(function, "generator", False):
            _function(function, context)
    return tree


def _function(function: Any, context: Context) -> None:
    nodes = walk(function)
    caught = [node for node in nodes if isinstance(node, gast.ExceptHandler) and node.name is not None]
    if not caught:
        return
    tries = [node for node in nodes if isinstance(node, TRIES)]
    observed = len(tries) > 1 or any(node.finalbody for node in tries)
    everywhere = Counter(node.id for node in walk(function) if isinstance(node, gast.Name))
    for handler in caught:
        name = handler.name.id
        here = sum(isinstance(node, gast.Name) and node.id == name for node in walk(handler))
        rebound = sum(
            isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load)
            for statement in handler.body
            for node in walk(statement)
        )
        if everywhere[name] == here and not rebound and name not in _captured(function):
            continue
        error = context.fresh("error")
        handler.name = at(store(error), handler)
        first = at(assign(name, load(error)), handler)
        last = [assign(name, constant(None)), gast.Delete(targets=[_deleted(name)])]
        last = [at(statement, handler) for statement in last]
        if kinds(handler.body) or observed:
            # whichever way the handler is left, the name is gone before a `finally` around it runs
            whole = gast.Try(body=handler.body, handlers=[], orelse=[], finalbody=last)
            handler.body = [at(whole, handler)]
        elif falls(handler.body):
            handler.body += last
        handler.body.insert(0, first)


def _captured(function: Any) -> set[str]:
    scope = getattr(function, "scope", None)
    return scope.captured if scope is not None else set()


def _deleted(name: str) -> Any:
    return gast.Name(id=name, ctx=gast.Del(), annotation=None, type_comment=None)
