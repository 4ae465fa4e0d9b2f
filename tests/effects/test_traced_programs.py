"""Effectful programs as people write them, traced: every valid order of their graphs is the plain run.

Attributes, lists, dicts, globals, arrays and views, random numbers, output, exceptions and ``try``, in
arms and loops.
"""
from __future__ import annotations

import contextlib
import io
import linecache
import os
import random
import textwrap
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.aliasing import WORLD
from autograph.runtime.backends.interpreter import run
from autograph.runtime.effects import Regions
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


def parts_of(graph: Graph) -> list[Graph]:
    """The graph and its parts."""
    return [graph, *dict.fromkeys(part for node in graph.walk() for part in node.parts)]


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_an_edge_of_a_traced_program_joins_two_nodes_in_conflict(seed) -> None:
    """Both touch one region, and one of them writes it; two reads are in no order.  Nested parts too."""
    names = load(program(seed), seed)
    graph = ag.function(names["f"]).get_concrete_function(1, np.arange(4.0)).graph
    regions = Regions(graph, dict.fromkeys(graph.inputs, WORLD))
    for part in parts_of(graph):
        for node in part.nodes:
            reads, writes = regions.of(node)
            for earlier in node.after:
                read_before, written_before = regions.of(earlier)
                assert written_before & (reads | writes) or read_before & writes, (
                    f"{earlier.op} -> {node.op}\n{graph}"
                )


pair = SimpleNamespace(n=0)


def reads_around_a_write(x, a):
    before = a + 1
    a[0] = x
    return before, a + 1


def views_of_one_array(x, a):
    view = a[1:]
    view[0] = x
    a[1] += 1
    return view * 2, a * 3


def output_and_random_numbers(x, a):
    print("first", x)
    u = random.random()
    print("second", x)
    v = random.random()
    return u, v


def an_error_between_effects(x, a):
    print("before", x)
    q = 6 // x
    print("after", x)
    return q


def errors_in_order(x, a):
    q = 6 // x
    r = a[3 - x]
    return q, r


def an_attribute_and_an_array(x, a):
    pair.n = x
    a[0] = pair.n
    pair.n = x + 1
    return pair.n, a.sum()


def a_loop_between_writes(x, a):
    a[0] = x
    total = 0.0
    for value in a:
        total += value
    a[0] = 5
    return total, a.sum()


def an_arm_that_writes(x, a):
    first = a.sum()
    if x > 1:
        a[0] = 9
        print(first)
    return a.sum()


def inside_a_loop(x, a):
    for k in range(x):
        print(k, a[0])
        a[0] += k
        a[1] = a[0] * 2
    return a[1]


def a_handler(x, a):
    try:
        a[0] = 7
        a[0] = 6 // x
        print("fine")
    except ZeroDivisionError:
        print("caught", a[0])
        a[1] = a[0]
    return a


SEEN = [
    reads_around_a_write,
    views_of_one_array,
    output_and_random_numbers,
    an_error_between_effects,
    errors_in_order,
    an_attribute_and_an_array,
    a_loop_between_writes,
    an_arm_that_writes,
    inside_a_loop,
    a_handler,
]


class Failing(io.StringIO):
    """Standard output that takes a few texts only."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def write(self, text: str) -> int:
        self.left -= 1
        if self.left < 0:
            raise OSError("the disk is full")
        return super().write(text)


def observed(graph: Graph, x: int, writeable: bool, left: int, order: random.Random | None) -> str:
    """All that can be seen of one run by the interpreter."""
    pair.n = 0
    random.seed(3)
    a = np.arange(1.0, 4.0)
    a.flags.writeable = writeable
    with contextlib.redirect_stdout(Failing(left)) as output:
        try:
            found: object = run(graph, (x, a), order=order)
        except Exception as error:
            found = error
    return repr((found, a, vars(pair), output.getvalue(), random.random()))


@pytest.mark.parametrize("function", SEEN, ids=lambda function: function.__name__)
def test_without_an_edge_some_order_of_a_traced_program_shows_it(function) -> None:
    """Every edge, in every part: some order that it alone forbids is not the plain run."""
    graph = ag.function(function).get_concrete_function(2, np.arange(3.0)).graph
    inputs = [(x, writeable, left) for x in range(4) for writeable in (True, False) for left in (99, 0, 5)]
    expected = [observed(graph, *each, None) for each in inputs]
    edges = [(node, earlier) for part in parts_of(graph) for node in part.nodes for earlier in node.after]
    assert edges
    for node, earlier in edges:
        after = node.after
        node.after = tuple(each for each in after if each is not earlier)
        seen = any(
            [observed(graph, *each, random.Random(seed)) for each in inputs] != expected
            for seed in range(200)
        )
        node.after = after
        assert seen, f"{earlier.op} -> {node.op}\n{graph}"


class Kept:
    table = np.zeros(3, dtype=int)


def test_an_attribute_of_a_class_is_memory_like_others():
    """What is read twice from a class is one array: a write through one name comes before a later read."""

    def f(n):
        out = np.zeros(3, dtype=int)
        for i in range(n):
            t = Kept.table
            u = Kept.table
            t[0] = i
            out = u.copy()
        return out

    def restore(table):
        Kept.table[:] = table

    check(f, 30, orders=20, state=lambda: Kept.table.copy(), restore=restore)
