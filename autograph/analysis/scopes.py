"""Which names a piece of a tree binds and reads, with Python's scoping rules.

The order of every result is that of the text, so that what is generated from it is the same each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.tree import (
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    children,
    param_nodes,
    walk,
)

Names = dict[str, None]  # an ordered set


def stores(nodes: Any, into: Names | None = None) -> Names:
    """The names bound by ``nodes`` in their own scope, in order of appearance.

    >>> list(stores(gast.parse("a = b\\nfor i, (j, *k) in c:\\n    def f(): z = 1\\n    del d\\n")))
    ['a', 'i', 'j', 'k', 'f', 'd']
    """
    found: Names = {} if into is None else into
    for node in nodes if isinstance(nodes, list) else [nodes]:
        _stores(node, found)
    return found


def _stores(node: Any, found: Names) -> None:
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, (gast.Store, gast.Del)):
            found[node.id] = None
        return
    if isinstance(node, gast.Constant):
        return
    if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        found[node.name] = None
        for child in outside_parts(node):
            _stores(child, found)
        return
    if isinstance(node, gast.Lambda):
        for child in outside_parts(node):
            _stores(child, found)
        return
    if isinstance(node, COMPREHENSIONS):
        for name in walrus_targets(node):
            found[name] = None
        return
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        for alias in node.names:
            found[alias.asname or alias.name.split(".")[0]] = None
        return
    if isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
        found[node.name] = None
    if isinstance(node, gast.MatchMapping) and node.rest:
        for child in children(node):
            _stores(child, found)
        found[node.rest] = None
        return
    for child in children(node):
        _stores(child, found)


def walrus_targets(comprehension: Any) -> list[str]:
    """The names that ``:=`` inside a comprehension binds in the scope around it."""
    found = []
    stack = [comprehension]
    while stack:
        node = stack.pop()
        if isinstance(node, gast.NamedExpr):
            found.append(node.target.id)
        for child in children(node):
            if not isinstance(child, (gast.Lambda, *FUNCTIONS)):
                stack.append(child)
    return found[::-1]


def outside_parts(node: Any) -> list[Any]:
    """What of a scope's node is evaluated in the scope around it: defaults, decorators, bases, annotations.

    >>> [gast.unparse(n).strip() for n in outside_parts(gast.parse("@d\\ndef f(a=b) -> c: pass").body[0])]
    ['d', 'b', 'c']
    """
    found: list[Any] = list(getattr(node, "decorator_list", ()))
    if isinstance(node, (*FUNCTIONS, gast.Lambda)):
        found += [default for default in [*node.args.defaults, *node.args.kw_defaults] if default is not None]
        found += [p.annotation for p in param_nodes(node.args) if p.annotation is not None]
        if getattr(node, "returns", None) is not None:
            found.append(node.returns)
    elif isinstance(node, gast.ClassDef):
        found += [*node.bases, *node.keywords]
    elif isinstance(node, COMPREHENSIONS):
        found.append(node.generators[0].iter)
    return found


def inside_parts(node: Any) -> list[Any]:
    """The other parts: what is evaluated in the scope that ``node`` opens."""
    if isinstance(node, gast.Lambda):
        return [node.body]
    if isinstance(node, COMPREHENSIONS):
        parts: list[Any] = []
        for at, generator in enumerate(node.generators):
            parts += [generator.target, *([generator.iter] if at else []), *generator.ifs]
        return parts + ([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt])
    return list(node.body)


def reads(nodes: Any, into: Names | None = None) -> Names:
    """The names that evaluating ``nodes`` may read, the free names of nested scopes included.

    >>> list(reads(gast.parse("y = a + (lambda b: b + c)(d)\\n")))
    ['a', 'c', 'd']
    """
    found: Names = {} if into is None else into
    for node in nodes if isinstance(nodes, list) else [nodes]:
        _reads(node, found)
    return found


def _reads(node: Any, found: Names) -> None:
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, (gast.Load, gast.Del)):
            found[node.id] = None
        return
    if isinstance(node, gast.Constant):
        return
    if isinstance(node, SCOPES):
        for part in outside_parts(node):
            _reads(part, found)
        for name in free_names(node):
            found[name] = None
        return
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        found[node.target.id] = None
    for child in children(node):
        _reads(child, found)


def bound_names(node: Any) -> Names:
    """The names local to the scope that ``node`` opens."""
    if isinstance(node, COMPREHENSIONS):
        found: Names = {}
        for generator in node.generators:
            _stores(generator.target, found)
        return found
    found = {}
    if not isinstance(node, gast.ClassDef):
        for parameter in param_nodes(node.args):
            found[parameter.id] = None
    for part in inside_parts(node):
        _stores(part, found)
    for name in declared(node, gast.Global) | declared(node, gast.Nonlocal):
        found.pop(name, None)
    return found


def declared(node: Any, kind: Any) -> set[str]:
    """The names that ``global`` or ``nonlocal`` statements of the scope of ``node`` list."""
    if isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
        return set()
    found: set[str] = set()
    stack = list(node.body)
    while stack:
        current = stack.pop()
        if isinstance(current, kind):
            found.update(current.names)
        elif isinstance(current, gast.stmt) and not isinstance(current, (*FUNCTIONS, gast.ClassDef)):
            stack += [c for c in children(current) if not isinstance(c, gast.expr)]
        elif isinstance(current, (gast.ExceptHandler, getattr(gast, "match_case", gast.ExceptHandler))):
            stack += current.body
    return found


def free_names(node: Any) -> Names:
    """What the scope of ``node`` reads or rebinds of the scopes around it (globals included)."""
    try:
        known: Names | None = node.free_names_memo
    except AttributeError:
        known = None
    if known is not None:
        return known
    found: Names = {}
    for part in inside_parts(node):
        _reads(part, found)
    for name in declared(node, gast.Nonlocal):
        found[name] = None
    global_names = declared(node, gast.Global)
    bound = bound_names(node)
    return {name: None for name in found if name not in bound and name not in global_names}


@dataclass
class Scope:
    """The names of one function, as its text says."""

    parameters: Names = field(default_factory=dict)
    local: Names = field(default_factory=dict)
    global_: set[str] = field(default_factory=set)
    nonlocal_: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)  # by something that may run later than it was made
    rebound_inside: set[str] = field(default_factory=set)  # by an inner function, with ``nonlocal``


def scope_of(function: Any) -> Scope:
    """The scope of a function or lambda.

    >>> scope = scope_of(gast.parse("def f(a):\\n  b = a\\n  return lambda: b\\n").body[0])
    >>> list(scope.local), sorted(scope.captured)
    (['a', 'b'], ['b'])
    """
    scope = Scope(
        parameters={p.id: None for p in param_nodes(function.args)},
        local=bound_names(function),
        global_=declared(function, gast.Global),
        nonlocal_=declared(function, gast.Nonlocal),
    )
    for part in inside_parts(function):
        _captures(part, scope)
    return scope


_CONSUMERS = {"sum", "any", "all", "min", "max", "list", "tuple", "set", "dict", "sorted", "frozenset"}


def _captures(node: Any, scope: Scope) -> None:
    if isinstance(node, (gast.Name, gast.Constant)):
        return
    if isinstance(node, SCOPES):
        for part in outside_parts(node):
            _captures(part, scope)
        if getattr(node, "generated", False) or isinstance(
            node, (gast.ListComp, gast.SetComp, gast.DictComp)
        ):
            # it runs here and now, so only what it makes inside can outlive the moment
            for part in inside_parts(node):
                _captures(part, scope)
            return
        scope.captured.update(
            name for name in free_names(node) if name in scope.local or name in scope.nonlocal_
        )
        _rebinds(node, scope)
        return
    if isinstance(node, gast.Call):
        args = node.args
        if getattr(node, "operator", None) == "call":
            function, args = args[0], args[1:]
        else:
            function = node.func
        consumed = getattr(function, "id", None) in _CONSUMERS and len(args) == 1
        if consumed and isinstance(args[0], gast.GeneratorExp):
            _captures(args[0].generators[0].iter, scope)
            for part in inside_parts(args[0]):
                _captures(part, scope)
            return
    for child in children(node):
        _captures(child, scope)


def _rebinds(node: Any, scope: Scope) -> None:
    """Collect what inner functions rebind with ``nonlocal``, as deep as it goes."""
    for inner in walk(node):
        if isinstance(inner, gast.Nonlocal):
            scope.rebound_inside.update(
                name for name in inner.names if name in scope.local or name in scope.nonlocal_
            )


def identifiers(tree: Any) -> set[str]:
    """Every identifier in a tree, so that a new one can be chosen.

    >>> sorted(identifiers(gast.parse("def f(a): return b.c")))
    ['a', 'b', 'f']
    """
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, gast.Name):
            found.add(node.id)
        elif isinstance(node, (*FUNCTIONS, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            found.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, gast.MatchMapping) and node.rest:
            found.add(node.rest)
    return found
