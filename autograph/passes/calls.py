"""Every call goes through ``ag.call``, every ``assert`` through ``ag.assert_stmt``.

What is raised goes through ``ag.raised`` where it is not plainly an exception.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any

import gast

from autograph.passes.context import Context
from autograph.passes.logic import movable
from autograph.tree import Transformer, at, constant, dotted, load, operator, thunk

_DRESSING = frozenset((
    "abstractmethod", "cached_property", "classmethod", "convert", "deleter", "do_not_convert", "final",
    "function", "getter", "no_type_check", "overload", "override", "property", "setter", "staticmethod",
    "update_wrapper", "wraps",
))  # fmt: skip
"""Decorators of libraries that call nothing and keep nothing but the function."""
_OF_EVERY_CLASS = frozenset(("__annotations__", "__dict__", "__doc__", "__module__"))
OF_EVERY_VALUE = _OF_EVERY_CLASS | {"__class__"}
"""Attributes that the transpiled text asks for in ways of its own."""
_REFUSED = {"locals": 0, "vars": 0, "dir": 0, "eval": 1, "exec": 1}  # with at most so many arguments




def _line_of_failure(test: str) -> int:
    """The line at which this Python says that an ``assert`` whose test is in the second line has failed."""
    if sys.flags.optimize:
        return 1
    try:
        exec(compile(f"assert (\n  {test}\n)", "<assert>", "exec"), {"test": 0})
    except AssertionError as error:
        assert error.__traceback__ is not None and error.__traceback__.tb_next is not None
        return error.__traceback__.tb_next.tb_lineno
    raise AssertionError


_FAILS_AT_TEST = _line_of_failure("test") == 2
_FAILS_AT_COMPARISON = _line_of_failure("test > 0") == 2


_COMPARING = frozenset(("chain", "compare", "contains", "is_", "is_not", "not_contains"))
"""The operators that comparisons have become."""


def _place_of_failure(node: Any) -> Any:
    """The part of an ``assert`` that Python marks when it fails."""
    if _FAILS_AT_TEST:
        return node.test
    place = node
    waiting = [node.test] if _FAILS_AT_COMPARISON else []
    while waiting:
        test = waiting.pop(0)
        name = getattr(test, "operator", None)
        if isinstance(test, gast.Compare) or name in _COMPARING:
            place = test
        elif name in ("and_", "or_", "not_", "if_exp"):
            waiting[:0] = [arg.body if isinstance(arg, gast.Lambda) else arg for arg in test.args]
        elif isinstance(test, gast.BoolOp):
            waiting[:0] = test.values
        elif isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            waiting.insert(0, test.operand)
        elif isinstance(test, gast.IfExp):
            waiting[:0] = [test.test, test.body, test.orelse]
    return place


def calls(tree: Any, context: Context) -> Any:
    """Send calls through the operator that converts the callee first.

    >>> print(gast.unparse(calls(gast.parse("y = f(x.sum(axis=1), *rest)"), Context())))
    y = ag.call(f, ag.call(x.sum, axis=1), *rest)
    >>> print(gast.unparse(calls(gast.parse("y = '%d' % x"), Context())))
    y = ag.call('%d'.__mod__, x)
    >>> print(gast.unparse(calls(gast.parse("globals()['x']"), Context())))
    ag.namespace(globals())['x']
    >>> print(gast.unparse(calls(gast.parse("x.__class__"), Context())))
    ag.class_of(x)
    >>> print(gast.unparse(calls(gast.parse("assert x > 0, 'small'"), Context())))
    ag.assert_stmt(x > 0, lambda: 'small')
    >>> print(gast.unparse(calls(gast.parse("raise errors[0] from None"), Context())))
    raise ag.raised(errors[0]) from None
    """
    return _Calls(context).visit(tree)


class _Calls(Transformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.first: list[str | None] = []
        self.shadowed: list[set[str]] = [set()]
        self.caught: list[str] = []  # names of the handlers around
        self.in_class = False

    def visit_FunctionDef(self, node: Any) -> Any:
        args = [*node.args.posonlyargs, *node.args.args]
        if not args and node.args.vararg is None:
            self.first.append(None)
        else:
            self.first.append(args[0].id if args else None)
        if len(self.first) > 1:
            node.decorator_list = [self.decorator(each) for each in node.decorator_list]
        around, self.in_class = self.in_class, False
        scope = getattr(node, "scope", None)
        self.shadowed.append(self.shadowed[-1] | (set(scope.local) if scope else set()))
        super().visit_FunctionDef(node)
        self.shadowed.pop()
        self.first.pop()
        self.in_class = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: Any) -> Any:
        around, self.in_class = self.in_class, True
        super().visit_ClassDef(node)
        self.in_class = around
        return node

    def decorator(self, node: Any) -> Any:
        """A decorator is called as any function is, but for those that only dress a function."""
        path = dotted(node.func if isinstance(node, gast.Call) else node) or ""
        name, last = path.partition(".")[0], path.rpartition(".")[2]
        of_users = name in self.shadowed[-1] or getattr(node, "operator", None) is not None
        if not of_users and not self.context.ask("user's", name) and (self.in_class or last in _DRESSING):
            return node
        return at(operator(self.context.ag, "decorator", [self.visit(node)]), node)

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        if getattr(node, "operator", None) is not None:
            return node
        if isinstance(node.func, gast.Name) and node.func.id not in self.shadowed[-1]:
            name = node.func.id
            if name == "super":
                if not node.args and self.first and self.first[-1] is not None:
                    node.args = [at(load("__class__"), node), at(load(self.first[-1]), node)]
                if not node.args:
                    return node
            starred = any(isinstance(arg, gast.Starred) for arg in node.args)
            if name in _REFUSED and len(node.args) <= _REFUSED[name] and not starred and not node.keywords:
                raise self.context.refuse(
                    node,
                    f"`{name}()` without explicit namespaces cannot be staged",
                    "it looks into the running frame, and in converted code that is another one",
                    "pass what it needs by name, or mark the function with @do_not_convert",
                )
            if name == "globals":
                return at(operator(self.context.ag, "namespace", [node]), node)
        name_line = getattr(node.func, "end_lineno", None)
        new = operator(self.context.ag, "call", [node.func, *node.args])
        new.keywords = node.keywords
        if not isinstance(node.func, gast.Attribute) or name_line in (None, node.func.lineno):
            return new
        # as Python does: a method is called where its name is written, not where the object is
        column = max(0, node.func.end_col_offset - len(node.func.attr))
        place = gast.Pass()
        place.lineno, place.col_offset = name_line, column
        place.end_lineno, place.end_col_offset = node.end_lineno, node.end_col_offset
        return at(new, place)

    def visit_Attribute(self, node: Any) -> Any:
        self.generic_visit(node)
        if node.attr == "__class__" and isinstance(node.ctx, gast.Load):
            return at(operator(self.context.ag, "class_of", [node.value]), node)
        dunder = node.attr in _OF_EVERY_CLASS and isinstance(node.ctx, gast.Load)
        if dunder and "getattr" not in self.shadowed[-1]:
            # what stands for the value while tracing has one of its own
            asked = [load("getattr"), node.value, constant(node.attr)]
            return at(operator(self.context.ag, "call", asked), node)
        return node

    def visit_ExceptHandler(self, node: Any) -> Any:
        name = getattr(node.name, "id", None)
        if name is None:
            return self.generic_visit(node)
        self.caught.append(name)
        self.generic_visit(node)
        self.caught.pop()
        return node

    def visit_Raise(self, node: Any) -> Any:
        known = {field: self.is_exception(getattr(node, field)) for field in ("exc", "cause")}
        self.generic_visit(node)
        for field, is_exception in known.items():
            value = getattr(node, field)
            if value is not None and not is_exception:
                setattr(node, field, at(operator(self.context.ag, "raised", [value]), value))
        return node

    def is_exception(self, node: Any) -> bool:
        """Whether this is an exception as it stands: one of Python's own, that of the handler, ``None``."""
        if isinstance(node, gast.Call):
            if any(isinstance(arg, gast.Starred) for arg in node.args):
                return False  # how many arguments there are may be known to the run only
            node = node.func
        elif getattr(node, "id", None) in self.caught:
            return True
        if not isinstance(node, gast.Name):
            return isinstance(node, gast.Constant)
        known = getattr(builtins, node.id, None)
        if not isinstance(known, type) or not issubclass(known, BaseException):
            return False
        return node.id not in self.shadowed[-1] and self.context.ask("builtin", node.id)

    def visit_BinOp(self, node: Any) -> Any:
        """``"text" % x``: what the text becomes is known only when ``x`` is."""
        self.generic_visit(node)
        text = isinstance(node.left, gast.Constant) and isinstance(node.left.value, str | bytes)
        if not isinstance(node.op, gast.Mod) or not text:
            return node
        method = at(gast.Attribute(value=node.left, attr="__mod__", ctx=gast.Load()), node.left)
        return at(operator(self.context.ag, "call", [method, node.right]), node)

    def visit_Assert(self, node: Any) -> Any:
        place = _place_of_failure(node)
        native = sys.flags.optimize or (node.msg is not None and not movable(node.msg))
        self.generic_visit(node)
        if native:
            return node
        args = [node.test] + ([at(thunk(node.msg), node.msg)] if node.msg is not None else [])
        return gast.Expr(value=at(operator(self.context.ag, "assert_stmt", args), place))
