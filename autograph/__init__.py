"""Plain Python on NumPy arrays becomes a graph, with nothing lost.

    import autograph as ag

    @ag.function
    def collatz(n): ...

The names here are all that a user needs; transpiled source uses the operators among them.
"""
from autograph import operators
from autograph.convert import convert, do_not_convert, to_code
from autograph.errors import StagingError
from autograph.operators import *  # noqa: F403
from autograph.runtime import testing
from autograph.runtime.function import ConcreteFunction, Function, function
from autograph.runtime.signature import TensorSpec

__version__ = "0.1.0"
__all__ = [
    "ConcreteFunction",
    "Function",
    "StagingError",
    "TensorSpec",
    "convert",
    "do_not_convert",
    "function",
    "operators",
    "testing",
    "to_code",
    *operators.__all__,
]
