"""Graph to graph: each pass in a file of its own, and here their order.

No pass may change a bit of a result, an error, or anything else that a user can observe.  Passes give new
graphs and leave the old ones alone; control edges are not kept (``effects.add_control_edges`` gives them to
who needs them).
"""

from __future__ import annotations

from collections.abc import Callable

from ..checking import checked
from ..graph import Graph
from .branch_pruning import prune_branches
from .common_subexpressions import merge_common
from .constant_folding import fold_constants
from .dead_code import remove_dead
from .inlining import inline_calls
from .stop_flags import settle_stop_flags

PASSES: tuple[Callable[[Graph], Graph], ...] = (
    inline_calls,
    settle_stop_flags,
    fold_constants,
    prune_branches,
    merge_common,
    remove_dead,
)


def optimise(graph: Graph) -> Graph:
    """The graph after all passes, checked after each where checking is switched on."""
    for each in PASSES:
        graph = checked(each(graph))
    return graph
