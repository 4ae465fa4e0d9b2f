"""Names for the values of a graph: the user's own, made unique.

A value comes with a hint in ``Value.name`` (the user's variable, or the op's name); here it gets the name
that the printed graph and the NumPy program show.  Names depend on nothing but the graph.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import keyword
import re
from collections.abc import Iterator, Sequence
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from .graph import Graph, Node, Operand, Value

RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"np"}
_NOT_A_NAME = re.compile(r"\W+")
_SUFFIX = re.compile(r"_\d+$")


def name_values(graph: Graph) -> None:
    """Give every value of ``graph`` and its parts a name of its own, in the order in which the text shows
    them.

    The first value with a hint keeps it, the next ones get ``_1``, ``_2``, ...  Hints that are no names, or
    that are keywords, builtins or ``np``, are changed.  The two inputs of a ``while`` that stand for the same
    carry share a name. What an op makes for a variable of the user's (a carry, the output of an ``if``) is
    called like the variable.  Naming twice changes nothing.
    """
    _pass_on(graph, set())
    taken: set[str] = set()
    counts: dict[str, int] = {}
    seen: set[Value] = set()
    for group in _groups(graph, set()):
        if group[0] in seen:
            continue
        seen.update(group)
        name = as_name(group[0].name)
        if name in taken:
            stem = stem_of(name)
            count = counts.get(stem, 0) + 1
            while f"{stem}_{count}" in taken:
                count += 1
            counts[stem] = count
            name = f"{stem}_{count}"
        taken.add(name)
        for value in group:
            value.name = name


def is_named_by_op(value: Value) -> bool:
    """Whether the value has no name of the user's, but is called after the op that makes it."""
    node = value.producer
    return node is not None and not node.parts and stem_of(value.name) == stem_of(as_name(node.op.name))


def as_name(hint: str) -> str:
    """``hint`` as an identifier that hides nothing: ``x.T`` gives ``x_T``, ``max`` gives ``max_``, ``""``
    gives ``value``.

    >>> as_name("x.T"), as_name("max"), as_name("lambda"), as_name("3d"), as_name("")
    ('x_T', 'max_', 'lambda_', 'value_3d', 'value')
    """
    name = _NOT_A_NAME.sub("_", hint).strip("_") if not hint.isidentifier() else hint
    if not name:
        return "value"
    if not name.isidentifier():
        name = f"value_{name}"
    return f"{name}_" if name in RESERVED else name


def stem_of(name: str) -> str:
    """``name`` without the number that :func:`name_values` put behind it.

    >>> stem_of("steps_2"), stem_of("steps")
    ('steps', 'steps')
    """
    return _SUFFIX.sub("", name) or name


def _pass_on(graph: Graph, entered: set[Graph]) -> None:
    """Give the results of parts the names of the outputs and carries that they become, from the outside
    in."""
    if graph in entered:
        return
    entered.add(graph)
    for node in reversed(graph.nodes):
        if node.op.name == "if":
            for part in node.parts:
                _rename(part.results, node.outputs)
        elif node.op.name in ("while", "for"):
            body = node.parts[-1]
            _rename(body.results, body.inputs if node.op.name == "while" else body.inputs[1:])
            _rename(
                node.args[len(node.args) - len(node.outputs) :],
                body.inputs[len(body.inputs) - len(node.outputs) :],
            )
        for part in node.parts:
            _pass_on(part, entered)


def _rename(operands: Sequence[Operand], targets: Sequence[Value]) -> None:
    for operand, target in zip(operands, targets, strict=False):
        if type(operand) is Value and is_named_by_op(operand) and target.name not in ("", "result"):
            operand.name = stem_of(target.name)


def _groups(graph: Graph, entered: set[Graph]) -> Iterator[tuple[Value, ...]]:
    """The values that share a name, in the order of the text: inputs, then each node's outputs, carry and
    parts."""
    if graph in entered:  # a recursive call
        return
    entered.add(graph)
    for value in graph.inputs:
        yield (value,)
    for node in graph.nodes:
        for value in node.outputs:
            yield (value,)
        yield from _groups_of_parts(node, entered)


def _groups_of_parts(node: Node, entered: set[Graph]) -> Iterator[tuple[Value, ...]]:
    if node.op.name == "while":
        test, body = node.parts
        yield from zip(test.inputs, body.inputs, strict=True)
    for part in node.parts:
        yield from _groups(part, entered)


def stored_name(constant: Any, attribute: str = "__name__") -> str | None:
    """The name that an object has, if nothing of the user's runs to find it.

    >>> stored_name(len), stored_name(3)
    ('len', None)
    """
    if isinstance(constant, type) and attribute == "__name__":  # of functions, whose own name is a descriptor
        return constant.__name__
    found = inspect.getattr_static(constant, attribute, None)
    if isinstance(found, GetSetDescriptorType | MemberDescriptorType):
        with contextlib.suppress(AttributeError):
            found = found.__get__(constant)
    return found if isinstance(found, str) else None
