"""What runs at another time than the code around it: the bodies of made functions and of generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import called_graphs, recursion
from .control_flow import Part, trace_part
from .graph import Graph, Operand

if TYPE_CHECKING:
    from .tracing import Tracer


def trace_later(tracer: Tracer, graph: Graph, run: Callable[[], Operand]) -> Part:
    """Trace what runs at another time than the code around it, and perhaps not inside its ``try``."""
    around = (tracer.protected, tracer.watches, tracer.calls, tracer.called)
    unsure, tracer.outside.unsure = tracer.outside.unsure, True  # what is outside may be another by then
    tracer.protected, tracer.watches, tracer.calls = [], [], recursion.Calls()
    tracer.called = called_graphs.Called(scope=tracer.called.scope, straight=False)
    tracer.later.append(graph)
    try:
        return trace_part(tracer, graph.name, run, graph)
    finally:
        tracer.later.pop()
        tracer.protected, tracer.watches, tracer.calls, tracer.called = around
        tracer.outside.unsure = unsure
