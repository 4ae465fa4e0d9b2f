"""A graph as structured statements, before its values have locals.

The nodes are taken in program order.  A value that is used once, on the same source line, is not given a
local but folded into the expression that uses it (:mod:`.pending`).

The results of the arms of an ``if`` and of a loop's body are :class:`Copies` into the outputs and the carry;
once :mod:`.locals` has given both sides the same local, most of them vanish.  An ``if`` at the end of a
function that returns its output, or at the end of a loop body whose output is the stop flag, gets the end
pushed into its arms: there the flag is a constant and becomes a ``break``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from autograph.operators.names import Undefined, unbound

from ..aliasing import is_flat, refers
from ..effects import is_free, is_pure
from ..graph import Graph, Node, Operand, Value, map_values, values_in
from ..ops.table import FOR_OF_COMPREHENSION, RAISE_AGAIN
from ..types import BOOL, UNKNOWN, Python
from .blocks import Block, Branch, Expression, Line, Loop, Protected, reads_of, writes_of
from .expressions import BINARY, DELETE, LOAD, STORE, Globals, Place, evaluated, place_of
from .folding import is_expression, is_on_one_line, keeps_identity, may_hold
from .slots import Slots, written
from .tracebacks import is_looked_at, restore_handled


@dataclass(frozen=True, slots=True)
class End:
    """What happens with the results at the end of a block."""

    kind: Literal["return", "yield", "next"]
    targets: tuple[Value, ...] = ()
    stop: int | None = None


_Around = tuple[Block, dict[Value, Expression], list[Value], set[Node], dict[Value, Value]]
"""What belongs to a block, while one inside it is written."""


class Statements(Slots):
    """Turns the graph of one function into a block.

    ``callees`` maps the graphs that are called to the names of their functions.
    """

    def __init__(self, graph: Graph, constants: Globals, callees: dict[Graph, str]) -> None:
        if len(graph.results) > 1:  # one that is called: a Python function gives them as a tuple
            graph = replace(graph, results=(graph.results,))
        super().__init__(constants, graph)
        self.calls: list[Graph] = []
        self._callees = callees
        self._members: set[Node] = set()
        self._tied: set[Value] = set()
        self._not_expressions: set[Graph] = set()
        self.block = self._block(graph, End("return", (_RESULT,)))

    def _folds(self, value: Value, node: Node, graph: Graph, folding: bool) -> bool:
        """Whether ``value`` becomes part of the expression that uses it."""
        user = self._uses.only_user(value)
        if isinstance(user, Node):
            if user not in self._members:
                return False
            return may_hold(user, value, node) or (user.op.name == "set_item" and user.args[0] in self._slots)
        return user is graph and (folding or value in self._tied)

    # Blocks

    def _block(self, graph: Graph, end: End) -> Block:
        outer = self._enter(graph)
        nodes = graph.nodes
        pushed = bool(nodes) and self._is_pushed(nodes[-1], graph, end)
        if end.kind == "next" and not pushed:
            self._tie(graph, end)
        for node in nodes[:-1]:
            self._node(node, graph, end.kind == "return")
        if pushed:
            self._push(nodes[-1], graph.results, end)
        else:
            if nodes:
                self._node(nodes[-1], graph, end.kind == "return")
            self._end(graph, end)
        return self._leave(outer)

    def _tie(self, graph: Graph, end: End) -> None:
        """Find the new carries that come before a last use of the old ones: ``a, b = b, a + b`` needs no
        third local."""
        places = {value: index for index, node in enumerate(graph.nodes) for value in node.outputs}
        last: dict[Value, int] = {}
        for result, target in zip(graph.results, end.targets, strict=False):
            if type(result) is Value and self.same.get(result, result) is not target:
                last[self.same.get(result, result)] = len(graph.nodes)
        for index, node in enumerate(graph.nodes):
            for value in node.uses() if node.parts else node.operands():
                value = self.same.get(value, value)
                last[value] = max(index, last.get(value, 0))
        for result, target in zip(graph.results, end.targets, strict=False):
            if type(result) is Value and last.get(target, -1) > places.get(result, len(graph.nodes)):
                self._tied.add(result)

    def _enter(self, graph: Graph) -> _Around:
        outer = (self._items, self._pending, self._stack, self._members, self._unwritten)
        self._items, self._pending, self._stack = [], {}, []
        self._members = set(graph.nodes)
        self._unwritten = dict(self._unwritten)
        return outer

    def _leave(self, outer: _Around) -> Block:
        self._flush_all()
        done, inside = self._items, self._unwritten
        self._items, self._pending, self._stack, self._members, before = outer
        self._unwritten = {value: slot for value, slot in before.items() if inside.get(value) is slot}
        return done

    def _end(self, graph: Graph, end: End) -> None:
        """The end of a block, if it is reached."""
        results = graph.results
        if not graph.completes or len(results) != len(end.targets):
            return
        place = place_of(graph.nodes[-1].location if graph.nodes else graph.location)
        if end.kind == "return":
            self._absorb(results)
            value = self._operand(results[0], place)
            self._emit(Line(ast.Return(value.tree, **place), value.reads, ends=True))
            return
        targets = list(end.targets)
        if end.stop is not None and results[end.stop] is False and targets[end.stop].type == BOOL:
            del targets[end.stop]  # in the loop it is false already
            results = (*results[: end.stop], *results[end.stop + 1 :])
        self._copy(targets, results, place)
        if end.stop is not None:
            flag = graph.results[end.stop]
            if flag is True:
                self._emit(Line(ast.Break(**place), []))
            elif flag is not False:
                self._absorb((flag,))
                stop = self._operand(flag, place)
                self._emit(Line(ast.If(stop.tree, [ast.Break(**place)], [], **place), stop.reads))

    def _is_pushed(self, node: Node, graph: Graph, end: End) -> bool:
        """Whether the end of the block goes into the arms of its last node."""
        if node.op.name != "if" or len(graph.results) != len(end.targets):
            return False
        if end.kind == "return":
            flag = graph.results[0]
        elif end.kind == "next" and end.stop is not None:
            flag = graph.results[end.stop]
        else:
            return False
        if flag not in node.outputs or node in self._uses.shapes:
            return False
        used = list(values_in(graph.results))
        return all(self._uses.count.get(output, 0) == used.count(output) for output in node.outputs)

    def _push(self, node: Node, results: Sequence[Operand], end: End) -> None:
        place = place_of(node.location)
        self._absorb(node.args)
        test = self._operand(node.args[0], place)
        self._flush_all()
        self._leave_slots(written(self._slots, node))
        blocks = []
        for part in node.parts:
            ends: tuple[Operand, ...] = ()
            if part.completes and len(part.results) == len(node.outputs):
                ends = substituted(results, dict(zip(node.outputs, part.results, strict=True)))
            blocks.append(self._arm(part, ends, end))
        self._emit(Branch(test, blocks[0], blocks[1], place))

    def _arm(self, part: Graph, results: tuple[Operand, ...], end: End) -> Block:
        """A part as a block that ends with ``results`` in place of its own."""
        arm = Graph(part.name, part.inputs, part.nodes, results, part.location, part.completes)
        for value in values_in(results):
            if self._uses.only_user(value) is part:
                self._uses.user[value] = arm
        return self._block(arm, end)

    # Nodes

    def _node(self, node: Node, graph: Graph, folding: bool) -> None:
        name = node.op.name
        if node.parts and self._slots and name != "try":
            self._leave_slots(written(self._slots, node))
        if node.args and type(node.args[0]) is Value and node.args[0] in self._slots:
            self._access_slot(node, place_of(node.location))
        elif name == "make_list" and node.outputs[0] in self._slots:
            self._make_slot(node, place_of(node.location))
        elif name == "if":
            self._if(node, graph, folding)
        elif name == "while":
            self._while(node)
        elif name == "for":
            self._for(node)
        elif name == "defined" and type(node.args[0]) is Value and node.args[0] not in self._pending:
            self._defined(node, place_of(node.location))
        elif name == "try":
            self._try(node)
        elif name == "with":
            self._with(node)
        elif name in _WRITTEN_BY_NAME:
            _WRITTEN_BY_NAME[name](self, node, place_of(node.location))
        elif node.op.syntax == "inplace" and len(node.outputs) <= 1 and not node.kwargs:
            self._inplace(node, place_of(node.location))
        else:
            place = place_of(node.location)
            self._absorb(evaluated(node))
            self._settle(node, self._expression(node, place), graph, folding, place)

    def _settle(self, node: Node, expression: Expression, graph: Graph, folding: bool, place: Place) -> None:
        """Keep the expression for later, or write it down."""
        if len(node.outputs) == 1:
            (value,) = node.outputs
            if self._folds(value, node, graph, folding):
                self._keep(value, expression)
            else:
                self._assign(value, expression, place)
        elif node.outputs:
            self._unpack(node, expression, place)
        elif not expression.pure:
            self._emit(Line(ast.Expr(expression.tree, **place), expression.reads))

    def _expression(self, node: Node, place: Place) -> Expression:
        """The op as an expression; its pending operands are taken in."""
        reads, all_free = self._reads, self._all_free
        self._reads, self._all_free = [], True
        if node.op.name == "call":
            tree = self._call(node, place)
        else:
            tree = self._write.node(node, place)
        pure = is_pure(node)
        made = Expression(
            tree, self._reads, self._all_free and pure and is_free(node), pure and self._all_free, place
        )
        self._reads, self._all_free = reads, all_free
        return made

    def _call(self, node: Node, place: Place) -> ast.expr:
        """A call of another graph's function; the values it uses from around are passed on."""
        (callee,) = node.parts
        if callee not in self._callees:
            self._callees[callee] = self._constants.reserve(callee.name)
        self.calls.append(callee)
        operands = (*node.args, *dict.fromkeys(callee.free_values()))
        args = [self._write.operand(arg, place) for arg in operands]
        return ast.Call(ast.Name(self._callees[callee], LOAD, **place), args, [], **place)

    # Structured ops

    def _if(self, node: Node, graph: Graph, folding: bool) -> None:
        place = place_of(node.location)
        self._absorb(node.args)
        was_pending = type(node.args[0]) is Value and node.args[0] in self._pending
        test = self._operand(node.args[0], place)
        conditional = self._conditional(node, test, graph, folding, place)
        if conditional is not None:
            self._settle(node, conditional, graph, folding, place)
            return
        if node in self._uses.shapes and was_pending:
            self._assign(node.args[0], test, place)
            test = self._operand(node.args[0], place)
        self._flush_all()
        end = End("yield", node.outputs)
        then, orelse = (self._block(part, end) for part in node.parts)
        self._emit(Branch(test, then, orelse, place))

    def _conditional(
        self, node: Node, test: Expression, graph: Graph, folding: bool, place: Place
    ) -> Expression | None:
        """``then if test else orelse``, or ``test and then``, if the arms are expressions and that is how it
        reads best."""
        shape = self._uses.shapes.get(node)
        if len(node.outputs) != 1 or (
            shape is None
            and not (is_on_one_line(node) and self._folds(node.outputs[0], node, graph, folding))
        ):
            return None
        if not all(is_expression(part, node.location) for part in node.parts):
            return None
        then, orelse = node.parts
        if shape is not None:
            right = self._arm_expression(then if shape == "and" else orelse, place)
            if right is None:
                return None
            operator: ast.boolop = ast.And() if shape == "and" else ast.Or()
            values = [test.tree, right.tree]
            if isinstance(test.tree, ast.BoolOp) and isinstance(test.tree.op, type(operator)):
                values[:1] = test.tree.values
            tree: ast.expr = ast.BoolOp(operator, values, **place)
            free = test.free and right.free
            return Expression(tree, test.reads + right.reads, free, free, place)
        arms = (self._arm_expression(then, place), self._arm_expression(orelse, place))
        if arms[0] is None or arms[1] is None:
            return None
        tree = ast.IfExp(test.tree, arms[0].tree, arms[1].tree, **place)
        free = test.free and arms[0].free and arms[1].free
        reads = test.reads + arms[0].reads + arms[1].reads
        return Expression(tree, reads, free, free, place, (test, arms[0], arms[1]))

    def _arm_expression(self, part: Graph, place: Place) -> Expression | None:
        """The one result of an arm as an expression, if its nodes need no statement; tried once an arm."""
        if part in self._not_expressions:
            return None
        written = len(self.names)
        outer = self._enter(part)
        for node in part.nodes:
            self._node(node, part, True)
        self._absorb(part.results)
        result = self._operand(part.results[0], place)
        whole = not self._items and not self._pending
        self._pending, self._stack = {}, []
        self._leave(outer)
        if whole:
            return result
        del self.names[written:]
        self._not_expressions.add(part)
        return None

    def _while(self, node: Node) -> None:
        test, body = node.parts
        place = place_of(node.location)
        for carry, in_test, in_body in zip(node.outputs, test.inputs, body.inputs, strict=True):
            self.same[in_test] = self.same[in_body] = carry
        self._copy(node.outputs, node.args, place)
        outer = self._enter(test)
        for each in test.nodes:
            self._node(each, test, True)
        self._absorb(test.results)
        condition = self._operand(test.results[0], place) if test.results else None
        lines = self._leave(outer)
        block = self._block(body, End("next", node.outputs, node.stop))
        self._loop(
            node, Loop(place, [*node.outputs, *self._carried(node)], lines, condition, [], None, block)
        )

    def _unpacks(self, node: Node, item: Value) -> bool:
        """Whether the item of a ``for`` is only there to be unpacked: ``for i, x in enumerate(a)``."""
        return (
            node.op.name == "unpack"
            and node.args[0] is item
            and self._uses.count[item] == 1
            and len(node.outputs) > 0
        )

    def _for(self, node: Node) -> None:
        (body,) = node.parts
        place = place_of(node.location)
        item, *inner = body.inputs
        targets = [item]
        if body.nodes and self._unpacks(body.nodes[0], item):
            first, *rest = body.nodes
            targets = list(first.outputs)
            body = Graph(body.name, body.inputs, rest, body.results, body.location, body.completes)
        for carry, in_body in zip(node.outputs, inner, strict=True):
            self.same[in_body] = carry
        self._absorb(node.args)
        iterable = self._operand(node.args[0], place)
        self._copy(node.outputs, node.args[1:], place)
        block = self._block(body, End("next", node.outputs, node.stop))
        loop = Loop(place, [*node.outputs, *self._carried(node)], [], None, targets, iterable, block)
        loop.unpacks = targets != [item]
        if node.op is FOR_OF_COMPREHENSION:
            kept = {*loop.carry, *values_in(body.results)}
            inside = (each for each in writes_of(block) - kept if _may_clean_up(each))
            loop.lets_go = [*filter(_may_clean_up, targets), *sorted(inside, key=lambda each: each.name)]
        self._loop(node, loop)

    def _try(self, node: Node) -> None:
        place = place_of(node.location)
        self._absorb(node.args)
        catches = [None if classes is None else self._operand(classes, place) for classes in node.args]
        self._flush_all()
        end = End("yield")
        body, *others = node.parts
        changed = written(self._slots, node)
        blocks = [self._block(body, end)]
        self._leave_slots(changed)  # in the others they hold what the body left there
        blocks += [self._block(part, end) for part in others]
        count = len(node.args)
        for part, block in zip(others[:count], blocks[1:], strict=False):
            if is_looked_at(node, part):
                restore = ast.Name(self._constants.name_of(restore_handled, "restore_handled"), LOAD, **place)
                block.insert(0, Line(ast.Expr(ast.Call(restore, [], [], **place), **place), []))
        errors = [part.inputs[0] for part in node.parts[1 : count + 1]]
        item = Protected(place, blocks[0], list(zip(catches, errors, blocks[1 : count + 1], strict=True)))
        item.orelse = blocks[count + 1]
        item.final = blocks[count + 2] if len(blocks) > count + 2 else []
        for expression in catches:
            item.reads.update(expression.reads if expression is not None else ())
        self._protect(item, node)

    def _with(self, node: Node) -> None:
        place = place_of(node.location)
        self._absorb(node.args)
        manager = self._operand(node.args[0], place)
        self._flush_all()
        (part,) = node.parts
        item = Protected(place, self._block(part, End("yield")), manager=manager, entered=part.inputs[0])
        item.reads.update(manager.reads)
        self._protect(item, node)

    def _protect(self, item: Protected, node: Node) -> None:
        for _, block in item.parts():
            item.reads |= reads_of(block)
        item.slots.update(self._carried(node))
        self._emit(item)

    def _loop(self, node: Node, loop: Loop) -> None:
        """Write the loop; one whose stop flag may be set from the start is not always entered."""
        loop.reads = reads_of(loop.test) | reads_of(loop.body)
        for part in (loop.condition, loop.iterable):
            if part is not None:
                loop.reads.update(part.reads)
        inside = writes_of(loop.test) | writes_of(loop.body) | set(loop.targets)
        loop.reads -= inside.difference(loop.carry)
        flag = False if node.stop is None else node.args[node.stop + (node.op.name == "for")]
        if flag is False:
            self._emit(loop)
            return
        assert node.stop is not None
        place = loop.place
        reads: list[Value] = []
        entered = ast.UnaryOp(ast.Not(), self._name(node.outputs[node.stop], place, reads), **place)
        self._emit(Branch(Expression(entered, reads), [loop], [], place))

    # Statements

    def _inplace(self, node: Node, place: Place) -> None:
        """``a += b``; where that surely leaves the very same array in ``a``, the output is ``a`` under
        another name."""
        self._absorb(node.args)
        base, other = node.args
        right = self._operand(other, place)
        writes: list[Value] = []
        if type(base) is Value and keeps_identity(base, other):
            target = base
            if node.outputs:
                self.same[node.outputs[0]] = self.same.get(base, base)
        else:
            target = (
                node.outputs[0] if node.outputs else Value(base.name if type(base) is Value else "", UNKNOWN)
            )
            self._flush_all()
            self._copy((target,), (base,), place)
            writes.append(target)
        operator = BINARY[node.op.symbol.removesuffix("=")]
        tree = ast.AugAssign(self._target(target, place), operator, right.tree, **place)
        self._emit(Line(tree, [self.same.get(target, target), *right.reads], writes))

    def _defined(self, node: Node, place: Place) -> None:
        """``if type(y) is Undefined: raise unbound(y)``: raised here, so that no frame of ours shows."""
        value: Value = node.args[0]
        reads: list[Value] = []

        def name(of: object, wanted: str) -> ast.expr:
            return ast.Name(self._constants.name_of(of, wanted), LOAD, **place)

        kind = ast.Call(ast.Name("type", LOAD, **place), [self._name(value, place, reads)], [], **place)
        test = ast.Compare(kind, [ast.Is()], [name(Undefined, "Undefined")], **place)
        told = [self._name(value, place, reads), *(ast.Constant(free, **place) for free in node.args[1:])]
        error = ast.Call(name(unbound, "unbound"), told, [], **place)
        self._emit(Line(ast.If(test, [ast.Raise(error, None, **place)], [], **place), reads))
        if node.outputs:  # nobody may need the value, only that it is there
            self.same[node.outputs[0]] = self.same.get(value, value)

    def _unpack(self, node: Node, expression: Expression, place: Place) -> None:
        targets: list[ast.expr] = [self._target(value, place) for value in node.outputs]
        target = ast.Tuple(targets, STORE, **place) if targets else ast.List([], STORE, **place)
        self._emit(Line(ast.Assign([target], expression.tree, **place), expression.reads, list(node.outputs)))

    def _write_unpack(self, node: Node, place: Place) -> None:
        self._absorb(node.args)
        self._unpack(node, self._operand(node.args[0], place), place)

    def _write_raise(self, node: Node, place: Place) -> None:
        self._absorb(node.args)
        if node.op is RAISE_AGAIN:
            self._emit(Line(ast.Raise(None, None, **place), [], ends=True))
            return
        trees = [self._operand(arg, place) for arg in node.args]
        cause = trees[1].tree if len(trees) > 1 else None
        reads = [value for each in trees for value in each.reads]
        self._emit(Line(ast.Raise(trees[0].tree, cause, **place), reads, ends=True))

    def _write_set_item(self, node: Node, place: Place) -> None:
        self._absorb(evaluated(node))
        reads, self._reads = self._reads, []
        base, index, value = node.args
        right = self._write.operand(value, place)
        target = self._write.subscript(base, index, STORE, place)
        line = Line(ast.Assign([target], right, **place), self._reads)
        self._reads = reads
        self._emit(line)

    def _write_del_item(self, node: Node, place: Place) -> None:
        self._absorb(node.args)
        reads, self._reads = self._reads, []
        target = self._write.subscript(node.args[0], node.args[1], DELETE, place)
        line = Line(ast.Delete([target], **place), self._reads)
        self._reads = reads
        self._emit(line)

    def _write_set_attribute(self, node: Node, place: Place) -> None:
        self._absorb(evaluated(node))
        base, name, value = node.args
        if type(name) is not str or not name.isidentifier():
            made = self._expression(node, place)
            self._emit(Line(ast.Expr(made.tree, **place), made.reads))
            return
        right, owner = self._operand(value, place), self._operand(base, place)
        target = ast.Attribute(owner.tree, name, STORE, **place)
        self._emit(Line(ast.Assign([target], right.tree, **place), right.reads + owner.reads))

    def _write_del_attribute(self, node: Node, place: Place) -> None:
        self._absorb(node.args)
        if type(node.args[1]) is not str or not node.args[1].isidentifier():
            made = self._expression(node, place)
            self._emit(Line(ast.Expr(made.tree, **place), made.reads))
            return
        owner = self._operand(node.args[0], place)
        target = ast.Attribute(owner.tree, node.args[1], DELETE, **place)
        self._emit(Line(ast.Delete([target], **place), owner.reads))

    def _write_yield(self, node: Node, place: Place) -> None:
        self._absorb(node.args)
        given = self._operand(node.args[0], place)
        suspended = ast.Yield if node.op.name == "yield" else ast.YieldFrom
        tree = suspended(given.tree, **place)
        if node.outputs:
            self._assign(node.outputs[0], Expression(tree, given.reads, False, False, place), place)
        else:
            self._emit(Line(ast.Expr(tree, **place), given.reads))

    def _write_release(self, node: Node, place: Place) -> None:
        """``del generator``, unless the only expression that needs it holds it."""
        (value,) = node.args
        if type(value) is Value and value not in self._folded:
            self._flush_all()
            name = ast.Name("", DELETE, **place)
            self.names.append((name, self.same.get(value, value)))
            self._emit(Line(ast.Delete([name], **place), [self.same.get(value, value)]))


_WRITTEN_BY_NAME = {
    "release": Statements._write_release,
    "yield": Statements._write_yield,
    "yield_from": Statements._write_yield,
    "unpack": Statements._write_unpack,
    "raise": Statements._write_raise,
    "set_item": Statements._write_set_item,
    "del_item": Statements._write_del_item,
    "set_attribute": Statements._write_set_attribute,
    "del_attribute": Statements._write_del_attribute,
}
_RESULT = Value("result", Python(object))


def _may_clean_up(value: Value) -> bool:
    """Whether something may happen when the value goes: it is, or holds, an object that is not known."""
    return refers(value.type) and not is_flat(value.type)


def substituted(operands: Sequence[Operand], replacements: Mapping[Value, Operand]) -> tuple[Operand, ...]:
    """The operands with some values replaced."""
    return tuple(map_values(operand, lambda value: replacements.get(value, value)) for operand in operands)
