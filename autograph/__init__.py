"""Plain Python on NumPy arrays becomes a graph, with nothing lost.

    import autograph as ag

    @ag.function
    def collatz(n): ...

The names here are all that a user needs; transpiled source uses the operators among them.  What needs the runtime loads it
at first use, so that the import itself stays quick.
"""
from importlib import import_module
from typing import TYPE_CHECKING, Any

from autograph import operators
from autograph.convert import convert, do_not_convert, to_code
from autograph.errors import StagingError
from autograph.operators import *  # noqa: F403

if TYPE_CHECKING:
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

_RUNTIME = {
    "ConcreteFunction": "function",
    "Function": "function",
    "TensorSpec": "signature",
    "function": "function",
    "testing": "",
}
"""The names of the runtime, and the module of it that holds each."""


def __getattr__(name: str) -> Any:
    if name not in _RUNTIME:
        raise AttributeError(f"module 'autograph' has no attribute {name!r}")
    module = _RUNTIME[name]
    if module:
        found = getattr(import_module(f"autograph.runtime.{module}"), name)
    else:
        found = import_module(f"autograph.runtime.{name}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
