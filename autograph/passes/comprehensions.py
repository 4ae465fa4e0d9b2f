"""List, set and dict comprehensions become a function with a real loop, so that all of it can be staged.

Those over a container written right there, or over a ``range`` of constants, stay, as do generators, which
are lazy.  One inside a lambda or another comprehension gets the names of these as arguments.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import bound_names, free_names, scope_of, walrus_targets
from autograph.passes.context import Context
from autograph.passes.generators import is_named
from autograph.passes.logic import movable, simple
from autograph.passes.walrus import INLINED, as_list, own_walrus
from autograph.tree import (
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    Transformer,
    assign,
    at,
    call,
    children,
    constant,
    define,
    expression,
    has_suspension,
    is_docstring,
    load,
    operator,
    param_nodes,
    parameters,
    walk,
)

_BUILT = {gast.ListComp: ("list", "append"), gast.SetComp: ("set", "add"), gast.DictComp: ("dict", "")}
_QUALIFIED = {
    gast.ListComp: "<listcomp>",
    gast.SetComp: "<setcomp>",
    gast.DictComp: "<dictcomp>",
    gast.GeneratorExp: "<genexpr>",
}
_CONSUMERS = {"sum", "min", "max", "set", "frozenset", "dict"}
_QUIET = frozenset(("abs", "bool", "chr", "float", "int", "len", "max", "min", "ord", "pow", "range"))
_COLLECTING = {"list", "tuple", "sorted"}  # they take every item before they do anything
_STOPPING = {"any": True, "all": False}


def comprehensions(tree: Any, context: Context) -> Any:
    """Give each comprehension that data may decide a function of its own, right before its statement.

    >>> tree = gast.parse('''
    ... def f(x):
    ...     return [v * v for v in x if v > 0]
    ... ''')
    >>> print(gast.unparse(comprehensions(tree, Context())).strip())
    def f(x):
    <BLANKLINE>
        def build(items):
            built = []
            for v in items:
                if v > 0:
                    built.append(v * v)
            return built
        return build(x)
    """
    return _Comprehensions(context).visit(tree)


class _Comprehensions(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.made: list[Any] | None = None  # functions to define before the current statement
        self.bound: list[set[str]] = []  # the names of the functions around
        self.scopes: list[Any] = []  # of the functions around
        self.here: set[str] = set()  # names of the lambdas and comprehensions around, inside the statement
        self.owner: Any = None  # the function whose variables a comprehension here sees as its own locals

    def visit_FunctionDef(self, node: Any) -> Any:
        if getattr(node, "generator", False):
            return node
        if self.made is not None:
            node.args.defaults = [self.visit(default) for default in node.args.defaults]
            node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        around = self.made, self.here, self.owner
        self.made, self.here, self.owner = None, set(), node if INLINED else None
        scope = getattr(node, "scope", None)
        self.bound.append(set(scope.local) if scope is not None else set())
        self.scopes.append(scope)
        node.body = self.visit_block(node.body)
        self.scopes.pop()
        if scope is not None and any(name in scope.rebound_inside for name in scope.local):
            place = 1 if is_docstring(node.body[0]) else 0
            node.body[place:place] = [at(each, node) for each in _declarations(node, scope)]
        self.bound.pop()
        self.made, self.here, self.owner = around
        return node

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        return node

    def visit_Lambda(self, node: Any) -> Any:
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        if not has_suspension(node.body) and not own_walrus(node.body):
            owner, self.owner = self.owner, None
            self.within({param.id for param in param_nodes(node.args)}, node, ("body",))
            self.owner = owner
        return node

    def within(self, names: set[str], node: Any, fields: tuple[str, ...]) -> None:
        """Visit what sees these names, which are no variables of the function."""
        outer, self.here = self.here, self.here | names
        self.bound.append(names)
        for field in fields:
            value = getattr(node, field)
            new = [self.visit(each) for each in value] if isinstance(value, list) else self.visit(value)
            setattr(node, field, new)
        self.bound.pop()
        self.here = outer

    def as_it_is(self, node: Any) -> Any:
        """A comprehension that Python carries out: those inside it are looked at."""
        first, *rest = node.generators
        first.iter = self.visit(first.iter)
        if own_walrus(node) or has_suspension(node):
            return node
        names = set(bound_names(node))
        owner = self.owner
        if isinstance(node, gast.GeneratorExp):
            self.owner = None
        for generator in rest:
            self.within(names, generator, ("iter",))
        for generator in node.generators:
            self.within(names, generator, ("ifs",))
        self.within(names, node, ("key", "value") if isinstance(node, gast.DictComp) else ("elt",))
        self.owner = owner
        return node

    def visit_block(self, statements: list[Any]) -> list[Any]:
        new: list[Any] = []
        for statement in statements:
            outer, self.made = self.made, []
            result = self.visit(statement)
            new += [*self.made, *(result if isinstance(result, list) else [result])]
            if self.made and getattr(statement, "comments_before", None):
                self.made[0].comments_before = statement.comments_before
                statement.comments_before = []
            self.made = outer
        return new

    def generic_visit(self, node: Any) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and isinstance(node, (gast.stmt, gast.ExceptHandler, gast.match_case)):
                block[:] = self.visit_block(block)
        if isinstance(node, (gast.For, gast.YieldFrom, gast.Starred)):
            field = "iter" if isinstance(node, gast.For) else "value"
            if isinstance(getattr(node, field), gast.GeneratorExp):
                getattr(node, field).given = True
        if isinstance(node, gast.While):
            # the test is evaluated again and again, in a part of its own: nothing can be defined before it
            return node
        if isinstance(node, (gast.stmt, gast.ExceptHandler, gast.match_case)):
            hidden = {f: getattr(node, f, None) for f in ("body", "orelse", "finalbody")}
            for field, block in hidden.items():
                if isinstance(block, list):
                    setattr(node, field, [])
            super().generic_visit(node)
            for field, block in hidden.items():
                if isinstance(block, list):
                    setattr(node, field, block)
            return node
        return super().generic_visit(node)

    def visit_Call(self, node: Any) -> Any:
        name = getattr(node.func, "id", None)
        for arg in node.args:
            if isinstance(arg, gast.GeneratorExp):
                arg.given = True  # whoever is called sees it first
        joined = isinstance(node.func, gast.Attribute) and node.func.attr == "join"
        joined = joined and isinstance(getattr(node.func.value, "value", None), str | bytes)
        if not node.args or not isinstance(node.args[0], gast.GeneratorExp):
            return self.generic_visit(node)
        others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        if not all(simple(other) or isinstance(other, gast.Lambda) for other in others):
            return self.generic_visit(node)  # they are evaluated before the first item
        generator = node.args[0]
        if joined and not others:  # all items are taken before anything else happens
            node.args[0] = as_list(generator)
        if name is None or any(name in bound for bound in self.bound):
            return self.generic_visit(node)
        listed = as_list(generator)
        if not self.context.ask("builtin", name) or not self.lowered(listed):
            return self.generic_visit(node)
        if name in _STOPPING and not others:
            return at(self.stopping(listed, stops_at=_STOPPING[name]), node)
        if name in _COLLECTING or (name in _CONSUMERS and self.is_pure(generator)):
            # nothing happens between two items that could be seen, so building the list first is the same
            node.args[0] = listed
        return self.generic_visit(node)

    def is_pure(self, node: Any) -> bool:
        """Nothing in the comprehension can be seen from outside (but for an exception)."""
        stack = [node.elt, *(test for generator in node.generators for test in generator.ifs)]
        stack += [generator.iter for generator in node.generators[1:]]
        while stack:
            current = stack.pop()
            if isinstance(current, gast.Call):
                name = getattr(current.func, "id", None)
                if name not in _QUIET or any(name in bound for bound in self.bound):
                    return False
                if not self.context.ask("builtin", name):
                    return False
            elif isinstance(current, (*SCOPES, *COMPREHENSIONS, *FUNCTIONS, gast.NamedExpr)):
                return False
            stack += children(current)
        return True

    def stopping(self, node: Any, stops_at: bool) -> Any:
        """``any`` or ``all``: the loop ends at the first item that decides."""
        test = node.elt if stops_at else gast.UnaryOp(op=gast.Not(), operand=node.elt)
        if len(node.generators) > 1:
            leave: list[Any] = [gast.Return(value=constant(stops_at))]
            opening, result = [], constant(not stops_at)
        else:
            built = self.context.stable("built")
            leave = [assign(built, constant(stops_at)), gast.Break()]
            opening, result = [assign(built, constant(not stops_at))], load(built)
        choice = at(gast.If(test=test, body=leave, orelse=[]), node.elt)
        choice.made = True
        return self.function(node, opening, [choice], result)

    def comprehension(self, node: Any) -> Any:
        if not self.lowered(node):
            return self.as_it_is(node)
        kind, method = _BUILT[type(node)]
        built = self.context.stable("built")
        if kind == "dict":
            # Python evaluates the key before the value, and a subscript store the value first
            body: list[Any] = [expression(call(_attribute(built, "update"), [_pair(node)]))]
            if isinstance(node.key, (gast.Name, gast.Constant)):
                target = gast.Subscript(value=load(built), slice=node.key, ctx=gast.Store())
                body = [gast.Assign(targets=[target], value=node.value, type_comment=None)]
        else:
            body = [expression(call(_attribute(built, method), [node.elt]))]
        empty = {
            "list": gast.List(elts=[], ctx=gast.Load()),
            "dict": gast.Dict(keys=[], values=[]),
            "set": gast.Set(elts=[gast.Starred(value=gast.Tuple(elts=[], ctx=gast.Load()), ctx=gast.Load())]),
        }[kind]
        return self.function(node, [assign(built, empty)], body, load(built))

    def function(
        self, node: Any, opening: list[Any], body: list[Any], result: Any, base: str = "build"
    ) -> Any:
        """Define a function with the loops of a comprehension around ``body``, and call it."""
        items, name = self.context.stable("items"), self.context.fresh(base)
        written = gast.GeneratorExp if getattr(node, "lazy", False) else type(node)
        if not INLINED or written is gast.GeneratorExp:
            self.context.comprehensions[name] = _QUALIFIED[written]
        for index, generator in reversed(list(enumerate(node.generators))):
            for test in reversed(generator.ifs):
                body = [at(gast.If(test=test, body=body, orelse=[]), test)]
                body[0].made = True
            source = generator.iter if index else load(items)
            body = [gast.For(target=generator.target, iter=source, body=body, orelse=[], type_comment=None)]
            at(body[0], generator.target)
            body[0].made = True
        whole = [*opening, *body, *([gast.Return(value=result)] if result is not None else [])]
        handed = self.handed(node)
        function = at(define(name, [items, *handed], whole), node)
        header = self.context.header(node, node)
        if header:
            function.comments_before = [f"# {header}"]
        function.generated = True
        function.generator = False
        function.scope = scope_of(function)
        function.inlined_in = None if getattr(node, "lazy", False) else self.owner
        self.made.append(function)  # type: ignore[union-attr]
        first = self.visit(node.generators[0].iter)
        around = self.here, self.owner
        self.here, self.owner = set(), function.inlined_in
        function.body = self.inner(function.body)
        self.here, self.owner = around
        made = call(load(name), [first, *(load(each) for each in handed)])
        made.operator = "build"
        return at(made, node)

    def handed(self, node: Any) -> list[str]:
        """The names of lambdas and comprehensions around that the new function has to be given."""
        if not self.here:
            return []
        inside = gast.Lambda(args=parameters(), body=node)
        return [name for name in free_names(inside) if name in self.here]

    visit_ListComp = visit_SetComp = visit_DictComp = comprehension

    def inner(self, statements: list[Any]) -> list[Any]:
        """Comprehensions inside the new function are lowered there."""
        return self.visit_block(statements)

    def holds_staged(self, node: Any) -> bool:
        """Whether a generator in a comprehension is a graph: it looks at the variables of the loop later."""
        if not self.context.generators:
            return False
        return any(isinstance(n, gast.GeneratorExp) and is_named(n, self.context) for n in walk(node)[1:])

    def visit_GeneratorExp(self, node: Any) -> Any:
        bound = walrus_targets(node)
        ours: Any = self.scopes[-1] if self.scopes and not self.here else None
        apart = bound and (ours is None or any(name not in ours.local for name in bound))
        staged = is_named(node, self.context) or self.holds_staged(node)
        if self.made is None or not staged or apart or has_suspension(node):
            kept = self.as_it_is(node)
            return kept if getattr(node, "given", False) else operator(self.context.ag, "generator", [kept])
        body: list[Any] = [expression(operator(self.context.ag, "yield_", [node.elt]))]
        made = self.function(node, [], body, None, "generate")
        function = next(each for each in self.made if each.name == made.func.id)
        function.generated = False  # it runs when it is asked for an item
        if bound:
            function.body.insert(0, at(gast.Nonlocal(names=list(bound)), node))
            function.scope = scope_of(function)
            ours.captured.update(bound)
            ours.rebound_inside.update(bound)
        mark = gast.Attribute(value=load(self.context.ag), attr="generator", ctx=gast.Load())
        function.decorator_list.append(at(mark, node))
        first = at(operator(self.context.ag, "iter_", [made.args[0]]), made.args[0])
        made.args[0] = first
        made.operator = None
        return made

    def visit_BoolOp(self, node: Any) -> Any:
        return self.generic_visit(node)

    def lowered(self, node: Any) -> bool:
        if self.made is None or walrus_targets(node) or own_walrus(node) or not movable(node):
            return False
        if any(generator.is_async for generator in node.generators):
            return False
        first = node.generators[0]
        if self.context.open_keys and isinstance(node, (gast.SetComp, gast.DictComp)):
            return True
        if self.holds_staged(node):
            return True
        return len(node.generators) > 1 or bool(first.ifs) or not _fixed(first.iter)


def _declarations(function: Any, scope: Any) -> list[Any]:
    """``y: object`` for each variable that only generators inside bind now: it is still the function's."""
    bound = bound_names(function)
    names = [name for name in scope.local if name in scope.rebound_inside and name not in bound]
    targets = [gast.Name(id=name, ctx=gast.Store(), annotation=None, type_comment=None) for name in names]
    return [
        gast.AnnAssign(target=target, annotation=load("object"), value=None, simple=1) for target in targets
    ]


def _attribute(name: str, attribute: str) -> Any:
    return gast.Attribute(value=load(name), attr=attribute, ctx=gast.Load())


def _pair(node: Any) -> Any:
    return gast.Tuple(elts=[gast.Tuple(elts=[node.key, node.value], ctx=gast.Load())], ctx=gast.Load())


def _fixed(items: Any) -> bool:
    """A container written there, or a ``range`` of constants: the length never depends on data."""
    if isinstance(items, (gast.List, gast.Tuple, gast.Set)):
        return not any(isinstance(element, gast.Starred) for element in items.elts)
    return (
        isinstance(items, gast.Call)
        and isinstance(items.func, gast.Name)
        and items.func.id == "range"
        and all(isinstance(arg, gast.Constant) for arg in items.args)
    ) or isinstance(items, gast.Constant)
