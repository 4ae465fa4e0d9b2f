"""The interpreter: runs a graph node by node, for tests and debugging.

Values are references to real objects, and in-place ops really change them, so any order of the nodes that
keeps the operands and the control edges (``Node.after``) has to give the same observable run.  :func:`run`
follows the order of ``Graph.nodes``, or draws a random valid order each time it enters a graph or a part.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph.operators.plain import matches, unpacker

from ..effects import draw_order
from ..graph import Graph, Node, Operand, Value, Weakly, map_values, weakly_held
from ..ops.table import FOR_OF_COMPREHENSION, RAISE_AGAIN

Environment = dict[Value, Any]


def run(graph: Graph, args: Sequence[Any], *, order: random.Random | None = None) -> Any:
    """What ``graph`` returns for ``args``, one an input.

    Args:
        graph: a whole function's graph (``results`` has one item).
        args: the values of ``graph.inputs``.
        order: draws a valid order of the nodes at every entry of a graph or part; None keeps the program's
        order.

    Raises:
        TypeError: the number of arguments is not that of the inputs.
        Exception: whatever the graph raises.
    """
    if len(args) != len(graph.inputs):
        raise TypeError(f"graph {graph.name} takes {len(graph.inputs)} arguments, not {len(args)}")
    alive = [held() for held in weakly_held(graph)]
    result = _enter(graph, args, {}, order)[0]
    del alive  # nothing that the graph needs goes before its end
    return result


def _enter(
    graph: Graph, args: Iterable[Any], environment: Environment, order: random.Random | None
) -> list[Any]:
    """Run a graph or part in ``environment`` and give the values of its results."""
    environment.update(zip(graph.inputs, args, strict=True))
    nodes = graph.nodes if order is None else draw_order(graph, order)
    for node in nodes:
        try:
            _step(node, environment, order)
        except BaseException:
            _let_go(graph, node, environment)
            raise
    return [_concrete(result, environment) for result in graph.results]


def _let_go(graph: Graph, node: Node, environment: Environment) -> None:
    """An exception leaves a node: a generator that only this one needed goes with it."""
    place = graph.nodes.index(node) + 1
    following = graph.nodes[place] if place < len(graph.nodes) else None
    if following is not None and following.op.name == "release" and following.args[0] in node.args:
        environment.pop(following.args[0], None)


def _step(node: Node, environment: Environment, order: random.Random | None) -> None:
    structured = _STRUCTURED.get(node.op.name)
    if structured is not None:
        results: Sequence[Any] = structured(node, environment, order)
    else:
        args = _concrete(node.args, environment)
        kwargs = _concrete(node.kwargs, environment)
        if node.op.name == "release":
            args = (environment.pop(node.args[0], None),)
        results = _call(node, args, kwargs)
    environment.update(zip(node.outputs, results, strict=True))


def _call(node: Node, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Sequence[Any]:
    """One op on concrete operands; what it gives, one an output."""
    if node.op.function is None:
        raise NotImplementedError(f"op {node.op.name} cannot be interpreted: it has no function")
    if node.op.name == "unpack":
        return unpacker(len(node.outputs))(*args)
    result = node.op.function(*args, **kwargs)
    if len(node.outputs) == 1:
        return (result,)
    return unpacker(len(node.outputs))(result) if node.outputs else ()


def _if(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    then, orelse = node.parts
    return _enter(then if _concrete(node.args[0], environment) else orelse, (), environment, order)


def _while(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    test, body = node.parts
    carry = [_concrete(initial, environment) for initial in node.args]
    while node.stop is None or not carry[node.stop]:
        if not _enter(test, carry, environment, order)[0]:
            break
        carry = _enter(body, carry, environment, order)
    return carry


def _for(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    (body,) = node.parts
    items, *carry = (_concrete(operand, environment) for operand in node.args)
    if node.stop is not None and carry[node.stop]:
        return carry
    try:
        for item in items:
            carry = _enter(body, (item, *carry), environment, order)
            if node.stop is not None and carry[node.stop]:
                break
    except BaseException:
        del items  # the traceback would hold on to it
        raise
    if node.op is FOR_OF_COMPREHENSION:
        item = None
        for value in (*body.inputs, *(each for inner in body.walk() for each in inner.outputs)):
            environment.pop(value, None)
    return carry


def _callee(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    (callee,) = node.parts
    inner = {value: environment[value] for value in callee.free_values()}
    return _enter(callee, _concrete(node.args, environment), inner, order)


def _raise(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    if node.op is RAISE_AGAIN:
        raise  # noqa: PLE0704
    args = _concrete(node.args, environment)
    if len(args) > 1:
        raise args[0] from args[1]
    raise args[0]


def _try(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    body, *handlers = node.parts[: len(node.args) + 1]
    orelse, *final = node.parts[len(node.args) + 1 :]
    try:
        try:
            _enter(body, (), environment, order)
        except BaseException as error:
            for catches, handler in zip(node.args, handlers, strict=True):
                if catches is None or matches(error, _concrete(catches, environment)):
                    _enter(handler, (error,), environment, order)
                    break
            else:
                raise
        else:
            _enter(orelse, (), environment, order)
    finally:
        for part in final:
            _enter(part, (), environment, order)
    return []


def _with(node: Node, environment: Environment, order: random.Random | None) -> list[Any]:
    with _concrete(node.args[0], environment) as entered:
        _enter(node.parts[0], (entered,), environment, order)
    return []


_STRUCTURED: dict[str, Callable[[Node, Environment, random.Random | None], list[Any]]] = {
    "if": _if,
    "while": _while,
    "for": _for,
    "call": _callee,
    "raise": _raise,
    "try": _try,
    "with": _with,
}


def _concrete(operand: Operand, environment: Environment) -> Any:
    return map_values(operand, environment.__getitem__, Weakly.__call__)
