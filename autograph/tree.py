"""Small builders of tree nodes, and the copying of locations.  Knows no pass."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import gast

Node = Any
Statements = list[Any]


def load(identifier: str) -> Node:
    return gast.Name(id=identifier, ctx=gast.Load(), annotation=None, type_comment=None)


def store(identifier: str) -> Node:
    return gast.Name(id=identifier, ctx=gast.Store(), annotation=None, type_comment=None)


def constant(value: object) -> Node:
    return gast.Constant(value=value, kind=None)


def tuple_of(elements: Sequence[Node], ctx: type | None = None) -> Node:
    return gast.Tuple(elts=list(elements), ctx=(ctx or gast.Load)())


def parameters(names: Iterable[str] = ()) -> Node:
    args = [gast.Name(id=name, ctx=gast.Param(), annotation=None, type_comment=None) for name in names]
    return gast.arguments(
        args=args, posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )


def thunk(body: Node, names: Iterable[str] = ()) -> Node:
    """``lambda: body``, made by us: it runs at once or never, so it captures nothing for later."""
    node = gast.Lambda(args=parameters(names), body=body)
    node.generated = True
    return node


def call(function: Node, args: Sequence[Node] = (), keywords: Sequence[tuple[str, Node]] = ()) -> Node:
    return gast.Call(
        func=function,
        args=list(args),
        keywords=[gast.keyword(arg=key, value=value) for key, value in keywords],
    )


def operator(
    ag: str, name: str, args: Sequence[Node] = (), keywords: Sequence[tuple[str, Node]] = ()
) -> Node:
    """``ag.name(args)``; the mark keeps later passes from converting the call itself."""
    node = call(gast.Attribute(value=load(ag), attr=name, ctx=gast.Load()), args, keywords)
    node.operator = name
    return node


def assign(target: str, value: Node) -> Node:
    return gast.Assign(targets=[store(target)], value=value, type_comment=None)


def expression(value: Node) -> Node:
    return gast.Expr(value=value)


def define(name: str, params: Iterable[str], body: Statements) -> Node:
    return gast.FunctionDef(
        name=name,
        args=parameters(params),
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )


_NEVER_NODES = {"ctx", "op", "ops", "kind", "type_comment", "id", "attr", "arg", "is_async", "type_ignores"}
_fields: dict[type, tuple[str, ...]] = {}


def node_fields(kind: type) -> tuple[str, ...]:
    """The fields of a node class that may hold nodes other than contexts and operators."""
    fields = tuple(field for field in kind._fields if field not in _NEVER_NODES)  # type: ignore[attr-defined]
    _fields[kind] = fields
    return fields


def children(node: Node) -> list[Node]:
    """The nodes right below ``node``, quicker than ``ast.iter_child_nodes``: conversion time is spent here.

    >>> [type(child).__name__ for child in children(gast.parse("a + 1").body[0].value)]
    ['Name', 'Constant']
    """
    found = []
    kind = type(node)
    for field in _fields.get(kind) or node_fields(kind):
        value = getattr(node, field, None)
        if value is None:
            continue
        if type(value) is list:
            for item in value:
                if isinstance(item, ast.AST):
                    found.append(item)
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: Node) -> list[Node]:
    """``node`` and all nodes below it, outer before inner."""
    found = [node]
    for current in found:
        found += children(current)
    return found


_LOCATION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def at(node: Node, origin: Node) -> Node:
    """Give ``node``, and what is below it without one, the location of ``origin``."""
    location = tuple(getattr(origin, field, None) for field in _LOCATION)
    stack = [node]
    while stack:
        current = stack.pop()
        if getattr(current, "lineno", None) is not None:
            continue
        if "lineno" in current._attributes:
            current.lineno, current.col_offset, current.end_lineno, current.end_col_offset = location
        stack.extend(children(current))
    return node


def keep_comments(new: Statements, old: Node) -> Statements:
    """The statements ``new`` stand where ``old`` stood: its comments go to the first, if it is not there."""
    if new and not any(each is old for each in new):
        before = getattr(old, "comments_before", None)
        if before:
            new[0].comments_before = [*before, *getattr(new[0], "comments_before", [])]
            old.comments_before = []
        after = getattr(old, "comment_after", None)
        if after and not getattr(new[0], "comment_after", None):
            if len(new) == 1 or not hasattr(new[0], "body"):
                new[0].comment_after = after
            else:
                new[0].comments_before = [*getattr(new[0], "comments_before", []), after]
            old.comment_after = None
    return new


def comments_of(statement: Node) -> list[str]:
    """The comments above a statement and at its end, each on a line."""
    after = getattr(statement, "comment_after", None)
    return [*getattr(statement, "comments_before", ()), *([after] if after else [])]


BLOCKS = ("body", "orelse", "finalbody")


def blocks(statement: Node) -> list[Statements]:
    """The statement lists directly inside a compound statement (not of nested functions and classes).

    >>> [len(block) for block in blocks(gast.parse("if a:\\n  b\\n  c\\nelse:\\n  d").body[0])]
    [2, 1]
    """
    if isinstance(statement, (*FUNCTIONS, gast.ClassDef)):
        return []
    found = [
        getattr(statement, field) for field in BLOCKS if isinstance(getattr(statement, field, None), list)
    ]
    found += [handler.body for handler in getattr(statement, "handlers", ())]
    found += [case.body for case in getattr(statement, "cases", ())]
    return found


FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SCOPES = (*FUNCTIONS, gast.Lambda, gast.ClassDef, *COMPREHENSIONS)


def dotted(node: Node) -> str | None:
    """``a.b.c`` as text; ``None`` for any other expression.

    >>> [dotted(gast.parse(text).body[0].value) for text in ("a", "a.b.c", "a().b")]
    ['a', 'a.b.c', None]
    """
    names = []
    while isinstance(node, gast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, gast.Name) else None


def is_docstring(statement: Node) -> bool:
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, str)
    )


def param_nodes(args: Node) -> list[Node]:
    """Every parameter of a function, in the order written."""
    found = [*args.posonlyargs, *args.args]
    if args.vararg is not None:
        found.append(args.vararg)
    found += args.kwonlyargs
    if args.kwarg is not None:
        found.append(args.kwarg)
    return found


def inside(function: Node) -> Statements:
    """The body of a function or lambda, as a list."""
    return function.body if isinstance(function.body, list) else [function.body]


def has_suspension(node: Node) -> bool:
    """Whether a ``yield`` or ``await`` of the function itself (not of a nested one) is in ``node``."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith)):
            return True
        for child in children(current):
            if not isinstance(child, (*FUNCTIONS, gast.Lambda, gast.ClassDef)):
                stack.append(child)
    return False


def is_generator(function: Node) -> bool:
    return any(has_suspension(s) for s in function.body if not isinstance(s, (*FUNCTIONS, gast.ClassDef)))


class Rewriter:
    """``ast.NodeTransformer``, quicker: the method of a class is looked up once, leaves are not visited."""

    _methods: dict[type, str | None]

    def __init_subclass__(cls) -> None:
        cls._methods = {}

    def visit(self, node: Node) -> Node:
        kind = type(node)
        try:
            name = self._methods[kind]
        except KeyError:
            name = f"visit_{kind.__name__}"
            self._methods[kind] = name = name if hasattr(self, name) else None
        return self.generic_visit(node) if name is None else getattr(self, name)(node)

    def generic_visit(self, node: Node) -> Node:
        kind = type(node)
        for field in _fields.get(kind) or node_fields(kind):
            old = getattr(node, field, None)
            if old is None:
                continue
            if type(old) is list:
                if old:
                    new: Statements = []
                    for item in old:
                        if isinstance(item, ast.AST):
                            item = self.visit(item)
                            if isinstance(item, list):
                                new += item
                            elif item is not None:
                                new.append(item)
                        else:
                            new.append(item)
                    old[:] = new
            elif isinstance(old, ast.AST):
                value = self.visit(old)
                if value is not old:
                    setattr(node, field, value)
        return node

    def visit_comprehended(self, node: Node) -> None:
        """What a comprehension evaluates in its own scope: all but the first iterable, in Python's order."""
        for index, generator in enumerate(node.generators):
            if index:
                generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(test) for test in generator.ifs]
        if isinstance(node, gast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)


class Transformer(Rewriter):
    """A rewriter that keeps locations and comments, and tells functions apart from the rest."""

    def visit(self, node: Node) -> Node:
        new = super().visit(node)
        if new is not node and new is not None:
            if isinstance(new, list):
                for statement in new:
                    at(statement, node)
                if isinstance(node, gast.stmt):
                    keep_comments(new, node)
            else:
                at(new, node)
                if isinstance(node, gast.stmt):
                    keep_comments([new], node)
        return new

    def visit_FunctionDef(self, node: Node) -> Node:
        """Defaults and body; decorators and annotations are the user's and stay as they are."""
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        node.body = self.visit_block(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_block(self, statements: Statements) -> Statements:
        new: Statements = []
        for statement in statements:
            result = self.visit(statement)
            if isinstance(result, list):
                new += result
            elif result is not None:
                new.append(result)
        return new

    def visit_ClassDef(self, node: Node) -> Node:
        """Only the methods: what else a class body says, Python carries out once while the class is made."""
        node.body = [self.visit(s) if isinstance(s, (*FUNCTIONS, gast.ClassDef)) else s for s in node.body]
        return node

    def visit_AnnAssign(self, node: Node) -> Node:
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


def to_ast(node: Node) -> Any:
    """The ``ast`` tree of a gast tree: ``gast.gast_to_ast`` does the same in three times the time.

    >>> ast.unparse(to_ast(gast.parse("def f(a, *b, c=1):\\n    return a")))
    'def f(a, *b, c=1):\\n    return a'
    """
    kind = type(node)
    if kind is gast.Name:
        if isinstance(node.ctx, gast.Param):
            annotation = node.annotation and to_ast(node.annotation)
            return _located(ast.arg(arg=node.id, annotation=annotation, type_comment=None), node)
        return _located(ast.Name(id=node.id, ctx=_CONTEXTS[type(node.ctx)]), node)
    plain = getattr(ast, kind.__name__)
    new = plain.__new__(plain)  # without __init__, which asks for the fields that come now
    for field in plain._fields:
        value = getattr(node, field, None)
        if type(value) is list:
            value = [to_ast(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST):
            value = _CONTEXTS.get(type(value)) or to_ast(value)
        setattr(new, field, value)
    if kind is gast.ExceptHandler and new.name is not None:
        new.name = new.name.id
    return _located(new, node)


_CONTEXTS: dict[type, Any] = {gast.Load: ast.Load(), gast.Store: ast.Store(), gast.Del: ast.Del()}


def _located(new: Any, node: Node) -> Any:
    line = getattr(node, "lineno", None)
    if line is not None and "lineno" in new._attributes:
        new.lineno, new.col_offset = line, node.col_offset
        new.end_lineno, new.end_col_offset = node.end_lineno, node.end_col_offset
    return new


class BodyTransformer(Transformer):
    """Rewrites the bodies of functions alone, and knows whether it is in one that is a generator."""

    generator = False

    def visit_FunctionDef(self, node: Node) -> Node:
        outer, self.generator = self.generator, getattr(node, "generator", False)
        node.body = self.visit_block(node.body)
        self.generator = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef
