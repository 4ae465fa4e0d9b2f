"""The trace of a staged function: attempts, until one learns nothing new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph import operators
from autograph.errors import SignatureError, UnsettledTraceError

from . import arguments, binding, control_flow, dispatch, exceptions, floating, made_functions
from .aliasing import WORLD
from .assumptions import Restart
from .checking import check
from .concrete_function import ConcreteFunction
from .effects import add_control_edges, is_floating
from .graph import Graph, Location
from .naming import name_values
from .ops import table
from .signature import Key
from .tensor import Tensor
from .tracing import Tracer
from .user_names import take_names

if TYPE_CHECKING:
    from .function import Function

RESTARTS = 200
"""How often one trace may begin anew."""


def trace(staged: Function[..., Any], keys: tuple[Key, ...], values: tuple[Any, ...]) -> ConcreteFunction:
    """Trace the function for arguments with these keys.

    Raises:
        Restart: an argument became static.
    """
    _check_parameters(staged)
    assumptions = staged._assumptions
    static = len(assumptions.static_arguments)
    for _ in range(RESTARTS):
        tracer = Tracer(staged.__name__, assumptions, staged.python_function, staged._options.convert)
        try:
            graph = _run(staged, tracer, keys, values)
        except Restart:
            if len(assumptions.static_arguments) != static:
                raise
            continue
        assumptions.creates = tracer.outside.creates
        assumptions.may_create &= assumptions.creates  # until the run has come to its end
        for inner, graphs in tracer.inner.items():
            inner.trace_count += max(graphs, 1)
            inner._inside += max(graphs, 1)
        take_names(graph)
        name_values(graph)
        add_control_edges(graph, dict.fromkeys(graph.inputs, WORLD))  # f(a, a[1:]): any may share memory
        check(graph)
        tracer.guards.aliases(tracer.outside.relied_on(), distinct=tracer.outside.compared or _changes(graph))
        if any(is_floating(node) for node in graph.walk()):
            floating.guard(tracer.guards, tracer.strict)
        tracer.outside.release()
        return ConcreteFunction(staged, keys, graph, tracer.guards)
    raise UnsettledTraceError(f"tracing {staged.__name__!r} does not settle", fix="please report this")


def _check_parameters(staged: Function[..., Any]) -> None:
    """Refuse code that was exchanged for one with other parameters: calls are bound to the old ones."""
    now = dispatch.signature_of(staged.python_function).parameters
    if [(p.name, p.kind) for p in now.values()] != [(p.name, p.kind) for p in staged._kinds.values()]:
        raise SignatureError(
            f"the code of {staged.__name__} was exchanged for one with other parameters",
            why=f"it was staged with ({', '.join(staged._parameters)}), and now has ({', '.join(now)})",
            fix="stage it again",
        )


def _run(
    staged: Function[..., Any], tracer: Tracer, keys: tuple[Key, ...], values: tuple[Any, ...]
) -> Graph:
    """Run the converted function on symbols."""
    plain = staged.python_function
    code = plain.__code__
    tracer.graph.location = Location(code.co_filename, code.co_firstlineno, code.co_name)
    free = arguments.dimension_names()
    with operators.activate(tracer):
        given = [
            arguments.make_argument(tracer, name, key, value, free)
            for name, key, value in zip(staged._parameters, keys, values, strict=True)
        ]
        if staged._starred is not None and type(given[staged._starred]) is Tensor:  # any number of ``*args``
            through = binding.opened(tracer, plain, tracer.convert(plain) or plain)
            args = tuple(given[: code.co_argcount])
            kwargs = dict(zip(staged._parameters, given, strict=True))
            kwargs = {name: kwargs[name] for name in staged._parameters[code.co_argcount :]}
        else:
            if staged._named is not None:
                options = given[staged._named]
                given[staged._named] = arguments.known_dict(tracer, options, values[staged._named])
            through, (args, kwargs) = plain, staged._unbind(given)

        def run() -> Any:
            result = tracer.lower(tracer.call(through, args, kwargs))
            if tracer.outside.creates:
                tracer.record(table.unknown_call(first_call_done, "first_call_done"), ())
            return result

        def first_call_done() -> None:  # later calls are not to make its Variables again
            staged._assumptions.may_create = False

        try:
            done = control_flow.trace_part(tracer, staged.__name__, run, tracer.graph)
        finally:
            if tracer.outside.undo_attributes() | exceptions.learn_changed(tracer):
                raise Restart
        made_functions.check_captured(tracer)
    if done.block.completes:
        tracer.graph.results = (done.result,)
    return tracer.graph


def _changes(graph: Graph) -> bool:
    """Whether the graph changes anything in place, or runs code that may."""
    return any(node.op.writes or node.op.stores or node.op.region == "outside" for node in graph.walk())
