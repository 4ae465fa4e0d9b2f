"""Breaks a statement that is wider than a line, in the manner of black.

The text comes with invisible marks: where a bracket opens and closes, and where a line may break.  No
character is lost or reordered; only trailing commas, and the parentheses of optional groups, are added.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate

WIDTH = 110

# Control characters never stand raw in a literal that we write, so they are free to be marks.
OPEN = "\x01"  # after a bracket whose items may end with a trailing comma
OPEN_PLAIN = "\x02"  # after a bracket whose content must not
OPEN_OPTIONAL = "\x03"  # a group that gets parentheses only when it is broken
OPEN_OPTIONAL_TUPLE = "\x04"  # the same, with a trailing comma
CLOSE = "\x05"
BREAK = "\x06"  # a line may break here; the next character says how tightly its sides bind
COMMA = BREAK + "\x0e"

_MARK = re.compile("[\x01-\x05]|\x06.", re.DOTALL)


def break_before(binding: int) -> str:
    """The mark before an operator: the lowest ``binding`` in a group breaks first, commas before all."""
    return BREAK + chr(0x0F + binding)


@dataclass(slots=True)
class _Group:
    opener: str
    content: list[_Piece] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Break:
    binding: str


_Piece = str | _Group | _Break


def plain(text: str) -> str:
    """The text without its marks, on one line."""
    return _MARK.sub("", text)


def lay_out(text: str, indent: int) -> str:
    """The statement at ``indent`` columns, broken where it does not fit.

    >>> print(lay_out("f(" + OPEN + "a" * 60 + "," + COMMA + " " + "b" * 60 + CLOSE + ")", 0))
    f(
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
    )
    """
    flat = plain(text)
    if indent + len(flat) <= WIDTH or "\n" in flat:
        return " " * indent + flat
    return "\n".join(_lines(_parse(text), indent, first=flat.startswith(("def ", "async def "))))


def _parse(text: str) -> list[_Piece]:
    root: list[_Piece] = []
    stack = [root]
    at = 0
    for mark in _MARK.finditer(text):
        if mark.start() > at:
            stack[-1].append(text[at : mark.start()])
        at = mark.end()
        token = mark.group()
        if token == CLOSE:
            stack.pop()
        elif token[0] == BREAK:
            stack[-1].append(_Break(token[1]))
        else:
            group = _Group(token)
            stack[-1].append(group)
            stack.append(group.content)
    if at < len(text):
        root.append(text[at:])
    return root


def _flat(pieces: list[_Piece]) -> str:
    return "".join(
        piece if isinstance(piece, str) else _flat(piece.content) if isinstance(piece, _Group) else ""
        for piece in pieces
    )


def _is_optional(group: _Group) -> bool:
    return group.opener in (OPEN_OPTIONAL, OPEN_OPTIONAL_TUPLE)


def _settle(pieces: list[_Piece]) -> list[_Piece]:
    """Give optional groups that hold an operator or a comma parentheses; the others melt into the line."""
    out: list[_Piece] = []
    for piece in pieces:
        if not isinstance(piece, _Group) or not _is_optional(piece):
            out.append(piece)
        elif any(isinstance(inner, _Break) for inner in piece.content):
            opener = OPEN if piece.opener == OPEN_OPTIONAL_TUPLE else OPEN_PLAIN
            out += ["(", _Group(opener, piece.content), ")"]
        else:
            out += _settle(piece.content)
    return out


def _lines(pieces: list[_Piece], indent: int, first: bool = False) -> list[str]:
    """Break one bracket: what is before it, its content one step in, what is after it.

    ``first`` asks for the first bracket (a signature), otherwise it is the last that leaves short ends.
    """
    margin = " " * indent
    flat = _flat(pieces)
    if indent + len(flat) <= WIDTH:
        return [margin + flat]
    pieces = _settle(pieces)
    widths = [len(_flat([piece])) for piece in pieces]
    ends = list(accumulate(widths))
    groups = [at for at, piece in enumerate(pieces) if isinstance(piece, _Group) and widths[at]]
    if not groups:
        return [margin + _flat(pieces)]
    room = WIDTH - indent
    good = [at for at in groups if ends[at] - widths[at] <= room and ends[-1] - ends[at] <= room]
    chosen = (good or groups)[0] if first or not good else good[-1]
    group = pieces[chosen]
    assert isinstance(group, _Group)
    head = margin + _flat(pieces[:chosen])
    return [head, *_content(group, indent + 4), *_lines(pieces[chosen + 1 :], indent)]


def _content(group: _Group, indent: int) -> list[str]:
    flat = _flat(group.content)
    bindings = [piece.binding for piece in group.content if isinstance(piece, _Break)]
    if indent + len(flat) <= WIDTH or not bindings:
        return _lines(group.content, indent)
    lowest = min(bindings)
    items: list[list[_Piece]] = [[]]
    for piece in group.content:
        if isinstance(piece, _Break) and piece.binding == lowest:
            items.append([])
        elif isinstance(piece, str) and not items[-1]:
            items[-1].append(piece.lstrip(" "))
        else:
            items[-1].append(piece)
    if lowest == COMMA[1] and group.opener == OPEN:
        items[-1].append(",")
    return [line for item in items for line in _lines(item, indent)]
