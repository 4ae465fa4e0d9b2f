"""Syntax tree to text and to code object.

The text is what a person would write: PEP 8, only the parentheses that precedence needs, comments in their
places.  Trees of ``gast`` and of ``ast`` are both understood, with every node class of Python 3.10 to 3.14,
whichever Python runs.  Nothing here changes a tree, and nothing here knows what the tree means.

Comments travel on the nodes, as :mod:`autograph.comments` puts them there.
"""
from __future__ import annotations

import ast
from types import CodeType

import gast

from autograph.comments import attach_comments
from autograph.expression_text import ATOM, BIT_OR, NAMED, TEST, ExpressionText, Node, kind, name_of
from autograph.layout import CLOSE, COMMA, OPEN, OPEN_OPTIONAL_TUPLE, break_before, lay_out, plain
from autograph.literals import docstring_literal
from autograph.silence import silent

_DEFINITIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "ClassDef"})
_IMPORTS = frozenset({"Import", "ImportFrom"})


def to_text(tree: Node, comments: str | None = None) -> str:
    """The tree as Python text; statements end with a newline, an expression does not.

    ``comments`` is the source text that the tree was parsed from: its comments are attached first.

    >>> print(to_text(ast.parse("x = (((a + b)) * c)")), end="")
    x = (a + b) * c
    """
    if comments is not None:
        attach_comments(tree, comments)
    unparser = Unparser()
    if isinstance(tree, ast.stmt):
        unparser.statements([tree], None)
    else:
        unparser.dispatch(tree)
    return unparser.finish()


def to_code_object(tree: Node, filename: str, flags: int = 0) -> CodeType:
    """Compile a module under ``filename``, with the locations that its nodes carry.

    Args:
        flags: those of the features of ``__future__`` that the text is written with.

    >>> namespace = {}
    >>> exec(to_code_object(ast.parse("x = 1"), "user.py"), namespace)
    >>> namespace["x"]
    1
    """
    if isinstance(tree, gast.Module | gast.Expression) and not isinstance(tree, ast.Module | ast.Expression):
        tree = gast.gast_to_ast(tree)
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    _keep_calls_at_their_first_line(ast.fix_missing_locations(tree))
    with silent(filename):
        code: CodeType = compile(tree, filename, mode, flags=flags, dont_inherit=True)
    return code


def _keep_calls_at_their_first_line(tree: ast.AST) -> None:
    """Python moves a call of a method to the line where its name ends; an operator has none there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method = node.func
            is_operator = (method.end_lineno, method.end_col_offset) == (node.end_lineno, node.end_col_offset)
            if is_operator and method.lineno != method.end_lineno:
                method.end_lineno, method.end_col_offset = method.lineno, method.col_offset + 1


class Unparser(ExpressionText):
    """Writes statements line by line."""

    def __init__(self) -> None:  # the base class would print the tree at once
        self._lines: list[str] = []
        self._parts: list[str] = []
        self._indent = 0
        self._line_indent: int | None = None  # of the line being written, None outside of statements
        self._comment = ""  # to end the line being written
        self._next_comment = ""  # to end the line that comes next
        self._module_level = False

    # Lines

    def fill(self, text: str = "") -> None:
        """Start a new line."""
        self._end_line()
        self._line_indent = 4 * self._indent
        self._comment, self._next_comment = self._next_comment, ""
        self._parts.append(text)

    def _end_line(self) -> None:
        if self._line_indent is not None:
            text = lay_out("".join(self._parts), self._line_indent)
            self._lines.append(f"{text}  {self._comment}" if self._comment else text)
        self._parts.clear()
        self._line_indent = None
        self._comment = ""

    def finish(self) -> str:
        """All that was written."""
        if self._line_indent is None and self._parts:
            return plain("".join(self._parts))
        self._end_line()
        return "".join(f"{line}\n" for line in self._lines)

    def comment_lines(self, node: Node, attribute: str) -> None:
        """Comments on lines of their own."""
        comments = getattr(node, attribute, None)
        if comments:
            self._end_line()
            margin = "    " * self._indent
            for comment in comments:
                self._lines += [margin + _as_comment(line) if line else "" for line in comment.split("\n")]

    # Blocks

    def block(self, owner: Node, field: str = "body") -> None:
        """A colon and the statements of a compound statement's field, with the comments at its end."""
        self.enter()
        statements = getattr(owner, field)
        if statements:
            self.statements(statements, owner if field == "body" else None)
        else:
            self.fill("pass")  # a part that a pass has emptied
        self.comment_lines(owner, _of("comments_end", field))
        self.leave()

    def clause(self, word: str, owner: Node, field: str) -> None:
        """An ``else`` or a ``finally``, which have no node of their own, if there is one."""
        if getattr(owner, field):
            self.comment_lines(owner, _of("comments_before", field))
            self._next_comment = _trailing(owner, _of("comment_after", field))
            self.fill(word)
            self.block(owner, field)

    def statements(self, nodes: list[Node], owner: Node | None) -> None:
        """Statements, with the blank lines between them."""
        previous = None
        for at, node in enumerate(nodes):
            is_docstring = at == 0 and owner is not None and _is_docstring(owner, node)
            if previous is not None:
                self._end_line()
                self._lines += [""] * self.blank_lines(previous, node, owner)
            self.comment_lines(node, "comments_before")
            if is_docstring:
                self.docstring(node)
            else:
                if kind(node) not in _DEFINITIONS:
                    self._next_comment = _trailing(node, "comment_after")
                self.dispatch(node)
            previous = node

    def blank_lines(self, previous: Node, node: Node, owner: Node | None) -> int:
        """Blank lines between two statements: those that PEP 8 wants, and one where the user had some."""
        most = 2 if self._module_level and self._indent == 0 else 1
        if kind(node) in _DEFINITIONS or kind(previous) in _DEFINITIONS:
            return most
        spaced = owner is not None and kind(owner) in ("Module", "ClassDef")
        after_docstring = spaced and _is_docstring(owner, previous)
        after_imports = most == 2 and kind(previous) in _IMPORTS and kind(node) not in _IMPORTS
        return max(int(after_docstring or after_imports), min(most, getattr(node, "blank_before", 0)))

    def docstring(self, node: Node) -> None:
        """A docstring, whose lines are never broken or indented anew."""
        self._next_comment = _trailing(node, "comment_after")
        self.fill()
        prefix = "u" if getattr(node.value, "kind", None) == "u" else ""
        self.write(prefix + docstring_literal(node.value.value))

    def _Module(self, node: Node) -> None:
        self._module_level = True
        self.statements(node.body, node)
        self.comment_lines(node, "comments_end")

    # Simple statements

    def value(self, node: Node, bare: bool = False) -> None:
        """What stands after ``=``: a yield needs no parentheses there, an assignment expression does."""
        if kind(node) in ("Yield", "YieldFrom"):
            self.dispatch(node)
        else:
            self.optional(node, TEST, bare)

    def _Expr(self, node: Node) -> None:
        self.fill()
        if kind(node.value) in ("Yield", "YieldFrom"):
            self.dispatch(node.value)
        else:
            self.expression(node.value, TEST)

    def _Assign(self, node: Node) -> None:
        self.fill()
        for target in node.targets:
            self.write(plain(self.captured(target)) if kind(target) == "Tuple" else self.captured(target))
            self.write(" = ")
        self.value(node.value, bare=all(kind(target) == "Tuple" for target in node.targets))

    def _AugAssign(self, node: Node) -> None:
        self.fill()
        self.dispatch(node.target)
        self.write(f" {self.binop[kind(node.op)]}= ")
        self.value(node.value)

    def _AnnAssign(self, node: Node) -> None:
        self.fill()
        self.expression(node.target)
        if kind(node.target) == "Name" and not node.simple:
            self._parts[-1] = f"({self._parts[-1]})"
        self.write(": ")
        self.expression(node.annotation)
        if node.value is not None:
            self.write(" = ")
            self.value(node.value)

    def _TypeAlias(self, node: Node) -> None:
        self.fill("type ")
        self.dispatch(node.name)
        self.type_parameters(node)
        self.write(" = ")
        self.optional(node.value)

    def _Return(self, node: Node) -> None:
        self.fill("return")
        if node.value is not None:
            self.write(" ")
            self.optional(node.value, bare=True)

    def _Delete(self, node: Node) -> None:
        self.fill("del ")
        self.write(OPEN_OPTIONAL_TUPLE)
        self.items(node.targets)
        self.write(CLOSE)

    def _Raise(self, node: Node) -> None:
        self.fill("raise")
        if node.exc is not None:
            self.write(" ")
            self.expression(node.exc)
        if node.cause is not None:
            self.write(" from ")
            self.expression(node.cause)

    def _Assert(self, node: Node) -> None:
        self.fill("assert ")
        self.optional(node.test)
        if node.msg is not None:
            self.write(", ")
            self.optional(node.msg)

    def _ImportFrom(self, node: Node) -> None:
        self.fill(f"from {'.' * (node.level or 0)}{node.module or ''} import ")
        self.write(OPEN_OPTIONAL_TUPLE)
        self.items(node.names)
        self.write(CLOSE)

    # Compound statements

    def _If(self, node: Node) -> None:
        self.header("if ", node)
        while len(node.orelse) == 1 and kind(node.orelse[0]) == "If" and not _has_else_comments(node):
            node = node.orelse[0]
            self.comment_lines(node, "comments_before")
            self._next_comment = _trailing(node, "comment_after")
            self.header("elif ", node)
        self.clause("else", node, "orelse")

    def header(self, words: str, node: Node) -> None:
        """A statement that starts with a test, and its body."""
        self.fill(words)
        self.optional(node.test, NAMED)
        self.block(node)

    def _While(self, node: Node) -> None:
        self.header("while ", node)
        self.clause("else", node, "orelse")

    def _For(self, node: Node) -> None:
        self.loop("for ", node)

    def _AsyncFor(self, node: Node) -> None:
        self.loop("async for ", node)

    def loop(self, words: str, node: Node) -> None:
        """A ``for`` of either kind."""
        self.fill(words + plain(self.captured(node.target)) + " in ")
        self.optional(node.iter)
        self.block(node)
        self.clause("else", node, "orelse")

    def _With(self, node: Node) -> None:
        self.with_items("with ", node)

    def _AsyncWith(self, node: Node) -> None:
        self.with_items("async with ", node)

    def with_items(self, words: str, node: Node) -> None:
        """A ``with`` of either kind."""
        self.fill(words)
        only = node.items[0]
        if len(node.items) == 1 and kind(only.context_expr) == "Tuple" and only.optional_vars is None:
            self.write("(")  # with (a, b): would enter both
            self.dispatch(only)
            self.write(")")
        else:
            self.write(OPEN_OPTIONAL_TUPLE)
            self.items(node.items)
            self.write(CLOSE)
        self.block(node)

    def _withitem(self, node: Node) -> None:
        self.expression(node.context_expr)
        if node.optional_vars is not None:
            self.write(" as ")
            self.expression(node.optional_vars)

    def _Try(self, node: Node) -> None:
        self.try_statement(node, star=False)

    def _TryStar(self, node: Node) -> None:
        self.try_statement(node, star=True)

    def try_statement(self, node: Node, star: bool) -> None:
        """A ``try`` with ``except`` or ``except*``."""
        self.fill("try")
        self.block(node)
        for handler in node.handlers:
            self.comment_lines(handler, "comments_before")
            self._next_comment = _trailing(handler, "comment_after")
            self.fill("except*" if star else "except")
            if handler.type is not None:
                self.write(" ")
                self.expression(handler.type)
            if handler.name is not None:
                self.write(f" as {name_of(handler.name)}")
            self.block(handler)
        self.clause("else", node, "orelse")
        self.clause("finally", node, "finalbody")

    def _Match(self, node: Node) -> None:
        self.fill("match ")
        if kind(node.subject) == "Tuple" and len(node.subject.elts) > 1:
            self.bare(node.subject)
        else:
            self.optional(node.subject, NAMED)
        self.enter()
        self.dispatch(node.cases)
        self.leave()

    def _match_case(self, node: Node) -> None:
        self.comment_lines(node, "comments_before")
        self._next_comment = _trailing(node, "comment_after")
        self.fill("case ")
        self.dispatch(node.pattern)
        if node.guard is not None:
            self.write(" if ")
            self.optional(node.guard, NAMED)
        self.block(node)

    # Definitions

    def decorators(self, node: Node) -> None:
        """The decorators, and the comment of the line after them."""
        for decorator in node.decorator_list:
            self.fill("@")
            self.expression(decorator, NAMED)
        self._next_comment = _trailing(node, "comment_after")

    def _FunctionDef(self, node: Node) -> None:
        self.definition("def ", node)

    def _AsyncFunctionDef(self, node: Node) -> None:
        self.definition("async def ", node)

    def definition(self, words: str, node: Node) -> None:
        """A function of either kind."""
        self.decorators(node)
        self.fill(words + node.name)
        self.type_parameters(node)
        self.write("(" + OPEN + self.parameters(node.args) + CLOSE + ")")
        if node.returns is not None:
            self.write(" -> ")
            self.expression(node.returns)
        self.block(node)

    def _ClassDef(self, node: Node) -> None:
        self.decorators(node)
        self.fill(f"class {node.name}")
        self.type_parameters(node)
        if node.bases or node.keywords:
            self.arguments(node.bases, node.keywords)
        self.block(node)

    def _FunctionType(self, node: Node) -> None:
        self.write("(")
        self.items(node.argtypes)
        self.write(") -> ")
        self.expression(node.returns)

    def _TypeIgnore(self, node: Node) -> None:
        """Type comments are no part of the text."""

    # Patterns

    def _MatchValue(self, node: Node) -> None:
        self.expression(node.value)

    def _MatchSingleton(self, node: Node) -> None:
        self.write(repr(node.value))

    def _MatchSequence(self, node: Node) -> None:
        self.write("[" + OPEN)
        self.items(node.patterns)
        self.write(CLOSE + "]")

    def _MatchStar(self, node: Node) -> None:
        self.write("*" + ("_" if node.name is None else name_of(node.name)))

    def _MatchMapping(self, node: Node) -> None:
        self.write("{" + OPEN)
        for at, (key, value) in enumerate(zip(node.keys, node.patterns, strict=True)):
            self.write("," + COMMA + " " if at else "")
            self.expression(key)
            self.write(": ")
            self.expression(value)
        if node.rest is not None:
            self.write(("," + COMMA + " " if node.keys else "") + "**" + name_of(node.rest))
        self.write(CLOSE + "}")

    def _MatchClass(self, node: Node) -> None:
        self.expression(node.cls, ATOM)
        self.write("(" + OPEN)
        self.items(node.patterns)
        for at, (name, value) in enumerate(zip(node.kwd_attrs, node.kwd_patterns, strict=True)):
            self.write(("," + COMMA + " " if at or node.patterns else "") + name + "=")
            self.expression(value)
        self.write(CLOSE + ")")

    def _MatchAs(self, node: Node) -> None:
        if node.pattern is not None:
            self.expression(node.pattern, BIT_OR)
            self.write(" as ")
        self.write("_" if node.name is None else name_of(node.name))

    def _MatchOr(self, node: Node) -> None:
        for at, pattern in enumerate(node.patterns):
            self.write(break_before(BIT_OR) + " | " if at else "")
            self.expression(pattern, BIT_OR + 1)


def _of(attribute: str, field: str) -> str:
    """The name of the attribute with the comments of a field; those of the body have the plain name."""
    return attribute if field == "body" else f"{attribute}_{field}"


def _as_comment(line: str) -> str:
    return line if line.startswith("#") else f"# {line}"


def _trailing(node: Node, attribute: str) -> str:
    comment = getattr(node, attribute, None)
    return _as_comment(comment) if comment else ""


def _has_else_comments(node: Node) -> bool:
    """Whether comments need a line ``else:`` to stand at, so that it cannot become an ``elif``."""
    return any(
        getattr(node, f"{attribute}_orelse", None)
        for attribute in ("comments_before", "comment_after", "comments_end")
    )


def _is_docstring(owner: Node, node: Node) -> bool:
    if kind(owner) not in _DEFINITIONS and kind(owner) != "Module":
        return False
    return (
        node is owner.body[0]
        and kind(node) == "Expr"
        and kind(node.value) == "Constant"
        and isinstance(node.value.value, str)
    )
