"""``:=`` where an operator would put it inside a function of its own: it moves before the statement.

The value of ``a and (y := f())`` is not evaluated in the scope of ``y`` once ``and`` is an operator.  So the
expression is carried out step by step, in Python's order, in the statements before.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

import gast

from autograph.analysis.jumps import BREAK, kinds
from autograph.analysis.scopes import bound_names
from autograph.passes.context import Context
from autograph.tree import (
    FUNCTIONS,
    SCOPES,
    BodyTransformer,
    assign,
    at,
    call,
    children,
    constant,
    has_suspension,
    load,
    walk,
)

INLINED = sys.version_info >= (3, 12)  # PEP 709: comprehensions, but no generators, run in the function
_BUILT = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def walrus(tree: Any, context: Context) -> Any:
    """Take lazily evaluated ``:=`` out of expressions; every ``:=`` and comprehension out of ``while`` tests.

    >>> print(gast.unparse(walrus(gast.parse("if a and (y := f(a)) > 0: g(y)"), Context())).strip())
    value = a
    if value:
        value = (y := f(a)) > 0
    if value:
        g(y)
    >>> print(gast.unparse(walrus(gast.parse("while (n := n - 1) > 0: g(n)"), Context())).strip())
    while True:
        if (n := (n - 1)) > 0:
            g(n)
        else:
            break
    """
    return _Walrus(context).visit(tree)


def as_list(generator: Any) -> Any:
    """The generator as a list comprehension, which still has a scope of its own."""
    node = at(gast.ListComp(elt=generator.elt, generators=generator.generators), generator)
    node.lazy = True
    return node


def own_walrus(node: Any) -> bool:
    """Whether ``node`` holds a ``:=`` of the scope it is in."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, gast.NamedExpr):
            return True
        for child in children(current):
            if not isinstance(child, (gast.Lambda, *FUNCTIONS)):
                stack.append(child)
    return False


def lazy_walrus(node: Any) -> bool:
    """Whether ``node`` holds one that may not be reached.

    >>> [lazy_walrus(gast.parse(text).body[0].value) for text in ("(a := 1) and b", "b and (a := 1)")]
    [False, True]
    """
    if isinstance(node, gast.BoolOp):
        return lazy_walrus(node.values[0]) or any(own_walrus(value) for value in node.values[1:])
    if isinstance(node, gast.IfExp):
        return lazy_walrus(node.test) or own_walrus(node.body) or own_walrus(node.orelse)
    if isinstance(node, gast.Compare) and len(node.ops) > 1:
        return any(lazy_walrus(v) for v in (node.left, node.comparators[0])) or any(
            own_walrus(value) for value in node.comparators[1:]
        )
    if isinstance(node, SCOPES):
        return isinstance(node, tuple(_MADE)) and _is_inlined(node)
    if isinstance(node, gast.Call) and _consumed(node) is not None:
        return True
    return any(lazy_walrus(child) for child in children(node))


_STOPPING = {"any": True, "all": False}
_COLLECTING = {"list", "tuple", "sorted"}


def _consumed(node: Any) -> Any:
    """The generator expression that a call goes through, where it binds names around it; else None.

    ``any`` and ``all`` stop at an item; the others take every item before they do anything.
    """
    name = getattr(node.func, "id", None)
    if name in _STOPPING and len(node.args) == 1 and not node.keywords:
        (given,) = node.args
        fits = isinstance(given, gast.GeneratorExp) and len(given.generators) == 1
    elif name in _COLLECTING and len(node.args) == 1:
        (given,) = node.args
        fits = isinstance(given, gast.GeneratorExp)
    else:
        return None
    return given if fits and _is_inlined(given) else None


_MADE = {gast.ListComp: "append", gast.SetComp: "add", gast.DictComp: "update"}


def _is_inlined(node: Any) -> bool:
    """Whether a comprehension binds names around it, and nothing in it keeps the loop's own ones."""
    inside = walk(node)[1:]
    walrus = any(isinstance(each, gast.NamedExpr) for each in inside)
    return walrus and not any(isinstance(each, SCOPES) for each in inside) and not has_suspension(node)


_FIELDS = {
    gast.Expr: "value",
    gast.Assign: "value",
    gast.AnnAssign: "value",
    gast.Return: "value",
    gast.If: "test",
    gast.For: "iter",
    gast.Assert: "test",
    gast.Raise: "exc",
}


class _Walrus(BodyTransformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.local: frozenset[str] = frozenset()  # the names of the functions around

    def visit_FunctionDef(self, node: Any) -> Any:
        around = self.local
        self.local = around | frozenset(getattr(getattr(node, "scope", None), "local", ()))
        super().visit_FunctionDef(node)
        self.local = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: Any) -> Any:
        return node

    def generic_visit(self, node: Any) -> Any:
        if isinstance(node, gast.expr):
            return node
        node = super().generic_visit(node)
        field = _FIELDS.get(type(node))
        value = getattr(node, field, None) if field else None
        if value is not None and not self.generator and lazy_walrus(value) and not has_suspension(value):
            before, new = self.steps(value)
            setattr(node, field, new)  # type: ignore[arg-type]
            if isinstance(node, gast.If):
                node.static = False
            return [*(at(s, value) for s in before), node]
        return node

    def visit_AnnAssign(self, node: Any) -> Any:
        return self.generic_visit(node)

    def visit_AugAssign(self, node: Any) -> Any:
        """``x += e`` reads ``x`` first; only a name is safe to read by itself, and it is read again below."""
        if self.generator or not isinstance(node.target, gast.Name) or not lazy_walrus(node.value):
            return node
        old = self.context.fresh("old")
        before, value = self.steps(node.value)
        target = at(gast.Name(id=old, ctx=gast.Store(), annotation=None, type_comment=None), node)
        new = [
            assign(old, load(node.target.id)),
            *before,
            gast.AugAssign(target=target, op=node.op, value=value),
        ]
        return [at(s, node) for s in [*new, assign(node.target.id, load(old))]]

    def visit_While(self, node: Any) -> Any:
        first = own_walrus(node.test) or any(isinstance(n, _BUILT) for n in walk(node.test))
        if self.generator or not first or has_suspension(node.test):
            return self.generic_visit(node)
        node.body = self.visit_block(node.body)
        node.orelse = self.visit_block(node.orelse)
        before, test = self.steps(node.test) if lazy_walrus(node.test) else ([], node.test)
        leave: list[Any] = [gast.Break()]
        after: list[Any] = []
        initial: list[Any] = []
        if node.orelse:
            if BREAK in kinds(node.body):
                ended = self.context.fresh("ended")
                self.context.flags.add(ended)
                initial = [assign(ended, gast.Constant(value=False, kind=None))]
                leave.insert(0, assign(ended, gast.Constant(value=True, kind=None)))
                after = [gast.If(test=load(ended), body=node.orelse, orelse=[])]
                after[0].made = True
            else:
                after = node.orelse
        choice = gast.If(test=test, body=node.body, orelse=leave)
        choice.made = True
        forever = at(gast.Constant(value=True, kind=None), node.test)
        loop = gast.While(test=forever, body=[*before, choice], orelse=[])
        for made in (*initial, *before, choice):
            at(made, node.test)
        return [at(s, node) for s in [*initial, loop, *after]]

    # One expression

    def steps(self, node: Any) -> tuple[list[Any], Any]:
        """The statements to carry out first, and what is left of the expression."""
        if not own_walrus(node) or not lazy_walrus(node):
            return [], node
        if type(node) in _MADE:
            return self.loops(node)
        if isinstance(node, gast.Call) and _consumed(node) is not None:
            return self.consumer(node, _consumed(node))
        if isinstance(node, SCOPES):
            return [], node
        if isinstance(node, gast.BoolOp) and lazy_walrus(node):
            return self.lazy([([], value) for value in node.values], isinstance(node.op, gast.And), node)
        if isinstance(node, gast.IfExp) and lazy_walrus(node):
            name = self.context.fresh("value")
            before, test = self.steps(node.test)
            then, first = self.steps(node.body)
            orelse, second = self.steps(node.orelse)
            choice = gast.If(
                test=test, body=[*then, assign(name, first)], orelse=[*orelse, assign(name, second)]
            )
            choice.made = True
            return [*before, at(choice, node)], at(load(name), node)
        if isinstance(node, gast.Compare) and len(node.ops) > 1 and lazy_walrus(node):
            return self.chain(node)
        return self.operands(node)

    def lazy(self, values: list[Any], conjunction: bool, origin: Any) -> tuple[list[Any], Any]:
        name = self.context.fresh("value")
        statements: list[Any] = []
        for first, value in reversed(values):
            before, value = self.steps(value)
            inner = [*first, *before, at(assign(name, value), value)]
            if statements:
                test = load(name) if conjunction else gast.UnaryOp(op=gast.Not(), operand=load(name))
                choice = at(gast.If(test=test, body=statements, orelse=[]), origin)
                choice.made = True
                inner.append(choice)
            statements = inner
        return statements, at(load(name), origin)

    def consumer(self, node: Any, generator: Any) -> tuple[list[Any], Any]:
        """A builtin that goes through a generator expression whose ``:=`` binds names out here."""
        name = node.func.id
        if name in self.local or not self.context.ask("builtin", name):
            return [], node
        if name not in _STOPPING:
            node.args[0] = as_list(generator)
            return self.operands(node)
        stops_at = _STOPPING[name]
        listed = as_list(generator)
        self.rename(listed)
        (only,) = listed.generators
        found = self.context.fresh("found")
        test = listed.elt if stops_at else gast.UnaryOp(op=gast.Not(), operand=listed.elt)
        leave = [assign(found, constant(stops_at)), gast.Break()]
        body: list[Any] = [gast.If(test=test, body=leave, orelse=[])]
        body[0].made = True
        for each in reversed(only.ifs):
            body = [gast.If(test=each, body=body, orelse=[])]
            body[0].made = True
        loop = gast.For(target=only.target, iter=only.iter, body=body, orelse=[], type_comment=None)
        loop.made = True
        new = [at(s, node) for s in (assign(found, constant(not stops_at)), loop)]
        return self.visit_block(new), at(load(found), node)

    def rename(self, node: Any) -> None:
        """Give the loop variables of a comprehension names that nothing else has.

        To Python all other names are free variables there, where the comprehension is a function of its own.
        """
        free = not INLINED or getattr(node, "lazy", False)
        first = node.generators[0].iter
        names = {name: self.context.fresh(name) for name in bound_names(node)}
        outside = {id(each) for each in walk(first)}
        for each in walk(node):
            if isinstance(each, gast.Name) and id(each) not in outside:
                each.free = free and each.id not in names
                each.id = names.get(each.id, each.id)

    def loops(self, node: Any) -> tuple[list[Any], Any]:
        """A comprehension whose ``:=`` binds names out here, as loops with variables of their own."""
        self.rename(node)
        built = self.context.fresh("built")
        item = node.elt if not isinstance(node, gast.DictComp) else _pair(node.key, node.value)
        method = gast.Attribute(value=load(built), attr=_MADE[type(node)], ctx=gast.Load())
        body: list[Any] = [gast.Expr(value=call(method, [item]))]
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [gast.If(test=test, body=body, orelse=[])]
                body[0].made = True
            source = generator.iter
            body = [gast.For(target=generator.target, iter=source, body=body, orelse=[], type_comment=None)]
            body[0].made = True
        nothing = gast.Tuple(elts=[], ctx=gast.Load())
        empty = {
            gast.ListComp: gast.List(elts=[], ctx=gast.Load()),
            gast.DictComp: gast.Dict(keys=[], values=[]),
            gast.SetComp: gast.Set(elts=[gast.Starred(value=nothing, ctx=gast.Load())]),
        }[type(node)]
        new = [at(s, node) for s in (assign(built, empty), body[0])]
        return self.visit_block(new), at(load(built), node)

    def chain(self, node: Any) -> tuple[list[Any], Any]:
        """``a < b < c`` as ``a < b and b < c`` with ``b`` evaluated once."""
        values: list[Any] = []
        first, left = self.steps(node.left)
        first, left = self.keep(first, left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            before, right = self.steps(comparator)
            if comparator is not node.comparators[-1]:
                before, right = self.keep(before, right)
            values.append(
                ([*first, *before], at(gast.Compare(left=left, ops=[op], comparators=[right]), node))
            )
            first, left = [], at(load(right.id), node) if isinstance(right, gast.Name) else right
        return self.lazy(values, True, node)

    def keep(self, before: list[Any], value: Any) -> tuple[list[Any], Any]:
        """Hold a value in a name of its own."""
        if isinstance(value, gast.Constant):
            return before, value
        name = self.context.fresh("held")
        return [*before, at(assign(name, value), value)], at(load(name), value)

    def operands(self, node: Any) -> tuple[list[Any], Any]:
        """Carry out the operands in Python's order; those before the last with steps are held in names."""
        places = _places(node)
        last = max(
            (i for i, (parent, key) in enumerate(places) if lazy_walrus(_get(parent, key))), default=-1
        )
        statements: list[Any] = []
        for parent, key in places[: last + 1]:
            before, value = self.steps(_get(parent, key))
            statements += before
            if places[last] != (parent, key) or not before:
                statements, value = self.keep(statements, value)
            _set(parent, key, value)
        if isinstance(node, gast.NamedExpr):
            return [*statements, at(assign(node.target.id, node.value), node)], at(load(node.target.id), node)
        return statements, node


def _pair(key: Any, value: Any) -> Any:
    pair = gast.Tuple(elts=[key, value], ctx=gast.Load())
    return gast.Tuple(elts=[pair], ctx=gast.Load())


def _get(parent: Any, key: Any) -> Any:
    return parent[key] if isinstance(parent, list) else getattr(parent, key)


def _set(parent: Any, key: Any, value: Any) -> None:
    if isinstance(parent, list):
        parent[key] = value
    else:
        setattr(parent, key, value)


def _places(node: Any) -> list[tuple[Any, Any]]:
    """Where the operands of an expression stand, in the order of evaluation."""
    if isinstance(node, gast.Dict):
        pairs = range(len(node.keys))
        return [(block, i) for i in pairs for block in (node.keys, node.values) if block[i] is not None]
    found: list[tuple[Any, Any]] = []
    for field, value in ast.iter_fields(node):
        for parent, key in (
            [(node, field)] if not isinstance(value, list) else [(value, i) for i in range(len(value))]
        ):
            child = _get(parent, key)
            if isinstance(child, (gast.keyword, gast.Starred, gast.Slice, gast.FormattedValue)):
                found += _places(child)
            elif isinstance(child, gast.expr) and not (
                isinstance(node, gast.FormattedValue) and field == "format_spec"
            ):
                found.append((parent, key))
    return found
