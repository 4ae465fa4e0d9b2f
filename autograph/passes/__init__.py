"""The passes, in order: from the user's tree to what runs.

Each is a function ``tree, context -> tree``, in a room of its own.
"""

from __future__ import annotations

from typing import Any

from autograph.passes.calls import calls
from autograph.passes.cells import cells
from autograph.passes.comprehensions import comprehensions
from autograph.passes.context import Context
from autograph.passes.control_flow import control_flow
from autograph.passes.generators import generators
from autograph.passes.handlers import handlers
from autograph.passes.imports import imports
from autograph.passes.jumps import jumps
from autograph.passes.lambdas import lambdas
from autograph.passes.logic import logic
from autograph.passes.matches import matches
from autograph.passes.outside import outside
from autograph.passes.scopes import scopes
from autograph.passes.starred import starred
from autograph.passes.values import values
from autograph.passes.walrus import walrus

PASSES = (
    lambdas,  # lambdas that need statements: functions
    scopes,  # note what is local, captured, static
    generators,  # yield of generators with a graph of their own: ag.yield_
    walrus,  # := out of lazy operands and of while tests
    matches,  # match: a chain of if
    comprehensions,  # [... for ...]: a function with a loop
    outside,  # names from outside: ag.outer, ag.set_outer
    starred,  # a, *b = items
    cells,  # variables that functions keep for when a graph runs: ag.cell
    jumps,  # with a, b; break, continue, return: structure and flags
    handlers,  # except ... as a name used elsewhere
    values,  # subscripts, displays, f-strings
    logic,  # and, or, not, chains, ternary, is, in
    calls,  # calls, assert
    control_flow,  # if, while, for: functions of the state
    imports,  # imports inside functions
)


def run(tree: Any, context: Context) -> Any:
    """Send ``tree`` through every pass."""
    for one in PASSES:
        tree = one(tree, context)
    return tree


__all__ = ["PASSES", "Context", "run"]
