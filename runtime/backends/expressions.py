"""Ops and operands as Python expressions: one row of the op table in, one ``ast`` expression out.

What is not a literal becomes a global of the program, kept in :class:`Globals` under the name by which the
user knows it (``np`` stays ``np``).  Nothing here decides when an expression is evaluated; see
:mod:`.statements`.
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy as np

import autograph.operators
from autograph.operators.names import Undefined

from ..graph import Location, Node, Op, Operand, Value, Weakly, values_in
from ..naming import RESERVED, as_name, stored_name

Place = dict[str, Any]
"""The location fields of an ``ast`` node."""


class Line(int):
    """The number of a line, for ``lineno``, that knows which place in the user's text it comes from."""

    location: Location


NOWHERE: Place = {"lineno": 1, "col_offset": -1, "end_lineno": 1, "end_col_offset": -1}
LOAD = ast.Load()
STORE = ast.Store()
DELETE = ast.Del()

BINARY: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "//": ast.FloorDiv(),
    "%": ast.Mod(),
    "**": ast.Pow(),
    "@": ast.MatMult(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
    "<<": ast.LShift(),
    ">>": ast.RShift(),
}
UNARY: dict[str, ast.unaryop] = {"-": ast.USub(), "+": ast.UAdd(), "~": ast.Invert(), "not": ast.Not()}
COMPARE: dict[str, ast.cmpop] = {
    "<": ast.Lt(),
    "<=": ast.LtE(),
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "in": ast.In(),
    "not in": ast.NotIn(),
}


class Globals:
    """The constants of a program by name; one object has one name."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.constants: dict[str, Any] = {}
        self._taken = set(taken) | RESERVED
        self._names: dict[int, str] = {}

    def name_of(self, constant: object, wanted: str) -> str:
        """The global that holds ``constant``: ``wanted`` when that is free, else with a number."""
        name = self._names.get(id(constant))
        if name is None:
            if isinstance(constant, ModuleType) and wanted not in self.constants:
                name = (
                    wanted
                    if wanted in ("np", "ag") and wanted not in self._taken - {"np"}
                    else self.reserve(wanted)
                )
            else:
                name = self.reserve(wanted)
            self.constants[name] = constant
            self._names[id(constant)] = name
        return name

    def reserve(self, wanted: str) -> str:
        """A name like ``wanted`` that nothing else in the program has."""
        stem = as_name(wanted)
        name, count = stem, 0
        while name in self._taken:
            count += 1
            name = f"{stem}_{count}"
        self._taken.add(name)
        return name

    def is_taken(self, name: str) -> bool:
        """Whether a local of this name would hide a global, a builtin or another local."""
        return name in self._taken


def place_of(location: Location | None) -> Place:
    """The location fields for ``location``; without columns a traceback shows the line and no caret."""
    if location is None or location.line < 1:
        return NOWHERE
    line, column = Line(location.line), location.column
    line.location = location
    if column is None or location.end_column is None or location.end_line is None:
        return {"lineno": line, "col_offset": -1, "end_lineno": line, "end_col_offset": -1}
    return {
        "lineno": line,
        "col_offset": column,
        "end_lineno": location.end_line,
        "end_col_offset": location.end_column,
    }


class Expressions:
    """Writes the expressions of one function.

    ``read`` gives the expression for a value: its local, or a temporary that is folded in.
    """

    def __init__(self, constants: Globals, read: Callable[[Value, Place], ast.expr]) -> None:
        self.constants = constants
        self.read = read

    def operand(self, operand: Operand, place: Place) -> ast.expr:
        """An operand as an expression."""
        kind = type(operand)
        if kind is Value:
            return self.read(operand, place)
        if kind is tuple:
            return ast.Tuple([self.operand(item, place) for item in operand], LOAD, **place)
        if kind is list:
            return ast.List([self.operand(item, place) for item in operand], LOAD, **place)
        if kind is dict:
            keys: list[ast.expr | None] = [self.operand(key, place) for key in operand]
            return ast.Dict(keys, [self.operand(item, place) for item in operand.values()], **place)
        if kind is slice:
            bounds = [operand.start, operand.stop, operand.step]
            if operand.step is None:
                bounds.pop()
                if operand.start is None:
                    bounds.pop(0)
            return ast.Call(
                ast.Name("slice", LOAD, **place), [self.operand(each, place) for each in bounds], [], **place
            )
        return self.constant(operand, place)

    def constant(self, constant: object, place: Place) -> ast.expr:
        """A constant: a literal where Python has one that gives the very same value, else a global."""
        kind = type(constant)
        if kind in (bool, str, bytes) or constant is None or constant is Ellipsis:
            return ast.Constant(constant, **place)  # type: ignore[arg-type]
        if kind is int or (kind is float and math.isfinite(constant)):  # type: ignore[arg-type]
            if math.copysign(1.0, constant) < 0:  # type: ignore[arg-type]
                return ast.UnaryOp(UNARY["-"], ast.Constant(-constant, **place), **place)  # type: ignore[operator]
            return ast.Constant(constant, **place)  # type: ignore[arg-type]
        if kind is complex and str(constant.real) == "0.0" and 0 <= constant.imag < math.inf:  # type: ignore[attr-defined]
            return ast.Constant(constant, **place)  # type: ignore[arg-type]
        if kind is Weakly:
            held = ast.Name(self.constants.name_of(constant, constant_name(constant())), LOAD, **place)  # type: ignore[operator]
            return ast.Call(held, [], [], **place)
        wanted = constant_name(constant)
        if isinstance(constant, type | type(len)) and getattr(builtins, wanted, None) is constant:
            return ast.Name(wanted, LOAD, **place)
        if isinstance(constant, type | np.ufunc) and getattr(np, wanted, None) is constant:
            return self.dotted("np", ("np", wanted), np, place)
        return ast.Name(self.constants.name_of(constant, wanted), LOAD, **place)

    def dotted(self, wanted: str, path: tuple[str, ...], root: object, place: Place) -> ast.expr:
        """``root`` as a global called about ``wanted``, then the attributes ``path[1:]``."""
        tree: ast.expr = ast.Name(self.constants.name_of(root, wanted), LOAD, **place)
        for attribute in path[1:]:
            tree = ast.Attribute(tree, attribute, LOAD, **place)
        return tree

    def function(self, op: Op, place: Place) -> ast.expr:
        """The function of an op, as the user would write it."""
        root, path = resolve(op)
        if root is builtins:
            return ast.Name(path[0], LOAD, **place)
        return self.dotted(path[0], path, root, place)

    def node(self, node: Node, place: Place) -> ast.expr:
        """The call of an op as an expression."""
        op, args = node.op, node.args
        special = _SPECIAL.get(op.name)
        if special is not None and not node.kwargs and op.syntax != "call":
            written = special(self, args, place)
            if written is not None:
                return written
        syntax = op.syntax
        if syntax == "method":
            target: ast.expr = ast.Attribute(self.operand(args[0], place), op.symbol, LOAD, **place)
            return self._call(target, args[1:], node.kwargs, place)
        if syntax == "call" and not op.symbol:
            return self._call(self.operand(args[0], place), args[1:], node.kwargs, place)
        if node.kwargs or syntax == "call":
            return self._call(self.function(op, place), args, node.kwargs, place)
        if syntax == "binary" and len(args) == 2:
            left = self.operand(args[0], place)
            return ast.BinOp(left, BINARY[op.symbol], self.operand(args[1], place), **place)
        if syntax == "compare" and len(args) == 2:
            left = self.operand(args[0], place)
            return ast.Compare(left, [COMPARE[op.symbol]], [self.operand(args[1], place)], **place)
        if syntax == "unary" and len(args) == 1:
            return ast.UnaryOp(UNARY[op.symbol.strip()], self.operand(args[0], place), **place)
        if syntax == "attribute" and len(args) == 1:
            return ast.Attribute(self.operand(args[0], place), op.symbol, LOAD, **place)
        if syntax == "subscript" and len(args) == 2:
            return self.subscript(args[0], args[1], LOAD, place)
        return self._call(self.function(op, place), args, {}, place)

    def subscript(
        self, base: Operand, index: Operand, context: ast.expr_context, place: Place
    ) -> ast.Subscript:
        """``base[index]``."""
        tree = self.operand(base, place)
        return ast.Subscript(tree, self._index(index, place), context, **place)

    def _index(self, index: Operand, place: Place) -> ast.expr:
        if type(index) is slice:
            bounds = (index.start, index.stop, index.step)
            return ast.Slice(
                *(None if each is None else self.operand(each, place) for each in bounds), **place
            )
        if type(index) is tuple and index:
            return ast.Tuple([self._index(item, place) for item in index], LOAD, **place)
        return self.operand(index, place)

    def _call(
        self, function: ast.expr, args: Iterable[Operand], kwargs: dict[str, Operand], place: Place
    ) -> ast.expr:
        trees = [self.operand(arg, place) for arg in args]
        keywords = [ast.keyword(key, self.operand(arg, place), **place) for key, arg in kwargs.items()]
        if isinstance(function, ast.Attribute) and function.lineno != function.end_lineno:
            # else Python would move the call to the line where the name of the method ends
            function.end_lineno, function.end_col_offset = function.lineno, function.col_offset + 1
        return ast.Call(function, trees, keywords, **place)


def _contains(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr:
    item = write.operand(args[1], place)
    return ast.Compare(item, [COMPARE["in"]], [write.operand(args[0], place)], **place)


def _get_attribute(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr | None:
    if len(args) != 2 or type(args[1]) is not str or not args[1].isidentifier():
        return None
    return ast.Attribute(write.operand(args[0], place), args[1], LOAD, **place)


def _make_list(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr:
    return write.operand(list(args), place)


def _make_tuple(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr:
    return write.operand(args, place)


def _make_set(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr | None:
    return ast.Set([write.operand(arg, place) for arg in args], **place) if args else None


def _make_dict(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr | None:
    keys, values = args
    if type(keys) is not tuple or type(values) is not tuple or any(True for _ in values_in(keys)):
        return None  # a display evaluates keys and values in turn, the op all keys first
    trees: list[ast.expr | None] = [write.operand(key, place) for key in keys]
    return ast.Dict(trees, [write.operand(value, place) for value in values], **place)


def _join(write: Expressions, args: tuple[Operand, ...], place: Place) -> ast.expr:
    """An f-string; pieces that are ``format(value, "spec")`` become its replacement fields."""
    pieces: list[ast.expr] = []
    for arg in args:
        if type(arg) is str:
            pieces.append(ast.Constant(arg, **place))
            continue
        tree = write.operand(arg, place)
        spec: ast.expr | None = None
        if (
            isinstance(tree, ast.Call)
            and isinstance(tree.func, ast.Name)
            and tree.func.id == "format"
            and all(isinstance(each, ast.Constant) for each in tree.args[1:])
            and not tree.keywords
        ):
            if len(tree.args) == 2 and tree.args[1].value:  # type: ignore[attr-defined]
                spec = ast.JoinedStr([tree.args[1]], **place)
            tree = tree.args[0]
        pieces.append(ast.FormattedValue(tree, -1, spec, **place))
    return ast.JoinedStr(pieces, **place)


_SPECIAL: dict[str, Callable[[Expressions, tuple[Operand, ...], Place], ast.expr | None]] = {
    "contains": _contains,
    "get_attribute": _get_attribute,
    "join": _join,
    "make_dict": _make_dict,
    "make_list": _make_list,
    "make_set": _make_set,
    "make_tuple": _make_tuple,
}


def evaluated(node: Node) -> tuple[Operand, ...]:
    """The operands in the order in which the emitted Python evaluates them."""
    name = node.op.name
    if name == "contains":
        return (node.args[1], node.args[0])
    if name in ("set_item", "set_attribute"):
        return (node.args[-1], *node.args[:-1])
    return (*node.args, *node.kwargs.values()) if node.kwargs else node.args


def constant_name(constant: Any) -> str:
    """What to call a constant: by its own name, or after its class."""
    if isinstance(constant, Undefined):
        return f"undefined_{constant.name}"
    if constant is np:
        return "np"
    if isinstance(constant, float):
        return "nan" if math.isnan(constant) else "inf" if constant > 0 else "minus_inf"
    name = stored_name(constant) or stored_name(constant, "name")
    if name is not None and name.rpartition(".")[2].isidentifier():
        return name.rpartition(".")[2]
    return type(constant).__name__.lower()


def resolve(op: Op) -> tuple[object, tuple[str, ...]]:
    """Where the function of ``op`` is found: a root object, and the path to the function whose first part
    names the root.

    The root is ``builtins`` for a builtin, a module for ``np.linalg.norm``, and else the function itself.
    """
    found = _resolved.get(op)
    if found is None:
        found = _resolve(op)
        if found[0] is not op.function:  # a function of the user's is not kept alive
            _resolved[op] = found
    return found


_resolved: dict[Op, tuple[object, tuple[str, ...]]] = {}


def _resolve(op: Op) -> tuple[object, tuple[str, ...]]:
    path = tuple((op.symbol or getattr(op.function, "__name__", op.name)).split("."))
    root = np if path[0] == "np" else autograph.operators if path[0] == "ag" else sys.modules.get(path[0])
    if len(path) == 1 and op.function is getattr(builtins, path[0], _missing):
        return builtins, path
    if len(path) > 1 and root is not None:
        found: Any = root
        for attribute in path[1:]:
            found = getattr(found, attribute, _missing)
        if found is op.function or (op.function is None and found is not _missing):
            return root, path
    return op.function, path[-1:]


_missing = object()
