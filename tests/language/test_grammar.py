"""The table of the grammar is complete."""

from __future__ import annotations

import ast

from autograph.passes.grammar import REFUSED, TABLE

ABSTRACT = {
    "AST", "mod", "stmt", "expr", "expr_context", "boolop", "operator", "unaryop", "cmpop", "excepthandler",
    "pattern", "type_param", "type_ignore", "slice",
    # kept by Python for old trees only
    "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite", "AugLoad", "AugStore",
    "Param", "_ast_Ellipsis",
}  # fmt: skip


def test_every_node_class_of_the_running_python_has_a_row() -> None:
    """A node class that a new Python brings does not slip through."""
    running = {
        name
        for name, value in vars(ast).items()
        if isinstance(value, type) and issubclass(value, ast.AST) and name not in ABSTRACT
    }
    assert running - set(TABLE) == set()


def test_what_is_refused_says_what_to_write_instead() -> None:
    """A refusal is of no use without a way out."""
    assert all(message for kind, message in TABLE.values() if kind == REFUSED)
