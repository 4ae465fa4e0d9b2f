"""Subscripts with computed indices, displays, and f-strings become operators."""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import stores
from autograph.passes.context import Context
from autograph.tree import (
    Transformer,
    assign,
    at,
    children,
    constant,
    is_docstring,
    load,
    operator,
    param_nodes,
)


def values(tree: Any, context: Context) -> Any:
    """Let operators build what Python would build itself, where the pieces may be symbolic.

    >>> print(gast.unparse(values(gast.parse("y = [w[i], w[0], w[a:b]]"), Context())))
    y = ag.list_([ag.get_item(w, i), w[0], w[a:b]])
    >>> print(gast.unparse(values(gast.parse("y = f'n = {n:.2f}'"), Context())))
    y = ag.join('n = ', ag.format_(n, '.2f'))
    >>> print(gast.unparse(values(gast.parse("y = f(*a, **d), [*b, 1]"), Context())))
    y = (f(*ag.arguments(a), **ag.keywords(d)), ag.list_([*ag.star(b), 1]))
    """
    return _Values(context).visit(tree)


_DISPLAYS = {
    gast.List: "list_",
    gast.ListComp: "list_",
    gast.Dict: "dict_",
    gast.DictComp: "dict_",
    gast.Set: "set_",
    gast.SetComp: "set_",
}


class _Values(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.known: set[str] = set()  # parameters with stars that keep what the call gave them

    def visit_FunctionDef(self, node: Any) -> Any:
        options = node.args.kwarg
        outer, self.known = self.known, self.known_in(node, node.body)
        super().visit_FunctionDef(node)
        self.known = outer
        keeps = options is not None and options.id in self.context.cells
        if keeps or getattr(node, "generator", False):
            return node
        if options is not None and _used(node.body, options.id):
            # a dict of this call's own: what the function does to it has to be seen
            place = 0
            while place < len(node.body) and (
                is_docstring(node.body[place])
                or isinstance(node.body[place], gast.Nonlocal)
                or getattr(node.body[place], "setter", False)
            ):
                place += 1
            node.body.insert(place, at(assign(options.id, self.op("dict_", load(options.id))), options))
        return node

    def visit_Lambda(self, node: Any) -> Any:
        outer, self.known = self.known, self.known_in(node, [])
        self.generic_visit(node)
        self.known = outer
        return node

    def known_in(self, function: Any, body: list[Any]) -> set[str]:
        """The parameters with stars, here and around, that hold the tuple or dict of the call."""
        if self.context.open_stars:
            return set()
        scope = getattr(function, "scope", None)
        found = self.known - set(scope.local if scope is not None else ())
        found -= {param.id for param in param_nodes(function.args)}
        rest, options = function.args.vararg, function.args.kwarg
        if rest is not None and not any(rest.id in stores(s) for s in body):
            found.add(rest.id)
        if options is not None and not _used(body, options.id):
            found.add(options.id)
        return found

    def op(self, name: str, *args: Any) -> Any:
        return operator(self.context.ag, name, args)

    # Subscripts

    def visit_Subscript(self, node: Any) -> Any:
        if isinstance(node.slice, gast.Tuple):
            node.slice.plain = True
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load):
            return node
        if self.context.open_operands:
            node.slice = self.sliced(node.slice)
        return self.op("get_item", node.value, node.slice) if _computed(node.slice) else node

    def sliced(self, index: Any) -> Any:
        """The index with ``ag.slice_(a, b)`` for ``a:b``."""
        if isinstance(index, gast.Slice):
            bounds = [index.lower, index.upper, *([index.step] if index.step is not None else [])]
            return at(self.op("slice_", *(bound or constant(None) for bound in bounds)), index)
        if isinstance(index, gast.Tuple):
            index.elts = [self.sliced(each) for each in index.elts]
        return index

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        if self.context.open_operands and isinstance(node.op, gast.Mod):
            return at(self.op("modulo", node.left, node.right), node)
        return node

    # Displays

    def visit_List(self, node: Any) -> Any:
        return self.display(node) if isinstance(node.ctx, gast.Load) else self.generic_visit(node)

    def visit_Dict(self, node: Any) -> Any:
        return self.display(node)

    def visit_Set(self, node: Any) -> Any:
        return self.display(node)

    visit_ListComp = visit_DictComp = visit_SetComp = visit_Set

    def display(self, node: Any) -> Any:
        self.generic_visit(node)
        hashes = self.context.open_keys and isinstance(node, (gast.Dict, gast.Set))
        if getattr(node, "plain", False) and not hashes:
            return node
        if isinstance(node, gast.Set) and (_is_open(node) or self.context.open_keys):
            return self.op("set_", at(gast.List(elts=node.elts, ctx=gast.Load()), node))
        if isinstance(node, gast.Dict):
            node.values = [
                value if key is not None else self.star("double_star", value)
                for key, value in zip(node.keys, node.values, strict=True)
            ]
        if isinstance(node, gast.Dict) and self.context.open_keys:
            pairs = [
                value if key is None else at(gast.Tuple(elts=[key, value], ctx=gast.Load()), key)
                for key, value in zip(node.keys, node.values, strict=True)
            ]
            return self.op("dict_", at(gast.List(elts=pairs, ctx=gast.Load()), node))
        return self.op(_DISPLAYS[type(node)], node)

    def visit_Tuple(self, node: Any) -> Any:
        if getattr(node, "plain", False):
            node.elts = [
                at(gast.Starred(value=self.visit(each.value), ctx=each.ctx), each)
                if isinstance(each, gast.Starred)
                else self.visit(each)
                for each in node.elts
            ]
            return node
        self.generic_visit(node)
        return self.op("tuple_", node) if isinstance(node.ctx, gast.Load) and _is_open(node) else node

    def star(self, name: str, value: Any) -> Any:
        """What stands behind the stars: through the operator, unless Python knows it as it is."""
        text = isinstance(value, gast.Constant) and isinstance(value.value, (str, bytes))
        known = text or isinstance(value, gast.GeneratorExp) or getattr(value, "plain", False)
        known = known or getattr(value, "id", None) in self.known
        return value if known else at(self.op(name, value), value)

    def visit_Call(self, node: Any) -> Any:
        for arg in [*node.args, *(keyword.value for keyword in node.keywords)]:
            _stay_plain(arg.value if isinstance(arg, gast.Starred) else arg)
        if len(node.args) == 1 and isinstance(node.args[0], gast.Starred):
            node.args[0].alone = True
        self.generic_visit(node)
        alone = len(node.keywords) == 1
        for keyword in node.keywords:
            if keyword.arg is None:
                value = keyword.value
                known = alone and (getattr(value, "plain", False) or getattr(value, "id", None) in self.known)
                keyword.value = value if known else at(self.op("keywords", value), value)
        return node

    def visit_Starred(self, node: Any) -> Any:
        _stay_plain(node.value)
        self.generic_visit(node)
        if isinstance(node.ctx, gast.Load):
            node.value = self.star("arguments" if getattr(node, "alone", False) else "star", node.value)
        return node

    def visit_For(self, node: Any) -> Any:
        _stay_plain(node.iter, nested=False)
        return self.generic_visit(node)

    def visit_comprehension(self, node: Any) -> Any:
        _stay_plain(node.iter, nested=False)
        return self.generic_visit(node)

    def visit_Assign(self, node: Any) -> Any:
        if all(isinstance(target, (gast.Tuple, gast.List)) for target in node.targets):
            _stay_plain(node.value, nested=False)
        return self.generic_visit(node)

    def visit_Compare(self, node: Any) -> Any:
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (gast.In, gast.NotIn)):
                _stay_plain(right)
        return self.generic_visit(node)

    # f-strings

    def visit_JoinedStr(self, node: Any) -> Any:
        pieces = [self.piece(value) for value in node.values]
        if not any(isinstance(value, gast.FormattedValue) for value in node.values):
            return pieces[0] if len(pieces) == 1 else constant("".join(piece.value for piece in pieces))
        return self.op("join", *pieces)

    def piece(self, value: Any) -> Any:
        if not isinstance(value, gast.FormattedValue):
            return value
        args = [self.visit(value.value)]
        if value.format_spec is not None:
            args.append(self.visit(value.format_spec))
        if value.conversion not in (-1, None):
            if len(args) == 1:
                args.append(constant(""))
            args.append(constant(chr(value.conversion)))
        return at(self.op("format_", *args), value)


def _has_star(node: Any) -> bool:
    """Whether a display holds ``*items`` or ``**mapping``."""
    if isinstance(node, gast.Dict):
        return None in node.keys
    return any(isinstance(each, gast.Starred) for each in getattr(node, "elts", ()))


def _is_open(node: Any) -> bool:
    """Whether the run may be the first to know how many items a display has."""
    values = [each.value for each in node.elts if isinstance(each, gast.Starred)]
    return any(getattr(value, "operator", None) == "star" for value in values)


def _used(statements: list[Any], name: str) -> bool:
    """Whether ``name`` is used otherwise than to hand all of it on, as ``f(**name)`` does."""
    stack = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name) and node.id == name:
            return True
        if not (isinstance(node, gast.keyword) and node.arg is None and isinstance(node.value, gast.Name)):
            stack += children(node)
    return False


def _computed(index: Any) -> bool:
    """Whether an index holds more than constants, and no slice.

    >>> indices = ("0", "-1", "i", "i + 1", "i:j", "i, 0", "...")
    >>> [_computed(gast.parse(f"w[{i}]").body[0].value.slice) for i in indices]
    [False, False, True, True, False, True, False]
    """
    if isinstance(index, gast.Tuple):
        if any(isinstance(element, (gast.Slice, gast.Starred)) for element in index.elts):
            return False
        return any(_computed(element) for element in index.elts)
    if isinstance(index, (gast.Slice, gast.Starred, gast.Constant)):
        return False
    return not (isinstance(index, gast.UnaryOp) and isinstance(index.operand, gast.Constant))


_CONSUMED: tuple[Any, ...] = tuple(_DISPLAYS)


def _stay_plain(node: Any, nested: bool = True) -> None:
    """The display is consumed at once: leave it, and the displays written inside it, as they are."""
    if _has_star(node):
        return  # how many items it holds may be known to the run only
    if isinstance(node, _CONSUMED) or (nested and isinstance(node, gast.Tuple)):
        node.plain = True
        if nested:
            for child in children(node):
                _stay_plain(child.value if isinstance(child, gast.Starred) else child)
