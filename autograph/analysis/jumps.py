"""Where control may leave a statement other than by its end."""

from __future__ import annotations

from typing import Any

import gast

from autograph.tree import blocks

BREAK, CONTINUE, RETURN = "break", "continue", "return"
LOOPS = (gast.For, gast.While, gast.AsyncFor)


def kinds(statements: list[Any]) -> set[str]:
    """The jumps out of ``statements``: ``break``/``continue`` of the loop around them, ``return``.

    >>> sorted(kinds(gast.parse("while a:\\n  if b: return c\\n  break\\n").body))
    ['return']
    """
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, gast.Return):
            found.add(RETURN)
        elif isinstance(statement, gast.Break):
            found.add(BREAK)
        elif isinstance(statement, gast.Continue):
            found.add(CONTINUE)
        elif isinstance(statement, LOOPS):
            found |= kinds(statement.body) & {RETURN}
            found |= kinds(statement.orelse)
        else:
            for block in blocks(statement):
                found |= kinds(block)
    return found


def staged_return(statements: list[Any], under: bool = False) -> bool:
    """Whether a ``return`` lies under an ``if`` or loop that data may decide, or in a ``try`` or ``with``."""
    for statement in statements:
        if isinstance(statement, gast.Return):
            if under:
                return True
            continue
        staged = isinstance(statement, (*LOOPS, gast.Try, gast.With)) or (
            isinstance(statement, gast.If) and not getattr(statement, "static", False)
        )
        if any(staged_return(block, under or staged) for block in blocks(statement)):
            return True
    return False


def falls(statements: list[Any]) -> bool:
    """Whether control may pass the end of ``statements``.

    >>> falls(gast.parse("if a:\\n  raise b\\nelse:\\n  raise c\\n").body)
    False
    """
    for statement in statements:
        if isinstance(statement, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
            return False
        if isinstance(statement, gast.If) and not falls(statement.body) and not falls(statement.orelse):
            return False
        if endless(statement) and not kinds(statement.body) & {BREAK}:
            return False
        transparent = isinstance(statement, gast.With) and getattr(statement, "transparent", False)
        if transparent and not falls(statement.body):
            return False
        if isinstance(statement, (gast.Try, getattr(gast, "TryStar", gast.Try))):
            if statement.finalbody and not falls(statement.finalbody):
                return False
            normal = falls(statement.body) and falls(statement.orelse)
            if not normal and all(not falls(handler.body) for handler in statement.handlers):
                return False
    return True


def endless(statement: Any) -> bool:
    """``while True``, whatever its body does."""
    return (
        isinstance(statement, gast.While)
        and isinstance(statement.test, gast.Constant)
        and bool(statement.test.value)
    )
