"""Expressions and parameters as text: the half of the unparser that knows precedence.

Statements and patterns are in :mod:`autograph.emit`; where a line may break is only marked here.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

import astunparse
import gast

from autograph.layout import (
    CLOSE,
    COMMA,
    OPEN,
    OPEN_OPTIONAL,
    OPEN_OPTIONAL_TUPLE,
    OPEN_PLAIN,
    break_before,
    plain,
)
from autograph.literals import QUOTES, Unquotable, escape, fits_inside, number_literal, string_literal

Node = Any  # a node of gast or of ast: the two share names and fields, but no base class that says so

# How tightly an expression binds, as in the grammar.
YIELD, NAMED, TEST, OR, AND, NOT, COMPARISON, BIT_OR, BIT_XOR = range(9)
BIT_AND, SHIFT, SUM, PRODUCT, FACTOR, POWER, AWAIT, ATOM = range(9, 17)
_COMPREHENSION = NAMED  # a comprehension's clauses break after its commas and before its operators

_BINDING = {
    "Yield": YIELD,
    "YieldFrom": YIELD,
    "NamedExpr": NAMED,
    "IfExp": TEST,
    "Lambda": TEST,
    "Compare": COMPARISON,
    "Await": AWAIT,
    "Starred": BIT_OR,
    "MatchAs": TEST,
    "MatchOr": BIT_OR,
}
_OPERATOR_BINDING = {
    "Or": OR,
    "And": AND,
    "Not": NOT,
    "BitOr": BIT_OR,
    "BitXor": BIT_XOR,
    "BitAnd": BIT_AND,
    "LShift": SHIFT,
    "RShift": SHIFT,
    "Add": SUM,
    "Sub": SUM,
    "Mult": PRODUCT,
    "MatMult": PRODUCT,
    "Div": PRODUCT,
    "FloorDiv": PRODUCT,
    "Mod": PRODUCT,
    "Invert": FACTOR,
    "UAdd": FACTOR,
    "USub": FACTOR,
    "Pow": POWER,
}
_NESTED_QUOTES = sys.version_info >= (3, 12)  # f-strings may hold any expression
_STARRED_INDEX = sys.version_info >= (3, 11)  # x[*a] needs no parentheses


def kind(node: Node) -> str:
    """The node's class by name, which gast and ast agree on."""
    return type(node).__name__


def binding(node: Node) -> int:
    """How tightly the expression binds; the higher the fewer parentheses it needs."""
    name = kind(node)
    if name in ("BinOp", "BoolOp", "UnaryOp"):
        return _OPERATOR_BINDING[kind(node.op)]
    if name == "Constant" and isinstance(node.value, int | float) and number_literal(node.value)[0] == "-":
        return FACTOR
    if name == "MatchAs" and node.pattern is None:
        return ATOM
    return _BINDING.get(name, ATOM)


def name_of(name: Node) -> str:
    """A name that ast holds as text and gast as a node."""
    return name if isinstance(name, str) else name.id


class ExpressionText(astunparse.Unparser):  # type: ignore[misc]
    """Writes expressions into ``self._parts``, without parentheses around the outermost one."""

    _parts: list[str]
    _outer: tuple[str, ...] = ()  # quotes of the f-strings around, where they may not be used again

    def write(self, text: str) -> None:
        """Add to the current line."""
        self._parts.append(text)

    def dispatch(self, tree: Node) -> None:
        """Write a node, or each of a list of nodes."""
        if isinstance(tree, list):
            for node in tree:
                self.dispatch(node)
            return
        method = getattr(self, f"_{kind(tree)}", None)
        if method is None or not isinstance(tree, ast.AST):
            raise TypeError(f"cannot write a {kind(tree)} as Python text")
        method(tree)

    def expression(self, node: Node, least: int = TEST) -> None:
        """Write an expression, in parentheses if it binds less tightly than ``least``."""
        if binding(node) < least:
            self.write("(" + OPEN_PLAIN)
            self.dispatch(node)
            self.write(CLOSE + ")")
        else:
            self.dispatch(node)

    def rendered(self, node: Node, least: int) -> str:
        """The text of an expression by itself."""
        saved, self._parts = self._parts, []
        try:
            self.expression(node, least)
            return plain("".join(self._parts))
        finally:
            self._parts = saved

    def items(self, nodes: Iterable[Node], least: int = NAMED) -> None:
        """Expressions between commas."""
        for at, node in enumerate(nodes):
            if at:
                self.write("," + COMMA + " ")
            self.expression(node, least)

    def bare(self, node: Node, least: int = TEST) -> None:
        """An expression whose tuple needs no parentheses here."""
        if kind(node) == "Tuple" and node.elts:
            self.items(node.elts)
            if len(node.elts) == 1:
                self.write(",")
        else:
            self.expression(node, least)

    def optional(self, node: Node, least: int = TEST, bare: bool = False) -> None:
        """An expression that gets parentheses when it is broken; ``bare``: its tuple needs none otherwise."""
        if bare and kind(node) == "Tuple" and len(node.elts) > 1:
            self.write(OPEN_OPTIONAL_TUPLE)
            self.items(node.elts)
        else:
            self.write(OPEN_OPTIONAL)
            self.expression(node, least)
        self.write(CLOSE)

    # Operators

    def _BoolOp(self, node: Node) -> None:
        least = binding(node)
        word = kind(node.op).lower()
        for at, value in enumerate(node.values):
            if at:
                self.write(break_before(least) + f" {word} ")
            self.expression(value, least + 1)

    def _BinOp(self, node: Node) -> None:
        least = binding(node)
        if least == POWER:
            self.expression(node.left, AWAIT)
            self.write(" ** ")
            self.expression(node.right, FACTOR)
            return
        rights = []
        while kind(node) == "BinOp" and binding(node) == least:  # a loop, as sums may be long
            rights.append((kind(node.op), node.right))
            node = node.left
        self.expression(node, least)
        for operator, right in reversed(rights):
            self.write(break_before(least) + f" {self.binop[operator]} ")
            self.expression(right, least + 1)

    def _UnaryOp(self, node: Node) -> None:
        operator = self.unop[kind(node.op)]
        self.write("not " if operator == "not" else operator)
        self.expression(node.operand, binding(node))

    def _Compare(self, node: Node) -> None:
        self.expression(node.left, BIT_OR)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            self.write(break_before(COMPARISON) + f" {self.cmpops[kind(operator)]} ")
            self.expression(right, BIT_OR)

    def _IfExp(self, node: Node) -> None:
        self.expression(node.body, OR)
        self.write(break_before(TEST) + " if ")
        self.expression(node.test, OR)
        self.write(break_before(TEST) + " else ")
        self.expression(node.orelse, TEST)

    def _NamedExpr(self, node: Node) -> None:
        self.expression(node.target, ATOM)
        self.write(" := ")
        self.expression(node.value, TEST)

    def _Lambda(self, node: Node) -> None:
        self.write("lambda")
        parameters = plain(self.parameters(node.args))
        self.write(f" {parameters}: " if parameters else ": ")
        self.expression(node.body, TEST)

    def _Await(self, node: Node) -> None:
        self.write("await ")
        self.expression(node.value, ATOM)

    def _Yield(self, node: Node) -> None:
        self.write("yield")
        if node.value is not None:
            self.write(" ")
            if kind(node.value) == "Tuple" and len(node.value.elts) > 1:
                self.bare(node.value)
            else:
                self.expression(node.value)

    def _YieldFrom(self, node: Node) -> None:
        self.write("yield from ")
        self.expression(node.value)

    # Primaries

    def _Name(self, node: Node) -> None:
        self.write(node.id)

    def _Attribute(self, node: Node) -> None:
        self.expression(node.value, ATOM)
        if kind(node.value) == "Constant" and type(node.value.value) is int:
            self.write(" ")  # 1 .real, as 1.real is no number
        self.write(f".{node.attr}")

    def _Call(self, node: Node) -> None:
        self.expression(node.func, ATOM)
        if len(node.args) == 1 and not node.keywords and kind(node.args[0]) == "GeneratorExp":
            self.dispatch(node.args[0])
        else:
            self.arguments(node.args, node.keywords)

    def arguments(self, positional: list[Node], keywords: list[Node]) -> None:
        """What a call passes, or what a class is made from, in parentheses."""
        self.write("(" + OPEN)
        for at, argument in enumerate([*positional, *keywords]):
            if at:
                self.write("," + COMMA + " ")
            if kind(argument) == "Starred":
                self.write("*")
                self.expression(argument.value)
            else:
                self.expression(argument, NAMED)
        self.write(CLOSE + ")")

    def _keyword(self, node: Node) -> None:
        self.write("**" if node.arg is None else f"{node.arg}=")
        self.expression(node.value)

    def _Starred(self, node: Node) -> None:
        self.write("*")
        self.expression(node.value, BIT_OR)

    def _Subscript(self, node: Node) -> None:
        self.expression(node.value, ATOM)
        index = node.slice
        elements = index.elts if kind(index) == "Tuple" else []
        starred = any(kind(element) == "Starred" for element in elements)
        self.write("[" + (OPEN if len(elements) > 1 else OPEN_PLAIN))
        if starred and not _STARRED_INDEX:
            self.dispatch(index)
        elif starred and len(elements) == 1:
            self.dispatch(elements[0])
        else:
            self.bare(index, NAMED)
        self.write(CLOSE + "]")

    def _Slice(self, node: Node) -> None:
        if node.lower is not None:
            self.expression(node.lower)
        self.write(":")
        if node.upper is not None:
            self.expression(node.upper)
        if node.step is not None:
            self.write(":")
            self.expression(node.step)

    def _Tuple(self, node: Node) -> None:
        self.write("(" + (OPEN if len(node.elts) > 1 else OPEN_PLAIN))
        if node.elts:
            self.bare(node)
        self.write(CLOSE + ")")

    def _List(self, node: Node) -> None:
        self.write("[" + OPEN)
        self.items(node.elts)
        self.write(CLOSE + "]")

    def _Set(self, node: Node) -> None:
        self.write("{" + OPEN)
        self.items(node.elts)
        self.write((CLOSE if node.elts else "*()" + CLOSE) + "}")

    def _Dict(self, node: Node) -> None:
        self.write("{" + OPEN)
        for at, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if at:
                self.write("," + COMMA + " ")
            if key is None:
                self.write("**")
                self.expression(value, BIT_OR)
            else:
                self.expression(key)
                self.write(": ")
                self.expression(value)
        self.write(CLOSE + "}")

    def comprehension(self, opener: str, node: Node, closer: str) -> None:
        """Everything of a comprehension but a dict's key."""
        self.write(opener + OPEN_PLAIN)
        if kind(node) == "DictComp":
            self.expression(node.key)
            self.write(": ")
            self.expression(node.value)
        else:
            self.expression(node.elt, NAMED)
        self.dispatch(node.generators)
        self.write(CLOSE + closer)

    def _ListComp(self, node: Node) -> None:
        self.comprehension("[", node, "]")

    def _GeneratorExp(self, node: Node) -> None:
        self.comprehension("(", node, ")")

    def _SetComp(self, node: Node) -> None:
        self.comprehension("{", node, "}")

    def _DictComp(self, node: Node) -> None:
        self.comprehension("{", node, "}")

    def _comprehension(self, node: Node) -> None:
        self.write(break_before(_COMPREHENSION) + (" async for " if node.is_async else " for "))
        self.write(plain(self.captured(node.target)))
        self.write(" in ")
        self.expression(node.iter, OR)
        for test in node.ifs:
            self.write(break_before(_COMPREHENSION) + " if ")
            self.expression(test, OR)

    def captured(self, target: Node) -> str:
        """A target of an assignment, whose tuple needs no parentheses."""
        saved, self._parts = self._parts, []
        self.bare(target)
        text = "".join(self._parts)
        self._parts = saved
        return text

    # Literals

    def _Constant(self, node: Node) -> None:
        value = node.value
        if isinstance(value, str):
            prefix = "u" if getattr(node, "kind", None) == "u" else ""
            self.write(prefix + string_literal(value, self._outer))
        else:
            self.write(self.constant(value))

    def constant(self, value: object) -> str:
        """Any value that a constant node may hold."""
        if value is ...:
            return "..."
        if isinstance(value, bool) or value is None:
            return repr(value)
        if isinstance(value, int | float | complex):
            return number_literal(value)
        if isinstance(value, str | bytes):
            return string_literal(value, self._outer)
        if isinstance(value, tuple):
            return f"({', '.join(map(self.constant, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, frozenset):
            elements = ", ".join(sorted(map(self.constant, value)))
            return f"frozenset({{{elements}}})" if elements else "frozenset()"
        raise TypeError(f"cannot write the constant {value!r} as Python text")

    def _JoinedStr(self, node: Node) -> None:
        self.interpolated("f", node.values)

    def _TemplateStr(self, node: Node) -> None:
        self.interpolated("t", node.values)

    def _FormattedValue(self, node: Node) -> None:
        self.interpolated("f", [node])

    def _Interpolation(self, node: Node) -> None:
        self.interpolated("t", [node])

    def interpolated(self, prefix: str, values: list[Node]) -> None:
        """An f-string or t-string, in the first quotes that nothing inside of it needs."""
        values = list(_flattened(values))
        words = "".join(value.value for value in values if kind(value) == "Constant")
        quotes = ('"', "'", *QUOTES[2:]) if "'" in words and '"' not in words else QUOTES
        outer = self._outer
        for quote in quotes:
            try:
                self._outer = (*outer, quote)
                text = prefix + quote + self.inside(values, quote) + quote
            except Unquotable:
                continue
            finally:
                self._outer = outer
            if fits_inside(text, outer):
                self.write(text)
                return
        if _NESTED_QUOTES or prefix == "t":
            self._outer = ()
            try:
                self.write(prefix + quotes[0] + self.inside(values, quotes[0]) + quotes[0])
            finally:
                self._outer = outer
        elif outer:
            raise Unquotable
        else:
            self.call_format(values)

    def inside(self, values: list[Node], quote: str, in_spec: bool = False) -> str:
        """What is between the quotes.  In a format spec only an escape stands for a brace."""
        out = []
        for value in values:
            if kind(value) == "Constant":
                text = escape(value.value, quote, raw_whitespace=len(self._outer) > 1)
                left, right = (r"\x7b", r"\x7d") if in_spec else ("{{", "}}")
                out.append(text.replace("{", left).replace("}", right))
                continue
            text = self.interpolation(value)
            out.append("{ " if text.startswith("{") else "{")
            out.append(text + _conversion(value))
            if value.format_spec is not None:
                out.append(":" + self.inside(list(_flattened([value.format_spec])), quote, in_spec=True))
            out.append("}")
        return "".join(out)

    def interpolation(self, node: Node) -> str:
        """The expression between braces.  A t-string keeps its own text of it while that still holds."""
        if kind(node) == "Interpolation" and isinstance(node.str, str) and _is_text_of(node.str, node.value):
            return node.str
        last = node.value
        while kind(last) == "IfExp":
            last = last.orelse
        text = self.rendered(node.value, OR if kind(last) == "Lambda" else TEST)  # its colon would end it
        if not fits_inside(text, self._outer):
            raise Unquotable
        return text

    def call_format(self, values: list[Node]) -> None:
        """The same string by ``str.format``, where an f-string of this Python cannot hold its expressions."""
        template, arguments = _format_call(values)
        self.write(repr(template) + ".format(" + OPEN)
        self.items(arguments, TEST)
        self.write(CLOSE + ")")

    # Parameters

    def parameters(self, arguments: Node) -> str:
        """What is between the parentheses of a ``def``, or between ``lambda`` and its colon."""
        saved, self._parts = self._parts, []
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
        entries: list[tuple[str, Node, Node]] = []
        for at, (parameter, default) in enumerate(zip(positional, defaults, strict=True), 1):
            entries.append(("", parameter, default))
            if at == len(arguments.posonlyargs):
                entries.append(("/", None, None))
        if arguments.vararg is not None or arguments.kwonlyargs:
            entries.append(("*", arguments.vararg, None))
        entries += [("", *pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        if arguments.kwarg is not None:
            entries.append(("**", arguments.kwarg, None))
        for at, (star, parameter, default) in enumerate(entries):
            self.write(("," + COMMA + " " if at else "") + star)
            self.parameter(parameter, default)
        text = "".join(self._parts)
        self._parts = saved
        return text

    def parameter(self, parameter: Node, default: Node) -> None:
        """A parameter, its annotation and its default."""
        if parameter is None:
            return
        annotation = parameter.annotation
        self.write(parameter.id if kind(parameter) == "Name" else parameter.arg)
        if annotation is not None:
            self.write(": ")
            self.expression(annotation)
        if default is not None:
            self.write(" = " if annotation is not None else "=")
            self.expression(default)

    def _arguments(self, node: Node) -> None:
        self.write(self.parameters(node))

    def _arg(self, node: Node) -> None:
        self.parameter(node, None)

    def type_parameters(self, node: Node) -> None:
        """The bracket of type parameters of Python 3.12, with the defaults of 3.13."""
        parameters = getattr(node, "type_params", None)
        if parameters:
            self.write("[" + OPEN)
            self.items(parameters)
            self.write(CLOSE + "]")

    def type_parameter(self, node: Node, star: str) -> None:
        """One type parameter."""
        self.write(star + name_of(node.name))
        bound, default = getattr(node, "bound", None), getattr(node, "default_value", None)
        if bound is not None:
            self.write(": ")
            self.expression(bound)
        if default is not None:
            self.write(" = ")
            self.expression(default)

    def _TypeVar(self, node: Node) -> None:
        self.type_parameter(node, "")

    def _TypeVarTuple(self, node: Node) -> None:
        self.type_parameter(node, "*")

    def _ParamSpec(self, node: Node) -> None:
        self.type_parameter(node, "**")


def _flattened(values: Iterable[Node]) -> Iterable[Node]:
    """The parts of an f-string, those of f-strings among them taken apart."""
    for value in values:
        if kind(value) in ("JoinedStr", "TemplateStr"):
            yield from _flattened(value.values)
        else:
            yield value


def _conversion(node: Node) -> str:
    return "" if node.conversion in (None, -1) else f"!{chr(node.conversion)}"


def _is_text_of(text: str, tree: Node) -> bool:
    try:
        parsed = ast.parse(f"({text})", mode="eval").body
        tree = gast.gast_to_ast(tree) if type(tree).__module__.startswith("gast") else tree
        return ast.dump(parsed) == ast.dump(tree)
    except (SyntaxError, ValueError):
        return False


def _format_call(values: list[Node]) -> tuple[str, list[Node]]:
    template, arguments = [], []
    for value in values:
        if kind(value) == "Constant":
            template.append(value.value.replace("{", "{{").replace("}", "}}"))
            continue
        arguments.append(value.value)
        spec = ""
        if value.format_spec is not None:
            spec, inner = _format_call(list(_flattened([value.format_spec])))
            arguments += inner
            spec = ":" + spec
        template.append("{" + _conversion(value) + spec + "}")
    return "".join(template), arguments
