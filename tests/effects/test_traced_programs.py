"""Effectful programs as people write them, traced: every valid order of their graphs is the plain run.

Attributes, lists, dicts, globals, arrays and views, random numbers, output, exceptions and ``try``, in
arms and loops.
"""
from __future__ import annotations

import linecache
import os
import random
import textwrap
from collections.abc import Iterator

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.graph import Graph, Node
from autograph.runtime.testing import check

PROGRAMS = 1000 if os.environ.get("AUTOGRAPH_LONG") else 60

STATEMENTS = [
    "box.n = box.n + x",
    "box.n += 1",
    "box.m = box.n",
    "box.v = box.v + x",
    "box.v[0] = box.n",
    "box.v *= 2",
    "view = box.v[1:]; view += 1",
    "box.items.append(box.n)",
    "items.append(x)",
    "items.append(len(box.items))",
    "box.items[0] = box.m",
    "total += box.items[-1]",
    "total += items[0]",
    "total = total + box.n * 2",
    "total += box.v.sum()",
    "table['a'] += x",
    "table['b'] = total",
    "total += table['a']",
    "a[0] = total",
    "a += 1",
    "a[1:] = a[:-1]",
    "total += a[-1]",
    "b = a[::2]; b -= 1",
    "print('total', total)",
    "print(box.n, items)",
    "print(f'{a} {table}')",
    "total += np.random.rand()",
    "total += random.random()",
    "a[1] = np.random.randint(10)",
    "other.n, box.n = box.n, other.n",
    "other.n = total",
    "box.note(total)",
    "total += box.size",
    "total = 10 // (box.n - 3)",
    "total += 1 // (x - 2)",
    "a[int(x)] = 0",
    "assert box.n < 30, box.n",
]
BLOCKS = [
    "if total > 3:\n{0}\nelse:\n{1}",
    "if box.n > 2:\n{0}",
    "for i in range(3):\n{0}",
    "for i in range(int(x) + 9):\n{0}",
    "for value in a:\n    total += value\n{0}",
    "try:\n{0}\nexcept (ZeroDivisionError, IndexError) as error:\n    print(error)\n{1}",
    "try:\n{0}\nfinally:\n{1}",
    "while box.n < 4:\n    box.n += 1\n{0}",
]


def statements(dice: random.Random, depth: int, count: int) -> Iterator[str]:
    """The lines of a block."""
    for _ in range(count):
        if depth and dice.random() < 0.3:
            blocks = ["\n".join(statements(dice, depth - 1, dice.randint(1, 3))) for _ in range(2)]
            inner = [textwrap.indent(block, "    ") for block in blocks]
            yield dice.choice(BLOCKS).format(*inner)
        else:
            yield dice.choice(STATEMENTS)


def program(seed: int) -> str:
    """The text of a function ``f(x, a)``, and of the state around it."""
    dice = random.Random(seed)
    body = "\n".join(statements(dice, 2, dice.randint(4, 9)))
    return f"""\
import random
import numpy as np

class Box:
    def __init__(self, n):
        self.n, self.m, self.v, self.items = n, 0, np.arange(3.0), [1, 2]
    def note(self, x):
        self.items.append(x)
        if x > 5:
            self.m = x
    @property
    def size(self):
        return len(self.items) + self.n

box, other, items, table = Box(1), Box(5), [4], {{"a": 1}}

def f(x, a):
    total = 0
{textwrap.indent(body, '    ')}
    return total, a, box.n
"""


def load(text: str, seed: int) -> dict[str, object]:
    """The names of the program, whose source can be found."""
    filename = f"<effects {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, object] = {"__name__": f"effects_{seed}"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_every_order_is_the_plain_run(seed) -> None:
    """Results, arguments, the state of every object, output, random numbers and exceptions; two calls."""
    text = program(seed)
    names = load(text, seed)

    def state():
        return [vars(names["box"]), vars(names["other"]), names["items"], names["table"]]

    def restore(saved) -> None:
        for owner, attributes in zip((names["box"], names["other"]), saved, strict=False):
            vars(owner).clear()
            vars(owner).update(attributes)
        names["items"][:] = saved[2]
        names["table"].clear()
        names["table"].update(saved[3])

    for x in (1, 2.0):
        try:
            check(names["f"], x, np.arange(4.0), calls=2, orders=6, state=state, restore=restore)
        except (AssertionError, ag.StagingError) as error:
            raise AssertionError(f"{error}\n{text}") from error


def before(graph: Graph, without: tuple[Node, Node]) -> dict[Node, set[Node]]:
    """For each node all that come before it under operands and edges, but for one edge."""
    producers = {value: node for node in graph.nodes for value in node.outputs}
    found: dict[Node, set[Node]] = {}
    for node in graph.nodes:
        direct = {producers[value] for value in node.uses() if value in producers}
        direct |= {earlier for earlier in node.after if (earlier, node) != without}
        found[node] = direct.union(*(found[each] for each in direct))
    return found


@pytest.mark.parametrize("seed", range(0, PROGRAMS, 4))
def test_no_edge_of_a_traced_program_follows_from_the_others(seed) -> None:
    """The transitive reduction, in every part."""
    names = load(program(seed), seed)
    graph = ag.function(names["f"]).get_concrete_function(1, np.arange(4.0)).graph
    for part in [graph, *(part for node in graph.walk() for part in node.parts)]:
        for node in part.nodes:
            for earlier in node.after:
                assert earlier not in before(part, (earlier, node))[node]
