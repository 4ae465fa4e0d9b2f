"""The name of an ``except ... as`` that is used elsewhere too becomes an ordinary assignment.

Python takes the name away at the end of the handler; as state of a part around it, that has to be said.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autograph.analysis.jumps import falls
from autograph.analysis.liveness import TRIES, may_swallow
from autograph.passes.context import Context
from autograph.tree import FUNCTIONS, assign, at, blocks, constant, load, store, walk


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
    everywhere = Counter(node.id for node in nodes if isinstance(node, gast.Name))
    here: Counter[str] = Counter()
    captured: set[str] = getattr(getattr(function, "scope", None), "captured", set())
    explicit = set(captured)
    for handler in caught:
        name = handler.name.id
        named = [n for s in handler.body for n in walk(s) if isinstance(n, gast.Name) and n.id == name]
        here[name] += 1 + len(named)
        if not all(isinstance(node.ctx, gast.Load) for node in named):
            explicit.add(name)
    explicit |= {name for name in here if here[name] != everywhere[name]}
    observed = _observed(function.body, False)
    for handler in caught:
        name = handler.name.id
        if name in explicit:
            bind_explicitly(handler, name, id(handler) in observed or name in captured, context)


def bind_explicitly(handler: Any, name: str, observed: bool, context: Context) -> None:
    error = context.fresh("error")
    handler.name = at(store(error), handler)
    first = at(assign(name, load(error)), handler)
    last = [gast.Delete(targets=[gast.Name(id=name, ctx=gast.Del(), annotation=None, type_comment=None)])]
    if any(_takes_away(node, name) for s in handler.body for node in walk(s)):
        last.insert(0, assign(name, constant(None)))
    last = [at(statement, handler) for statement in last]
    if observed:
        # whichever way the handler is left, the name is gone for what sees that
        whole = gast.Try(body=handler.body, handlers=[], orelse=[], finalbody=last)
        handler.body = [at(whole, handler)]
        handler.body[0].made = True
    elif falls(handler.body):
        handler.body += last
    handler.body.insert(0, first)


def _takes_away(node: Any, name: str) -> bool:
    """Whether the name may be gone after this: deleted, or that of a handler inside."""
    if isinstance(node, gast.ExceptHandler):
        return node.name is not None and node.name.id == name
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Del)


def _observed(statements: list[Any], inside: bool) -> set[int]:
    """The handlers that the function goes on after, however they are left: in other ``try`` or ``with``."""
    found: set[int] = set()
    for s in statements:
        protecting = isinstance(s, TRIES) or (isinstance(s, gast.With) and may_swallow(s))
        for handler in getattr(s, "handlers", ()):
            if inside or s.finalbody:
                found.add(id(handler))
        for block in blocks(s):
            found |= _observed(block, inside or protecting)
    return found
