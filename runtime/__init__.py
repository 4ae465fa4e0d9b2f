"""The runtime: traces transpiled Python on NumPy arrays into a graph, and runs the graph.

It plugs into the transpiler through ``autograph.operators``; the transpiler does not know it.
"""
from autograph import operators

from .tensor import Tensor


class _Stray(operators.Backend):
    """Symbols met outside the trace that they belong to."""


operators.register(Tensor, _Stray())
