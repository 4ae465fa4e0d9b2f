"""Plain Python on NumPy arrays becomes a graph, with nothing lost.

    import autograph as ag

    @ag.function
    def collatz(n): ...

The names here are all that a user needs; transpiled source uses the operators among them.  What needs the
runtime loads it at first use, so that the import itself stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from autograph import operators
from autograph.convert import convert, do_not_convert, to_code
from autograph.errors import StagingError
from autograph.operators import *  # noqa: F403

if TYPE_CHECKING:
    from autograph.runtime import testing
    from autograph.runtime.concrete_function import ConcreteFunction
    from autograph.runtime.eager import run_eagerly
    from autograph.runtime.explaining import RetraceWarning
    from autograph.runtime.function import Function, function
    from autograph.runtime.outside import py_function
    from autograph.runtime.specs import TensorSpec
    from autograph.runtime.variables import Variable

__version__ = "0.1.0"
__all__ = [  # noqa: PLE0604 (the operators list their own)
    "ConcreteFunction",
    "Function",
    "RetraceWarning",
    "StagingError",
    "TensorSpec",
    "Variable",
    "convert",
    "do_not_convert",
    "function",
    "operators",
    "py_function",
    "run_eagerly",
    "testing",
    "to_code",
    *operators.__all__,
]

_RUNTIME = {
    "ConcreteFunction": "concrete_function",
    "Function": "function",
    "RetraceWarning": "explaining",
    "TensorSpec": "specs",
    "Variable": "variables",
    "function": "function",
    "py_function": "outside",
    "run_eagerly": "eager",
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
