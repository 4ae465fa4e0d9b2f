"""Comments of a source text, attached to the statements that they belong to.

A statement, an ``except`` clause or a ``case`` may carry

- ``comments_before``: the lines of comment above it, each with its ``#`` (an empty string is a blank line),
- ``comment_after``: the comment that ends its first line, for a compound statement its header line,
- ``comments_end``: the lines of comment that end its body,
- ``blank_before``: how many blank lines there were above it and its comments.

``else`` and ``finally`` have no node; their comments are on the statement, under the names of their fields:
``comments_before_orelse``, ``comment_after_orelse``, ``comments_end_orelse``, the same with ``_finalbody``.
"""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass, field
from typing import Any

Node = Any  # a node of gast or of ast

_FIELD_OF_WORD = {"else": "orelse", "finally": "finalbody"}
_SKIPPED = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER)


@dataclass(slots=True)
class _Comment:
    text: str
    line: int
    column: int


@dataclass(slots=True)
class _LogicalLine:
    """One statement or header; without a ``word`` it is the end of the text."""

    line: int
    column: int
    word: str = ""
    above: list[_Comment] = field(default_factory=list)
    within: list[_Comment] = field(default_factory=list)
    last_line: int = 0


@dataclass(slots=True)
class _Block:
    column: int
    owner: Node
    field: str


def attach_comments(tree: Node, source_text: str) -> None:
    """Find the comments of ``source_text`` and hang each on its statement in ``tree``, parsed from that text.

    >>> tree = ast.parse("# one\\nx = 1  # two")
    >>> attach_comments(tree, "# one\\nx = 1  # two")
    >>> tree.body[0].comments_before, tree.body[0].comment_after
    (['# one'], '# two')
    """
    nodes = _nodes_by_line(tree)
    blocks: list[_Block] = []
    owners: dict[int, Node] = {}  # column -> the compound statement that an else there belongs to
    previous = _LogicalLine(0, 0)
    opened: tuple[Node, str] = (tree, "body")
    for line in _logical_lines(source_text):
        _attach_above(line, previous, nodes, blocks, owners, tree)
        while blocks and blocks[-1].column > line.column:
            blocks.pop()
        if not line.word:
            break
        if not blocks or blocks[-1].column < line.column:
            blocks.append(_Block(line.column, *opened))
        node, clause = _header(line, nodes, owners)
        if node is None:
            opened = (tree, "body")
        else:
            if not clause and isinstance(node, ast.stmt):
                owners[line.column] = node
            _attach_within(line, node, clause)
            opened = (node, clause or "body")
        previous = line


def settle_comments(tree: Node) -> None:
    """Move the comments of each ``if``, loop, ``try``, ``with`` and ``match`` to statements inside it, which
    passes keep.

    A comment at a header goes above the first statement of its block, one at the end above the last.

    >>> source = "if x:  # why\\n    y = 1\\n    # so"
    >>> tree = ast.parse(source)
    >>> attach_comments(tree, source)
    >>> settle_comments(tree)
    >>> tree.body[0].body[0].comments_before
    ['# why', '# so']
    """
    for node in _walk_statements(tree):
        name = type(node).__name__
        if name not in ("If", "For", "While", "With", "Try", "ExceptHandler", "match_case"):
            continue
        if name == "match_case":  # it is no statement, so even what is above it moves
            _settle(node, "body", _taken(node, "comments_before"))
        else:
            _settle(node, "body", [])
        if getattr(node, "orelse", None):
            _settle(node, "orelse", _taken(node, "comments_before_orelse"))
        if getattr(node, "finalbody", None):
            _settle(node, "finalbody", _taken(node, "comments_before_finalbody"))


def _settle(owner: Node, field_name: str, above: list[str]) -> None:
    """Give the comments around one block to its first and its last statement."""
    after = getattr(owner, _of("comment_after", field_name), None)
    if after:
        above = [*above, after]
        delattr(owner, _of("comment_after", field_name))
    end = _taken(owner, _of("comments_end", field_name))
    statements = getattr(owner, field_name)
    if above:
        statements[0].comments_before = [*above, *getattr(statements[0], "comments_before", [])]
    if end:
        _append(statements[-1], "comments_before", [comment for comment in end if comment])


def _taken(node: Node, attribute: str) -> list[str]:
    comments: list[str] = getattr(node, attribute, [])
    if comments:
        delattr(node, attribute)
    return comments


def _logical_lines(text: str) -> list[_LogicalLine]:
    """The logical lines of a text, each with the comments above and inside it."""
    lines: list[_LogicalLine] = []
    above: list[_Comment] = []
    current: _LogicalLine | None = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comment = _Comment(token.string.rstrip(), *token.start)
                (above if current is None else current.within).append(comment)
            elif token.type == tokenize.NEWLINE:
                if current is not None:
                    current.last_line = token.start[0]
                current = None
            elif token.type not in _SKIPPED and current is None:
                current = _LogicalLine(*token.start, token.string, above)
                above = []
                lines.append(current)
    except (tokenize.TokenError, SyntaxError):
        pass  # the text goes on after the tree, as that of a lambda may
    lines.append(_LogicalLine(text.count("\n") + 2, -1, "", above))
    return lines


def _nodes_by_line(tree: Node) -> dict[int, Node]:
    """The first node that starts on each line, of those that may carry comments."""
    nodes: dict[int, Node] = {}
    for node in _walk_statements(tree):
        for decorator in getattr(node, "decorator_list", ()):
            nodes.setdefault(decorator.lineno, node)
        place = getattr(node, "pattern", node)
        nodes.setdefault(getattr(place, "lineno", 0), node)
    return nodes


def _walk_statements(tree: Node) -> list[Node]:
    """Statements, handlers and cases, outer ones first."""
    out: list[Node] = []
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        if node is not tree or isinstance(node, ast.stmt):
            out.append(node)
        for name in ("finalbody", "orelse", "handlers", "cases", "body"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                waiting.extend(reversed(inner))
    return out


def _header(line: _LogicalLine, nodes: dict[int, Node], owners: dict[int, Node]) -> tuple[Node, str]:
    """The node whose header the line is, and the field if the line is an ``else`` or a ``finally``."""
    clause = _FIELD_OF_WORD.get(line.word, "")
    return (owners.get(line.column), clause) if clause else (nodes.get(line.line), "")


def _attach_above(
    line: _LogicalLine,
    previous: _LogicalLine,
    nodes: dict[int, Node],
    blocks: list[_Block],
    owners: dict[int, Node],
    tree: Node,
) -> None:
    """Comments above a line: at the end of a block that it closes, where they are indented, or before it."""
    node, clause = _header(line, nodes, owners) if line.word else (None, "")
    closing = [block for block in blocks if block.column > line.column]
    before: list[_Comment] = []
    last_line = previous.last_line
    for comment in line.above:
        if closing and comment.column > line.column and not before:
            fitting = [block for block in closing if block.column <= comment.column] or closing[:1]
            blank_lines = min(comment.line - last_line - 1, 2 if comment.column == 0 else 1)
            texts = [""] * blank_lines + [comment.text]
            _append(fitting[-1].owner, _of("comments_end", fitting[-1].field), texts)
            last_line = comment.line
        elif node is not None:
            before.append(comment)
        elif not line.word:
            _append(tree, "comments_end", [comment.text])
    first = before[0].line if before else line.line
    if node is None:
        return
    if not clause and first > last_line + 1:
        node.blank_before = first - last_line - 1
    if before:
        texts = []
        for at, comment in enumerate(before):
            following = before[at + 1].line if at + 1 < len(before) else line.line
            texts += [comment.text, *[""] * (following > comment.line + 1)]
        _append(node, _of("comments_before", clause), texts)


def _attach_within(line: _LogicalLine, node: Node, clause: str) -> None:
    """Comments on a line: one at its end stays there, those between its parts go above."""
    is_decorator = line.word == "@"
    attribute = _of("comment_after", clause)
    for comment in line.within:
        at_an_end = comment.line in (line.line, line.last_line) or len(line.within) == 1
        if at_an_end and not is_decorator and not hasattr(node, attribute):
            setattr(node, attribute, comment.text)
        else:
            _append(node, _of("comments_before", clause), [comment.text])


def _of(attribute: str, field_name: str) -> str:
    return attribute if field_name in ("", "body") else f"{attribute}_{field_name}"


def _append(node: Node, attribute: str, comments: list[str]) -> None:
    if not hasattr(node, attribute):
        setattr(node, attribute, [])
    getattr(node, attribute).extend(comments)
