"""Automatic control dependencies (to be filled)."""
from __future__ import annotations

import random

from .graph import Graph, Node, Value, map_values, values_in
from .types import Type, is_immutable


def is_total(node: Node) -> bool:
    """Whether a node without parts surely never raises."""
    total = node.op.total
    if total is None:
        return False
    args = map_values(node.args, _type)
    return bool(total(*args, **map_values(node.kwargs, _type)) if node.kwargs else total(*args))


def is_pure(node: Node) -> bool:
    """Whether leaving the node out changes nothing when nobody wants its outputs: total, and without effects."""
    return not node.op.writes and node.op.region is None and not node.parts and is_total(node)


def is_free(node: Node) -> bool:
    """Whether a pure node depends on no memory, so that it may run at any time after its operands are there."""
    return all(is_immutable(value.type) for value in values_in((node.args, node.kwargs)))


def _type(value: Value) -> Type:
    return value.type


def draw_order(graph: Graph, generator: random.Random) -> list[Node]:
    """A random topological order of the nodes of ``graph`` (not of its parts) under data and control edges."""
    producers = {value: node for node in graph.nodes for value in node.outputs}
    waiting: dict[Node, int] = {}
    followers: dict[Node, list[Node]] = {}
    ready: list[Node] = []
    for node in graph.nodes:
        before = dict.fromkeys(producers[value] for value in node.uses() if value in producers)
        before.update(dict.fromkeys(node.after))
        waiting[node] = len(before)
        for each in before:
            followers.setdefault(each, []).append(node)
        if not before:
            ready.append(node)
    order: list[Node] = []
    while ready:
        place = generator.randrange(len(ready))
        ready[place], ready[-1] = ready[-1], ready[place]
        node = ready.pop()
        order.append(node)
        for each in followers.get(node, ()):
            waiting[each] -= 1
            if not waiting[each]:
                ready.append(each)
    return order
