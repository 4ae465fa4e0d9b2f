"""State that lives outside the trace: globals, enclosing variables, attributes, and the containers in them.

A read is static where the value decides about the trace (a string, a function, an object: guarded, so that
the next call notices a change), and a node of the graph where it is data (an array, a number that has changed
before, anything that the function writes).  A write is always a node, in program order; what is written
anywhere in a trace is dynamic from its start, which a restart sees to.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import sys
import types
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph import outer_names
from autograph.convert import is_converted_code

from . import exceptions, given_functions, outer_containers, paths
from .aliasing import written
from .graph import Node, Op, Operand, Value
from .operands import RawOperand, Traced, has_symbols
from .ops import table
from .outer_containers import KNOWN_ITEMS
from .paths import Path
from .tensor import Tensor
from .types import Array, Instance, Scalar, Type, type_of

if TYPE_CHECKING:
    from .tracing import Tracer

STATIC = (
    bool,
    str,
    bytes,
    type(None),
    type(Ellipsis),
    type(NotImplemented),
    range,
    enum.Enum,
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    types.MethodType,
    types.MethodWrapperType,
    types.MethodDescriptorType,
    types.GenericAlias,
    types.UnionType,
    np.dtype,
    np.ufunc,
    frozenset,
)
"""Immutable values, and objects whose identity is what matters: static, under a guard."""
NUMBERS = (int, float, complex)


_OF_ONE_ITEM = frozenset({"set_item", "del_item"})
_NONE: frozenset[str] = frozenset()
_DISPLAYS = frozenset({"make_list", "make_dict", "make_set", "list", "dict", "set"})


class Outside:
    """What one trace knows about the state around it."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.proxies: dict[int, Traced] = {}
        self.operands: dict[Hashable, Operand] = {}
        self.changing: dict[int, Any] = {}
        """The containers that live in the graph, under whatever path."""
        self.met: dict[Hashable, tuple[Path, Any]] = {}
        """The containers and objects found so far."""
        self.compared = False
        """Whether the trace looked at which of them are one."""
        self.places: set[Value] = set()
        """The values that are read by path: a write through them is a write to that path."""
        self.namespaces: dict[Value, Path] = {}
        """The ``__dict__`` of objects, with the paths to these."""
        self.written: set[Hashable] = set()
        self.sure: list[Hashable] = []
        """The paths that were read with a type, as nothing had changed them before."""
        self.doubted = False
        """Whether a part has changed an object that only the run knows, when none of outside had been met."""
        self.steady: set[Hashable] = set()
        """Those that were in a part that may run often, and nothing may change them at all."""
        self.forgotten = 0
        """How often something unknown has run."""
        self.creates = False
        """Whether a Variable is made."""
        self.unsure = "outside" in tracer.assumptions.dynamic
        self.bare: dict[int, tuple[Any, dict[str, Any]]] = {}
        """The functions and classes that stand for themselves, with the attributes that they had."""
        self.named: dict[int, tuple[Any, Path]] = {}
        """Functions and classes of the user's that the text calls by an outer name, with where they are."""

    def watch(self, path: Path, function: Any) -> None:
        """A function or class of the user's stands for itself as long as it holds no data: if the code gives
        it some, the trace has to know from its start."""
        of_users = is_users_function(function) or (
            isinstance(function, type) and is_of_users(function.__module__)
        )
        if of_users and id(function) not in self.bare:
            self.bare[id(function)] = (function, dict(vars(function)))
            self.tracer.guards.attributes(path, function)

    def undo_attributes(self) -> bool:
        """Take back what the traced code has given functions and classes; whether there was anything."""
        found = False
        for function, before in self.bare.values():
            held = vars(function)
            names = {name for name in held.keys() | before if held.get(name) is not before.get(name)}
            for name in names - getattr(function, "_own_names", _NONE):
                self.tracer.assumptions.dynamic.add(("attributes", id(function)))
                if name in before:
                    setattr(function, name, before[name])
                else:
                    delattr(function, name)
                found = True
        return found

    def relied_on(self) -> list[tuple[Path, Any]]:
        """The containers and objects of which the trace relies on which are one: those that may be other ones
        in
        other calls, and what these may then be."""
        met = list(self.met.values())
        return met if any(by_class(self.tracer, path) for path, _ in met) else []

    def release(self) -> None:
        """Let go of the arguments of the call that was traced: the trace outlives them."""
        for path, _ in self.met.values():
            path.release()
        self.tracer.guards.release()
        self.met.clear()
        self.proxies.clear()
        self.named.clear()

    def forget(self) -> None:
        """Something unknown runs: what is read after it, and in a loop also before it, may be different."""
        if not self.tracer.straight and not self.unsure:
            raise self.tracer.assumptions.learn("outside")
        self.unsure = True
        self.forgotten += 1
        self.operands.clear()

    def doubt(self, node: Node) -> None:
        """An op changes something in place: an object that only the run knows may be one of those of outside.
        """
        if self.unsure:
            return
        owner = self.namespaces.get(node.args[0]) if node.op.name in _OF_ONE_ITEM else None
        if owner is not None and type(node.args[1]) is str:
            self.write(paths.attribute(owner, node.args[1]))
        elif any(self.is_anything(operand) for operand in written(node)):
            if self.met or self.tracer.straight or any(map(_is_of_names, written(node))):
                self.forget()
            else:
                self.doubted = True

    def meet(self, path: Path, raw: Any) -> None:
        """Note a container or object of outside; one that was met late may have changed before."""
        if self.doubted and not self.unsure:
            raise self.tracer.assumptions.learn("outside")
        self.met.setdefault(path.key, (path, raw))

    def is_anything(self, operand: Operand) -> bool:
        """Whether only the run knows which container or object this is."""
        if type(operand) is not Value or operand in self.places or isinstance(operand.type, Array | Scalar):
            return False
        producer = operand.producer
        return producer is None or not (producer.op.name in _DISPLAYS or producer.op.name.startswith("new "))

    def operand(self, path: Path) -> Operand:
        """The operand that reads ``path``, shared by the reads of one block as long as nothing changes it."""
        found = self._operand(path)
        if type(found) is Value:
            self.places.add(found)
        return found

    def _operand(self, path: Path) -> Operand:
        if isinstance(path, paths.Argument | paths.Constant):
            return path.to_operand(self.tracer)
        found = self.operands.get(path.key)
        if found is None or len(self.tracer.stack) > 1:
            found = path.to_operand(self.tracer)
            written = path.key in self.tracer.assumptions.dynamic or self.is_class_written(path)
            if len(self.tracer.stack) == 1 and not written:
                self.operands[path.key] = found
            known = self.met.get(path.key)
            if (
                known is not None
                and type(found) is Value
                and not self.unsure
                and path.key not in self.written
            ):
                self.sure.append(path.key)
                found.type = Instance(type(known[1]))
        return found

    def is_held(self, path: Path) -> bool:
        """Whether a name surely holds something here: when the call begins, and nothing takes it away."""
        if self.unsure or path.key in self.tracer.assumptions.dynamic:
            return False
        try:
            path.read()
        except (LookupError, ValueError):
            return False
        self.tracer.guards.present(path)
        return True

    def is_dynamic(self, path: Path) -> bool:
        """Whether ``path`` has to be read when the graph runs."""
        if self.unsure or path.key in self.tracer.assumptions.dynamic:
            return True
        return self.is_class_written(path)

    def is_class_written(self, path: Path) -> bool:
        """Whether ``path`` leads to an attribute of a class, through it or an object of it, that is written.
        """
        dynamic = self.tracer.assumptions.dynamic
        if not dynamic or not isinstance(path, paths.Attribute):
            return False
        owner = path.parent.read()
        if path.name in getattr(owner, "__dict__", ()):
            return False
        bases = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
        return any((("object", id(base)), "." + path.name) in dynamic for base in bases)

    def is_steady(self, path: Path) -> bool:
        """Whether ``path`` surely leads to what it led to when the call began; the trace may rely on that.

        In a part that may run often nothing behind it may change ``path`` either.
        """
        if self.unsure or path.key in self.written or self.is_class_written(path):
            return False
        if self.tracer.straight:
            self.sure.append(path.key)
            return True
        if ("changes", path.key) in self.tracer.assumptions.dynamic:
            return False
        self.steady.add(path.key)
        return True

    def write(self, path: Path) -> None:
        """Note that ``path`` is written; from the start of the trace it must have been dynamic."""
        if path.key in self.steady:
            raise self.tracer.assumptions.learn(("changes", path.key))
        if path.key not in self.tracer.assumptions.dynamic:
            if self.tracer.assumptions.pinned.pop(path.key, None) is not None:
                self.tracer.assumptions.dynamic.add(("written", path.key))
            raise self.tracer.assumptions.learn(path.key)
        self.written.add(path.key)
        with contextlib.suppress(Exception):  # there may be nothing yet
            if isinstance(path, paths.Attribute):
                self.share(path, paths.held(path.parent.read(), path.name))
            else:
                self.share(path, path.read())

    def share(self, path: Path, raw: Any) -> None:
        """A container lives in the graph under this path: no other path to it may be looked at while tracing.
        """
        if isinstance(raw, list | dict | set):
            self.changing[id(raw)] = raw
            if by_class(self.tracer, path):
                self.meet(path, raw)
            other = self.proxies.get(id(raw))
            if other is not None and other.path.key != path.key:  # type: ignore[attr-defined]
                raise self.tracer.assumptions.learn(other.path.key)  # type: ignore[attr-defined]


def _is_of_names(operand: Operand) -> bool:
    """Whether this is the namespace that ``globals()`` gives."""
    return type(operand) is Value and operand.producer is not None and operand.producer.op.name == "globals"


def find(tracer: Tracer, path: Path, raw: Any) -> Any:
    """What the user's code gets for the value ``raw`` that ``path`` leads to."""
    outside = tracer.outside
    if outside.is_dynamic(path) and not _is_known_code(tracer, path, raw) and (
        not isinstance(path, paths.Constant) or isinstance(raw, list | dict | set)
    ):
        return read(tracer, path, raw)
    if type(raw) is types.MethodType and not is_bound_to_code(raw):
        tracer.guards.method(path, raw.__func__)
        return types.MethodType(raw.__func__, find(tracer, paths.attribute(path, "__self__"), raw.__self__))
    if type(raw) is functools.partial:
        tracer.guards.kind(path, functools.partial)
        return partial(tracer, path, raw)
    if stands_out(tracer, raw):
        if paths.is_of_argument(path) and not is_users_function(raw):
            return proxy(tracer, path, raw)
        tracer.guards.identity(path, raw)
        return held_by_code(tracer, raw)  # under one path, whatever names it has
    if type(raw) is types.FunctionType and ("class", path.key) in tracer.assumptions.dynamic:
        if given_functions.is_told_by_code(raw):
            return proxy(tracer, path, raw)
    if isinstance(raw, STATIC):
        tracer.guards.same(path, raw)
        tracer.outside.watch(path, raw)
        return raw
    if type(raw) in NUMBERS:
        tracer.guards.same(path, raw)
        return raw
    if isinstance(raw, np.ndarray | np.generic):
        return read(tracer, path, raw)
    if type(raw) is tuple:
        tracer.guards.structure(path, raw)
        if outside.is_dynamic(path) and _is_known_code(tracer, path, raw):
            for k, each in enumerate(raw):
                tracer.guards.identity(paths.item(path, k), each)
            return tuple([held_by_code(tracer, each) for each in raw])
        return tuple(find(tracer, paths.item(path, k), each) for k, each in enumerate(raw))
    if isinstance(raw, Tensor | Traced):
        return raw
    if is_staged(raw):
        tracer.guards.identity(path, raw)
        tracer.outside.watch(path, raw)
        return raw
    return proxy(tracer, path, raw)


def find_in_module(tracer: Tracer, path: Path, raw: Any) -> Any:
    """The same for an attribute of a module that the function imports: modules in it are seen by all too."""
    return proxy(tracer, path, raw) if isinstance(raw, types.ModuleType) else find(tracer, path, raw)


def _is_known_code(tracer: Tracer, path: Path, raw: Any) -> bool:
    """Whether a name holds a class, module or function, or a tuple of classes: only what is traced assigns it
    another one."""
    if path.key in tracer.assumptions.dynamic:
        return False
    if tracer.later and (is_users_function(raw) or is_staged(raw)):
        return False  # it may be exchanged before the made function is called
    if isinstance(path, paths.Global | paths.Cell):
        return isinstance(raw, type | types.FunctionType | types.ModuleType) or _are_classes(raw)
    return paths.is_of_module(path) and outer_names.is_steady(raw)


def _are_classes(raw: Any) -> bool:
    return type(raw) is tuple and raw != () and all(isinstance(each, type) for each in raw)


def plain(tracer: Tracer, function: Any) -> Any:
    """The function to trace through: the plain one of a staged function."""
    if isinstance(function, types.FunctionType):
        return function
    tracer.inner.setdefault(function, 0)
    return function.python_function


def is_bound_to_code(method: types.MethodType) -> bool:
    """Whether it is a method of a class or of a symbol, which the trace knows already."""
    return isinstance(method.__self__, type | Tensor | Traced)


def partial(tracer: Tracer, path: Path, raw: functools.partial[Any]) -> Any:
    """A partial function of outside, with everything it holds found by path."""
    function, keywords = (
        find(tracer, paths.attribute(path, part), getattr(raw, part)) for part in ("func", "keywords")
    )
    items = paths.attribute(path, "args")
    tracer.guards.structure(items, raw.args)
    args = [find(tracer, paths.item(items, k), each) for k, each in enumerate(raw.args)]
    return functools.partial(function, *args, **{key: keywords[key] for key in raw.keywords})


def is_staged(value: Any) -> bool:
    """Whether this is a staged function, or one bound to an object."""
    return hasattr(type(value), "get_concrete_function")


_GET_HELD = dataclasses.replace(table.get("get_attribute"), total=lambda *_: True)
"""An attribute that a guard has seen and nothing takes away."""


def read(tracer: Tracer, path: Path, raw: Any) -> Any:
    """Read ``path`` when the graph runs; its type is known (and guarded) where nothing can have changed it.
    """
    outside = tracer.outside
    outside.share(path, raw)
    operand = outside.operand(path)
    if isinstance(raw, np.ndarray | np.generic | int | float | complex) and outside.is_steady(path):
        known = type_of(raw)
        if isinstance(known, Array) and ("shape", path.key) in tracer.assumptions.dynamic:
            known = Array(known.dtype, None if known.shape is None else (None,) * len(known.shape))
        tracer.guards.type(path, raw, known)
        if type(operand) is not Value:
            return tracer.tensor_of(operand, known)
        operand.type = known
        if operand.producer is not None and operand.producer.op is table.get("get_attribute"):
            operand.producer.op = _GET_HELD
        if type(raw) in NUMBERS:
            tracer.path_of[operand] = path
    return tracer.wrap(operand) if type(operand) is Value else tracer.tensor_of(operand, type_of(raw))


def proxy(tracer: Tracer, path: Path, raw: Any) -> Any:
    """What stands for a list, a dict or an object of outside; one object has one proxy."""
    found = tracer.outside.proxies.get(id(raw))
    if found is not None and (found.path is path or found.path.key == path.key):  # type: ignore[attr-defined]
        return found
    kind = type(raw)
    if id(raw) in tracer.outside.changing and not tracer.outside.is_dynamic(path):
        raise tracer.assumptions.learn(path.key)
    if found is not None and not paths.is_of_argument(path):
        tracer.guards.identity(path, raw)  # the trace relies on two paths leading to one object
        tracer.guards.identity(found.path, raw)  # type: ignore[attr-defined]
    if found is None:
        if kind is list and len(raw) <= KNOWN_ITEMS:
            found = outer_containers.OuterList(tracer, path, raw)
        elif kind is dict and len(raw) <= KNOWN_ITEMS and all(type(k) in (str, int) for k in raw):
            found = outer_containers.OuterDict(tracer, path, raw)
        elif kind in (list, dict, set):
            return Tensor(_typed(tracer, path, Instance(kind)), tracer.block, tracer)
        else:
            stand_in = next(PROXIES[base] for base in kind.__mro__ if base in PROXIES)
            found = stand_in(tracer, path, raw)
        tracer.outside.proxies[id(raw)] = found
    if isinstance(found, outer_containers.OuterContainer):
        tracer.guards.structure(path, raw)
    elif by_class(tracer, path):
        tracer.guards.kind(path, kind)
    else:
        tracer.guards.identity(path, raw)
        tracer.guards.kind(path, kind)
    tracer.outside.meet(path, raw)
    return found


def by_class(tracer: Tracer, path: Path) -> bool:
    """Whether the trace relies on the class of the object there only, as it is another one in other calls."""
    if paths.is_of_argument(path):
        return True
    while True:
        if ("class", path.key) in tracer.assumptions.dynamic:
            return True
        if not isinstance(path, paths.Attribute | paths.Item):
            return False
        path = path.parent


def _typed(tracer: Tracer, path: Path, kind: Type) -> Any:
    operand = tracer.outside.operand(path)
    if kind != Instance(set):
        tracer.guards.kind(path, kind.cls)  # type: ignore[attr-defined]
    return operand


def read_outer(tracer: Tracer, reader: Callable[[], Any]) -> Any:
    """A global or an enclosing function's variable is read."""
    path = _seen_by_all(tracer, paths.of_reader(reader))
    if path.key in tracer.assumptions.dynamic and path.key in tracer.outside.written:
        return read(tracer, path, None)
    try:
        raw = reader()
    except (AttributeError, NameError) as error:
        if isinstance(path, paths.Attribute):
            if tracer.outside.is_dynamic(path):
                return read(tracer, path, None)
            tracer.guards.lacking(path.parent, path.name)
        elif isinstance(path, paths.Global):
            missing_global(tracer, path)
        raise exceptions.deliberate(error)  # noqa: B904
    if isinstance(path, paths.Global) and path.name not in path.namespace:
        missing_global(tracer, path)
    if isinstance(path, paths.Attribute) and path.name in _STREAMS and path.parent.read() is sys:
        return read(tracer, path, raw)  # it is redirected now and then, which is no reason to trace again
    return find(tracer, path, raw)


_STREAMS = frozenset({"stdin", "stdout", "stderr"})


def missing_global(tracer: Tracer, path: paths.Global) -> None:
    """The trace relies on a module having no global of this name."""
    namespace = path.namespace
    names = paths.Constant("globals()", ("names of", id(namespace)), namespace.keys())
    tracer.guards.unnamed(names, path.name)


def _seen_by_all(tracer: Tracer, path: Path) -> Path:
    """The same for an attribute however its owner is called: a module may be imported under several names."""
    path = given_functions.placed(tracer, path)
    if not isinstance(path, paths.Attribute) or path.name == "cell_contents":
        return path
    owner = path.parent.read()
    tracer.guards.identity(path.parent, owner)
    return paths.attribute(paths.Constant(path.parent.text, ("object", id(owner)), owner), path.name)


def write_outer(tracer: Tracer, writer: Callable[[Any], None], value: Any) -> None:
    """A global, an enclosing function's variable, or an attribute of a module, class or function is assigned.
    """
    path = _seen_by_all(tracer, paths.of_writer(writer))
    tracer.outside.write(path)
    if isinstance(path, paths.Attribute):
        tracer.apply("set_attribute", RawOperand(tracer.outside.operand(path.parent)), path.name, value)
        return
    op = Op(f"set {path.text}", writer, "call", f"set_{path.text}", region=f"name {path.text}", stores=True)
    tracer.record(op, (value,))


def delete_outer(tracer: Tracer, deleter: Callable[[], None]) -> None:
    """A global, an enclosing function's variable, or an attribute of a module, class or function is deleted.
    """
    path = _seen_by_all(tracer, paths.of_writer(deleter))
    tracer.outside.write(path)
    if isinstance(path, paths.Attribute):
        tracer.apply("del_attribute", RawOperand(tracer.outside.operand(path.parent)), path.name)
        return
    op = Op(f"del {path.text}", deleter, "call", f"del_{path.text}", region=f"name {path.text}", stores=True)
    tracer.record(op, ())


PROXIES: dict[type, Any] = {}
"""What stands for the objects of a class and its subclasses while tracing."""


def held_by_code(tracer: Tracer, raw: Any) -> Any:
    """What stands for an object that the program has as a constant: the default of a parameter, the object of
    a bound method, a class."""
    if raw is None or isinstance(raw, np.generic | int | float | complex) or has_symbols(raw):
        return raw  # made by the traced code, if it holds symbols
    if id(raw) in tracer.made_classes:
        return tracer.made_classes[id(raw)]
    if stands_out(tracer, raw):
        return by_itself(tracer, raw)
    if isinstance(raw, STATIC) or is_staged(raw):
        if isinstance(raw, type):
            tracer.outside.watch(paths.of_object(raw), raw)
        return raw
    if type(raw) is tuple and all(held_by_code(tracer, item) is item for item in raw):
        return raw
    if type(raw).__module__ in ("functools", "operator", "builtins") and callable(raw):
        return raw
    return find(tracer, paths.Constant(type(raw).__name__, ("object", id(raw)), raw), raw)


def by_itself(tracer: Tracer, raw: Any) -> Any:
    """What stands for a class, module or function, whatever names it has."""
    return proxy(tracer, paths.of_object(raw), raw)


def stands_out(tracer: Tracer, raw: Any) -> bool:
    """Whether a stand-in is needed for this class, module or function: it holds data, or will."""
    return has_state(raw) or ("attributes", id(raw)) in tracer.assumptions.dynamic


def has_state(raw: Any) -> bool:
    """Whether this is a class, module or function of the user's that holds data, which may change."""
    held: list[Mapping[str, Any]]
    if is_users_function(raw):
        names = vars(raw).keys() - raw._own_names if is_staged(raw) else vars(raw)
        return any(not name.startswith("__") for name in names)
    if isinstance(raw, types.ModuleType):
        name, held = raw.__name__, [raw.__dict__]
    elif isinstance(raw, type) and not issubclass(raw, BaseException):
        name, held = raw.__module__, [base.__dict__ for base in raw.__mro__[:-1]]
    else:
        return False
    return is_of_users(name) and any(
        not key.startswith("__") and not isinstance(value, _CODE)
        for each in held
        for key, value in each.items()
    )


def is_users_function(raw: Any) -> bool:
    """Whether this is a function of the user's, staged or not, that the trace has not made itself."""
    if is_staged(raw):
        return not hasattr(raw, "__self__")
    if type(raw) is not types.FunctionType or is_converted_code(raw.__code__):
        return False
    return outer_names.is_users(raw.__code__.co_filename)


def is_of_users(module: str) -> bool:
    """Whether a module is the user's: its file is, or it has none, as what a prompt or ``exec`` makes."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return module.partition(".")[0] not in sys.stdlib_module_names
    return outer_names.is_users(file)


_CODE = (
    type,
    property,
    classmethod,
    staticmethod,
    functools.cached_property,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
)
