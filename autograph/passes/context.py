"""What the passes share about one conversion: names, the user's lines, and what the world outside holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.errors import UnsupportedSyntaxError


def nothing_known(question: str, name: str) -> bool:
    """Every outside name holds data, and nothing else is known."""
    return question == "data"


@dataclass
class Context:
    """One conversion; ``ask(question, name)`` answers what the passes ask about the world outside.

    ``data``: whether an outside name holds data, to be read through ``ag.outer``, or something that does not
    change (a module, class, function), read as it is.  ``transparent``: whether the context managers of this
    name (``np.errstate``) let every exception through.  ``container``: whether the owner of an attribute
    (``config.RATE``) is a module, class or function of the user's; ``data attribute`` and ``code attribute``:
    what such an attribute holds.  ``user's``: whether an outer name holds a module, class or function of the
    user's.
    """

    used: set[str] = field(default_factory=set)
    filename: str = "<unknown>"
    lines: list[str] = field(default_factory=list)
    ask: Callable[[str, str], bool] = nothing_known
    ag: str = "ag"
    static_names: dict[str, None] = field(default_factory=dict)
    stage_tests: bool = False  # also those that look static
    cells: frozenset[str] = frozenset()  # variables that are kept in cells
    generators: frozenset[tuple[str, int]] = frozenset()  # whose yields are operators, by name and line
    generator: bool = False  # whether the function converted is one of these
    stage_comparisons: bool = False  # any may be of tuples
    open_stars: bool = False  # parameters with stars may hold what only the run knows
    open_operands: bool = False  # so may what % and [a:b] are asked of
    open_keys: bool = False  # so may displays of dicts and sets
    native_tests: bool = False  # whether tests were left native as static ones
    flags: set[str] = field(default_factory=set)  # names made for jumps: read only where they are set
    made: set[str] = field(default_factory=set)  # names that conversion chose
    comprehensions: dict[str, str] = field(default_factory=dict)  # function for one -> Python's name of it
    _stable: dict[str, str] = field(default_factory=dict)

    def fresh(self, base: str) -> str:
        """A name that nothing uses yet, and from now on is used.

        >>> context = Context(used={"stop"})
        >>> context.fresh("stop"), context.fresh("stop")
        ('stop_1', 'stop_2')
        """
        name, number = base, 0
        while name in self.used:
            number += 1
            name = f"{base}_{number}"
        self.used.add(name)
        self.made.add(name)
        return name

    def stable(self, base: str) -> str:
        """A name that the user does not use, the same each time it is asked for.

        >>> context = Context(used={"then"})
        >>> context.stable("then"), context.stable("then")
        ('then_1', 'then_1')
        """
        if base not in self._stable:
            self._stable[base] = self.fresh(base)
        return self._stable[base]

    def header(self, statement: Any, last: Any) -> str:
        """The user's text from the start of ``statement`` to the end of its part ``last``, on one line."""
        start, end = getattr(statement, "lineno", None), getattr(last, "end_lineno", None)
        if start is None or end is None or end > len(self.lines):
            return ""
        lines = [line.encode() for line in self.lines[start - 1 : end]]
        lines[-1] = lines[-1][: last.end_col_offset]
        lines[0] = lines[0][statement.col_offset :]
        text = " ".join(line.decode().strip() for line in lines)
        return text + ")" * (text.count("(") - text.count(")")) if "#" not in text else ""

    def head(self, statement: Any, last: Any) -> Any:
        """A place of one line: from the start of ``statement`` to the end of ``last``, or of the line.

        Python moves the location of a call of a method to the line where the name of the method ends, so an
        operator that stands for a construct of many lines is placed at its first.
        """
        place = gast.Pass()
        line = getattr(statement, "lineno", None)
        if line is None:
            return place
        place.lineno = place.end_lineno = line
        place.col_offset = statement.col_offset
        if getattr(last, "end_lineno", None) == line:
            place.end_col_offset = max(last.end_col_offset, place.col_offset)
        elif line <= len(self.lines):
            place.end_col_offset = len(self.lines[line - 1].rstrip().encode())
        else:
            place.end_col_offset = place.col_offset
        return place

    def refuse(self, node: Any, what: str, why: str, fix: str) -> UnsupportedSyntaxError:
        """The error for a construct that cannot be staged, at its place."""
        number = getattr(node, "lineno", None)
        line = self.lines[number - 1].rstrip("\n") if number and number <= len(self.lines) else None
        one_line = getattr(node, "end_lineno", None) == number
        return UnsupportedSyntaxError(
            what,
            why=why,
            fix=fix,
            filename=self.filename,
            lineno=number,
            line=line,
            col_offset=getattr(node, "col_offset", None),
            end_col_offset=node.end_col_offset if one_line and number else None,
        )
