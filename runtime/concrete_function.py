"""``ConcreteFunction``: one trace of a staged function, to be looked at, kept, and called by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from autograph.errors import SignatureError

from . import signature
from .backends import interpreter, numpy_code
from .graph import Graph
from .guards import Guards
from .operands import type_of_operand
from .passes import optimise
from .signature import Key

if TYPE_CHECKING:
    from .function import Function


class ConcreteFunction:
    """One trace of a function: a graph for arguments of certain types, and the NumPy program that runs it.

    Attributes:
        name: the function's name.
        number: 1 for the first trace that was made of the function.
        graph: the :class:`~autograph.runtime.graph.Graph`; ``str(graph)`` is its text.
        code: the text of the NumPy program.
        program: the program itself: a function of the arguments in order, which are not checked.
        signature: the parameters' names with what each must be, in words.
        reason: why it was made.
        seconds: how long that took.

    >>> import numpy as np
    >>> from autograph.runtime.function import function
    >>> @function
    ... def scaled(x, by):
    ...     return x * by
    >>> concrete = scaled.get_concrete_function(np.ones(2), 3)
    >>> concrete
    <ConcreteFunction scaled(x: array float64 shape (2,), by: int)>
    >>> concrete(np.array([1.0, 2.0]), by=4)
    array([4., 8.])
    >>> print(concrete.graph)  # doctest: +ELLIPSIS
    graph scaled(x: float64[2], by: int) -> float64[2]...
      multiply: float64[2] = multiply(x, by)...
      return multiply
    """

    def __init__(
        self, owner: Function[..., Any], keys: tuple[Key, ...], graph: Graph, guards: Guards
    ) -> None:
        self.name = owner.__name__
        self.number = owner.trace_count - owner._inside + 1
        self.keys = keys
        self.graph = graph
        self.guards = guards
        self.parameters = owner._parameters
        self.holds = guards.compile(owner._parameters)
        self.seconds = 0.0
        self.reason = ""
        self.aliases: dict[str, str] = {}
        """Names that specs gave to arguments, and the parameters that they are."""
        self.patience = 64
        """How many slow calls make this one of the traces that calls enter at."""
        self._owner = owner
        self._compiled = numpy_code.compile_graph(optimise(graph))
        self.program: Callable[..., Any] = self._compiled.function

    @property
    def code(self) -> str:
        """The text of the NumPy program."""
        return self._compiled.text

    @property
    def signature(self) -> dict[str, str]:
        """What each argument must be."""
        return {name: signature.describe(key) for name, key in zip(self.parameters, self.keys, strict=True)}

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional and the named arguments of a call.

        Arrays are specs, numbers their classes, static arguments their values.
        """
        names = {parameter: alias for alias, parameter in self.aliases.items()}
        specs = [
            signature.spec_of(key, names.get(name, name))
            for name, key in zip(self.parameters, self.keys, strict=True)
        ]
        return self._owner._unbind(specs)

    @property
    def structured_outputs(self) -> Any:
        """What the function gives, in the same terms; None where only the run knows."""
        if not self.graph.results:
            return None
        return _outputs(self.graph.results[0])

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The same as a flat tuple."""
        found = self.structured_outputs
        return found if type(found) is tuple else (found,)

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in order; static ones may be left out.

        Raises:
            SignatureError: one does not fit, or is missing, or there are more; each is listed.
        """
        names = self.parameters
        given = dict(zip(names, args, strict=False))
        wrong = [f"{len(args)} arguments for {len(names)} parameters"] if len(args) > len(names) else []
        for name, value in kwargs.items():
            parameter = self.aliases.get(name, name)
            if parameter in given:
                wrong.append(f"{name}: given twice")
            elif parameter not in names:
                wrong.append(f"{name}: there is no such parameter")
            given.setdefault(parameter, value)
        values = []
        for name, key in zip(names, self.keys, strict=True):
            if name not in given:
                if key[0] == "static":
                    values.append(key[2])
                elif signature.is_static(key):
                    values.append(signature.spec_of(key))
                elif (default := self._owner._kinds[name].default) is not Parameter.empty:
                    values.append(default)
                else:
                    wrong.append(f"{name}: missing, must be {signature.describe(key)}")
                continue
            value = given[name]
            found = signature.value_key(value) if key[0] == "static" else signature.key_of(value)
            if key[0].endswith("arguments"):
                found = signature.key_of_star(found)
            if not signature.fits(found, key):
                wrong += signature.differences(key, found, name)
            values.append(value)
        if wrong:
            raise SignatureError(
                f"these inputs do not fit this trace of {self.name}",
                why="\n       ".join(wrong),
                fix=f"call {self.name} itself, which traces again, or give what the trace was made for",
            )
        self._check_guards(values)
        return tuple(values)

    def _check_guards(self, values: list[Any]) -> None:
        """Refuse to run where what the trace read outside has changed since."""
        if self.holds is None or self.holds(tuple(values)):
            return
        changed = [
            guard.explain(value)
            for guard, value in self.guards.failed(dict(zip(self.parameters, values, strict=True)))
        ]
        raise SignatureError(
            f"what this trace of {self.name} relies on has changed",
            why="\n       ".join(changed),
            fix=f"call {self.name} itself, which traces again",
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program, positionally or by the parameters' names.

        Raises:
            SignatureError: the arguments are not what this trace was made for.
        """
        return self.program(*self._arguments(args, kwargs))

    def interpret(self, *args: Any, order: random.Random | None = None, **kwargs: Any) -> Any:
        """Run the graph node by node instead; ``order`` draws a valid order of the nodes.

        Raises:
            SignatureError: the arguments are not what this trace was made for.

        >>> from autograph.runtime.function import function
        >>> @function
        ... def area(width, height):
        ...     return width * height
        >>> area.get_concrete_function(2, 3).interpret(4, 5, order=random.Random(0))
        20
        """
        return interpreter.run(self.graph, self._arguments(args, kwargs), order=order)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {text}" for name, text in self.signature.items())
        return f"<ConcreteFunction {self.name}({inside})>"


def _outputs(result: Any) -> Any:
    if type(result) is tuple:
        return tuple(map(_outputs, result))
    return signature.spec_of_type(type_of_operand(result))
