"""The NumPy program: a graph as one flat Python function with the same calls as the user's code.

    graph ─► statements (:mod:`.statements`) ─► locals (:mod:`.locals`) ─► ``ast`` tree ─► code object and
    text

The function has native ``if``, ``while`` and ``for``, no dispatch, and every statement lies at the user's
line of the user's file, so a traceback shows the user's text.  A graph that is called becomes a function
beside it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

from autograph.emit import to_text
from autograph.silence import silent

from ..graph import Graph, Weakly, weakly_held
from ..naming import is_named_by_op, name_values, stored_name
from .blocks import Block, Branch, Copies, Line, Loop, Protected
from .expressions import LOAD, STORE, Globals, Place, constant_name, place_of
from .locals import assign_locals
from .outlining import file_of, outline
from .statements import Statements
from .tracebacks import NAME, Inlined


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled graph.

    ``function`` takes the inputs of the graph positionally; ``text`` is its source, which runs when pasted
    into a module that has the ``constants`` (globals by name) too; the modules among them it imports itself.
    """

    function: Callable[..., Any]
    tree: ast.Module
    constants: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The source, with the imports and the list of the constants it needs."""
        return "\n".join([*_header(self.constants), to_text(self.tree)])


def compile_graph(graph: Graph) -> Program:
    """The NumPy program of a whole function's graph.

    >>> from ..graph import Node, Op, Value
    >>> from ..types import INT
    >>> n, double = Value("n", INT), Value("double", INT)
    >>> multiply = Op("multiply", syntax="binary", symbol="*")
    >>> program = compile_graph(Graph("twice", [n], [Node(multiply, (2, n), outputs=(double,))], (double,)))
    >>> print(program.text, end="")
    def twice(n):
        return 2 * n
    >>> program.function(21)
    42
    """
    name_values(graph)
    graph = outline(graph)
    constants = Globals(_names_in(graph))
    callees = {graph: constants.reserve(graph.name)}
    built: dict[Graph, Statements] = {}
    waiting = [graph]
    while waiting:
        each = waiting.pop()
        if each not in built:
            built[each] = Statements(each, constants, callees)
            waiting += built[each].calls
    alive = tuple(weakly_held(graph))
    functions = [
        _definition(each, callees[each], built[each], constants, alive if each is graph else ())
        for each in reversed(built)
    ]
    tree = ast.Module(functions, [])
    namespace: dict[str, Any] = dict(constants.constants)
    with silent(file_of(graph)):
        code = compile(tree, file_of(graph), "exec")
    codes = _define(code, {callees[each]: each for each in built}, namespace)
    if any(node.location is not None and node.location.within is not None for node in graph.walk()):
        namespace[NAME] = Inlined(tree, codes)
    return Program(namespace[callees[graph]], tree, constants.constants)


def _names_in(graph: Graph) -> set[str]:
    """The names that globals leave to locals: the user's."""
    names = {value.name for value in graph.inputs}
    for node in graph.walk():
        names.update([value.name for value in node.outputs if not is_named_by_op(value)])
        for part in node.parts:
            names.update([value.name for value in part.inputs])
    return names


def _define(code: CodeType, graphs: dict[str, Graph], namespace: dict[str, Any]) -> dict[str, CodeType]:
    """Make the functions of a compiled module, each under the name and the file of its graph.

    Returns:
        Their code by their names in the module.
    """
    codes = {}
    namespace.setdefault("__builtins__", builtins)  # C code imports through the globals of the running frame
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            graph = graphs[constant.co_name]
            renamed = constant.replace(co_filename=file_of(graph), co_name=graph.name)
            namespace[constant.co_name] = FunctionType(renamed, namespace, graph.name)
            codes[constant.co_name] = renamed
    return codes


def _keeping(alive: Sequence[Weakly], constants: Globals, place: Place) -> ast.stmt:
    """``alive = (variable(), ...)``: nothing that the program needs goes before its end."""
    names = [constants.name_of(held, constant_name(held())) for held in alive]
    items: list[ast.expr] = [ast.Call(ast.Name(name, LOAD, **place), [], [], **place) for name in names]
    target = ast.Name(constants.reserve("alive"), STORE, **place)
    return ast.Assign([target], ast.Tuple(items, LOAD, **place), **place)


def _definition(
    graph: Graph, name: str, statements: Statements, constants: Globals, alive: Sequence[Weakly] = ()
) -> ast.stmt:
    """The ``def`` of one function."""
    parameters = [*graph.inputs, *dict.fromkeys(graph.free_values())]
    found = assign_locals(statements.block, parameters, constants)
    for name_tree, value in statements.names:
        name_tree.id = found.get(value, value.name)
    place = place_of(graph.location)
    parameters_trees = [ast.arg(found[each], **place) for each in parameters]
    arguments = ast.arguments([], parameters_trees, None, [], [], None, [])
    body = _Assembly(found).block(statements.block)
    if body and isinstance(body[-1], ast.Return) and len(body) > 1 and _is_none(body[-1]):
        body.pop()
    if not body:
        body = [ast.Pass(**place)]
    if alive:
        body.insert(0, _keeping(alive, constants, place))
    tree = ast.FunctionDef(name, arguments, body, [], **place)
    if hasattr(ast, "TypeAlias"):  # Python 3.12
        tree.type_params = []  # type: ignore[attr-defined]
    return tree


class _Assembly:
    """Statements with known locals as ``ast`` statements."""

    def __init__(self, found: dict[Any, str]) -> None:
        self._found = found

    def block(self, block: Block) -> list[ast.stmt]:
        """A block as a list of statements, empty when nothing is left to do."""
        body: list[ast.stmt] = []
        for item in block:
            if isinstance(item, Line):
                self._line(item, body)
            elif isinstance(item, Copies):
                self._copies(item, body)
            elif isinstance(item, Branch):
                self._branch(item, body)
            elif isinstance(item, Protected):
                self._protected(item, body)
            else:
                self._loop(item, body)
            if body and isinstance(body[-1], ast.Break | ast.Return | ast.Raise | ast.Continue):
                break
        return body

    def _line(self, line: Line, body: list[ast.stmt]) -> None:
        tree = line.tree
        if line.dead:
            return
        if line.unused and isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
            tree = ast.Expr(tree.value, **_place(tree))
        body.append(tree)

    def _copies(self, copies: Copies, body: list[ast.stmt]) -> None:
        """Copies one after the other if no source is overwritten before it is read, else as one tuple
        assignment."""
        waiting: list[tuple[str, ast.expr, set[str], bool]] = []
        for target, source, value in copies.pairs:
            local = self._found[target]
            if value is None or self._found[value] != local:
                waiting.append(
                    (local, source.tree, {self._found[each] for each in source.reads}, source.free)
                )
        place = copies.place
        movable = all(free for *_, free in waiting)
        while waiting:
            first = 0
            while first < len(waiting) and any(
                waiting[first][0] in reads for at, (_, _, reads, _) in enumerate(waiting) if at != first
            ):
                first += 1
            if first == len(waiting) or (first and not movable):
                break
            local, tree, *_ = waiting.pop(first)
            body.append(ast.Assign([ast.Name(local, STORE, **place)], tree, **place))
        if waiting:
            targets: list[ast.expr] = [ast.Name(local, STORE, **place) for local, *_ in waiting]
            sources = [tree for _, tree, *_ in waiting]
            body.append(
                ast.Assign([ast.Tuple(targets, STORE, **place)], ast.Tuple(sources, LOAD, **place), **place)
            )

    def _branch(self, branch: Branch, body: list[ast.stmt]) -> None:
        then, orelse = self.block(branch.then), self.block(branch.orelse)
        test, place = branch.test.tree, branch.place
        if not then and not orelse:
            if not (branch.test.pure and isinstance(test, ast.Name | ast.Constant)):
                body.append(ast.If(test, [ast.Pass(**place)], [], **place))
        elif not then:
            body.append(ast.If(_negated(test, place), orelse, [], **place))
        elif orelse and isinstance(then[-1], ast.Break | ast.Return | ast.Raise | ast.Continue):
            body.append(ast.If(test, then, [], **place))
            body += orelse
        else:
            body.append(ast.If(test, then, orelse, **place))

    def _protected(self, item: Protected, body: list[ast.stmt]) -> None:
        place = item.place
        inner: list[ast.stmt] = self.block(item.body) or [ast.Pass(**place)]
        if item.manager is not None:
            assert item.entered is not None
            name = self._found.get(item.entered)
            target = None if name is None else ast.Name(name, STORE, **place)
            body.append(ast.With([ast.withitem(item.manager.tree, target)], inner, **place))
            return
        handlers = [
            ast.ExceptHandler(
                None if catches is None else catches.tree,
                self._found.get(error) if catches is not None else None,
                self.block(block) or [ast.Pass(**place)],
                **place,
            )
            for catches, error, block in item.handlers
        ]
        for handler, (catches, error, _) in zip(handlers, item.handlers, strict=True):
            if catches is None and error in self._found:
                handler.type, handler.name = ast.Name("BaseException", LOAD, **place), self._found[error]
        orelse, final = self.block(item.orelse), self.block(item.final)
        if not handlers:
            inner += orelse
            orelse = []
        body.append(
            ast.Try(inner, handlers, orelse, final or ([] if handlers else [ast.Pass(**place)]), **place)
        )

    def _loop(self, loop: Loop, body: list[ast.stmt]) -> None:
        place = loop.place
        inner = self.block(loop.body)
        if loop.iterable is not None:
            names: list[ast.expr] = [ast.Name(self._found[each], STORE, **place) for each in loop.targets]
            target = names[0] if not loop.unpacks else ast.Tuple(names, STORE, **place)
            body.append(ast.For(target, loop.iterable.tree, inner or [ast.Pass(**place)], [], **place))
            gone = dict.fromkeys(self._found[each] for each in loop.lets_go)
            if gone:
                targets: list[ast.expr] = [ast.Name(name, STORE, **place) for name in gone]
                body.append(ast.Assign(targets, ast.Constant(None, **place), **place))
            return
        before = self.block(loop.test)
        condition: ast.expr = ast.Constant(True, **place) if loop.condition is None else loop.condition.tree
        if before and loop.condition is not None:
            before.append(ast.If(_negated(condition, place), [ast.Break(**place)], [], **place))
            condition = ast.Constant(True, **place)
        body.append(ast.While(condition, [*before, *inner] or [ast.Pass(**place)], [], **place))


def _negated(test: ast.expr, place: Place) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test, **place)


def _place(tree: Any) -> Place:
    return {
        "lineno": tree.lineno,
        "col_offset": tree.col_offset,
        "end_lineno": tree.end_lineno,
        "end_col_offset": tree.end_col_offset,
    }


def _is_none(statement: ast.Return) -> bool:
    return isinstance(statement.value, ast.Constant) and statement.value.value is None


def _header(constants: Mapping[str, Any]) -> Iterable[str]:
    """Imports of the modules among the constants, and a line for each other one."""
    lines = []
    for name, constant in constants.items():
        if isinstance(constant, ModuleType):
            path = constant.__name__
            lines.append(f"import {path}" if path == name else f"import {path} as {name}")
    for name, constant in constants.items():
        if not isinstance(constant, ModuleType):
            lines.append(f"# {name}: {_described(constant)}")
    return [*lines, "", ""] if lines else []


def _described(constant: object) -> str:
    name = stored_name(constant, "__qualname__")
    if isinstance(name, str):
        return f"{getattr(constant, '__module__', None) or 'builtins'}.{name}"
    if type(constant) in (int, float, complex):
        return repr(constant)
    return f"<{type(constant).__name__}>"


__all__ = ["Program", "compile_graph"]
