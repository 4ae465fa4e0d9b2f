"""What transpiled code does on plain values: exactly what the Python construct would have done.

:class:`Backend` is the protocol that array libraries implement, and its methods as they stand *are* plain
Python, so a subclass overrides only what it stages.  A part (``then``, ``orelse``, ``body``, ``test``) takes
the state as its arguments and hands the new state back: nothing for no name, the bare value for one name, a
tuple for more.
"""
from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, Protocol

Part = Callable[..., Any]
State = tuple[Any, ...]
Names = tuple[str, ...]


class Caller(Protocol):
    """How a backend calls a function that is to be converted first."""

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...


def cells_of_state(part: Any, names: Names) -> list[tuple[int, Any]]:
    """The places in the state, with their cells, of the names that a part binds with ``nonlocal``.

    What a test or an iterator calls may assign these between two runs of the part.
    """
    closure = getattr(part, "__closure__", None)
    if not closure or not names:
        return []
    cells = dict(zip(part.__code__.co_freevars, closure, strict=True))
    return [(place, cells[name]) for place, name in enumerate(names) if name in cells]


def as_it_is_now(state: State, cells: list[tuple[int, Any]]) -> State:
    """The state with what these cells hold by now."""
    now = list(state)
    for place, cell in cells:
        now[place] = cell.cell_contents
    return tuple(now)


def as_state(result: Any, names: Names) -> State:
    """The state that a part handed back, always as a tuple."""
    if len(names) == 1:
        return (result,)
    return result if names else ()


def as_result(state: State, names: Names) -> Any:
    """The other way: what a part hands back for ``state``, of which only the first are named.

    >>> as_result((1, 2, 3), ("a", "b"))
    (1, 2)
    """
    if len(names) == 1:
        return state[0]
    return tuple(state[: len(names)]) if names else None


def matches(error: BaseException, catches: Any) -> bool:
    """Whether an ``except`` clause with these classes catches the exception, by Python's rules.

    Raises:
        TypeError: as Python does, for something that is no exception class.
    """
    classes = catches if isinstance(catches, tuple) else (catches,)
    for cls in classes:
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return any(cls in type(error).__mro__ for cls in classes)


@functools.cache
def unpacker(before: int, after: int | None = None) -> Callable[[Any], tuple[Any, ...]]:
    """A function that unpacks as ``a, *b, c = items`` does, in the words of the running Python.

    Args:
        before: the number of targets before the star.
        after: how many come after it; ``None``: there is no star.

    >>> unpacker(2)("ab")
    ('a', 'b')
    >>> unpacker(2, 0)("a")
    Traceback (most recent call last):
    ValueError: not enough values to unpack (expected at least 2, got 1)
    """
    names = [f"x{k}, " for k in range(before if after is None else before + 1 + after)]
    targets = "".join(f"*{name}" if k == before else name for k, name in enumerate(names))
    text = f"def unpack(items):\n [{targets}] = items\n return ({''.join(names)})"
    namespace: dict[str, Any] = {}
    exec(compile(text, __file__, "exec"), namespace)
    return namespace["unpack"]  # type: ignore[no-any-return]


class Backend:
    """The operators of transpiled code.  Override those that your symbolic values stage.

    Every method may be called with plain operands too while the backend is active (see
    ``autograph.operators.activate``); then ``super()`` gives plain Python.
    """

    # Statements

    def if_stmt(self, test: Any, then: Part, orelse: Part | None, state: State, names: Names) -> Any:
        """Run one part.  ``orelse`` of ``None`` keeps the state; without ``names`` the part's own result
        counts."""
        if test:
            return then(*state)
        return as_result(state, names) if orelse is None else orelse(*state)

    def while_stmt(self, test: Part, body: Part, state: State, names: Names, stop: str | None) -> Any:
        """Repeat ``body`` while ``test`` holds and the state called ``stop`` (set by ``break``) is false."""
        at = names.index(stop) if stop is not None else None
        cells = cells_of_state(body, names)
        while at is None or not state[at]:
            done = not test(*state)
            state = as_it_is_now(state, cells) if cells else state
            if done:
                break
            state = as_state(body(*state), names)
        return as_result(state, names)

    def for_stmt(self, iterable: Any, body: Part, state: State, names: Names, stop: str | None) -> Any:
        """Call ``body(item, *state)`` for each item until the state called ``stop`` is true."""
        at = names.index(stop) if stop is not None else None
        cells = cells_of_state(body, names)
        for item in iterable:
            state = as_it_is_now(state, cells) if cells else state
            state = as_state(body(item, *state), names)
            if at is not None and state[at]:
                break
        else:
            state = as_it_is_now(state, cells) if cells else state
        return as_result(state, names)

    def assert_stmt(self, test: Any, message: Callable[[], Any] | None) -> None:
        """``assert test, message()``; the message is only made when the test fails."""
        if not test:
            if message is None:
                raise AssertionError
            raise AssertionError(message())

    def raised(self, operand: Any) -> Any:
        """What ``raise operand`` raises: an exception or a class of them."""
        return operand

    def try_stmt(
        self,
        body: Part,
        handlers: tuple[tuple[Callable[[], Any] | None, Part], ...],
        orelse: Part | None,
        final: Part | None,
        read: Callable[[], State],
        write: Callable[..., None],
    ) -> None:
        """``try``: the parts bind their names with ``nonlocal``; ``read`` and ``write`` are for tracing only.
        """
        try:
            try:
                body()
            except BaseException as error:
                for catches, handler in handlers:
                    if catches is None or matches(error, catches()):
                        handler(error)
                        break
                else:
                    raise
            else:
                if orelse is not None:
                    orelse()
        finally:
            if final is not None:
                final()

    def with_stmt(
        self, manager: Any, body: Part, read: Callable[[], State], write: Callable[..., None]
    ) -> None:
        """``with manager as value: body(value)``; names as in :meth:`try_stmt`."""
        with manager as value:
            body(value)

    def unstaged(self, what: str) -> contextlib.AbstractContextManager[None]:
        """Entered around a construct that runs as it is: nothing symbolic may happen inside."""
        return contextlib.nullcontext()

    # Expressions

    def if_exp(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """``then() if test else orelse()``."""
        return then() if test else orelse()

    def and_(self, left: Any, right: Callable[[], Any]) -> Any:
        """``left and right()``, with Python's value and short circuit."""
        return left and right()

    def or_(self, left: Any, right: Callable[[], Any]) -> Any:
        """``left or right()``, with Python's value and short circuit."""
        return left or right()

    def not_(self, operand: Any) -> Any:
        """``not operand``."""
        return not operand

    def is_(self, left: Any, right: Any) -> Any:
        """``left is right``."""
        return left is right

    def compare(self, left: Any, comparison: Callable[[Any, Any], Any], right: Any) -> Any:
        """``left < right`` for the ``comparison`` ``operator.lt``, where one of them may be a tuple."""
        return comparison(left, right)

    def class_of(self, operand: Any) -> Any:
        """``operand.__class__``."""
        return operand.__class__

    def contains(self, container: Any, item: Any) -> Any:
        """``item in container``."""
        return item in container

    def get_item(self, container: Any, index: Any) -> Any:
        """``container[index]``."""
        return container[index]

    def unpack_star(self, items: Any, before: int, after: int) -> tuple[Any, ...]:
        """The values of the targets of ``a, *b, c = items``."""
        return unpacker(before, after)(items)

    def modulo(self, left: Any, right: Any) -> Any:
        """``left % right``, where ``left`` may be a text."""
        return left % right

    def format(self, value: Any, conversion: str, spec: Any) -> Any:
        """One replacement field of an f-string: ``conversion`` is ``''``, ``'r'``, ``'s'`` or ``'a'``."""
        if conversion:
            converters: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}
            value = converters[conversion](value)
        return format(value, spec)

    def join(self, pieces: tuple[Any, ...]) -> Any:
        """The pieces of an f-string put together."""
        return "".join(pieces)

    # Containers made by a display or a comprehension

    def new_list(self, items: list[Any]) -> Any:
        """``[...]``."""
        return items

    def new_dict(self, items: Any) -> Any:
        """``{...: ...}``; ``items`` are a dict, or a list of pairs and of mappings."""
        if type(items) is not list:
            return items
        made: dict[Any, Any] = {}
        for item in items:
            if type(item) is tuple:
                made[item[0]] = item[1]
            else:
                made = {**made, **item}
        return made

    def new_set(self, items: Any) -> Any:
        """``{...}``; ``items`` are a set, or a list where there is a star among them."""
        return items if type(items) is set else set(items)

    def new_tuple(self, items: tuple[Any, ...]) -> Any:
        """``(*a, b)``."""
        return items

    def new_class(self, cls: Any) -> Any:
        """``class ...:``."""
        return cls

    def star(self, items: Any) -> Any:
        """What ``*items`` goes through, in a display or a call."""
        return items

    def arguments(self, items: Any) -> Any:
        """What ``*items`` goes through in a call that gets nothing else by place."""
        return self.star(items)

    def double_star(self, mapping: Any) -> Any:
        """What ``**mapping`` takes the items of, in a display or a call."""
        return mapping

    def keywords(self, mapping: Any) -> Any:
        """What ``**mapping`` takes the items of in a call, where it may be none."""
        return self.double_star(mapping)

    # Generators

    def generator(self, made: Any) -> Any:
        """A generator that is kept in a variable, or a function in which :meth:`yield_` yields."""
        return made

    def iter_(self, items: Any) -> Any:
        """What the outermost ``for`` of a generator expression goes through."""
        return iter(items)

    def yield_(self, value: Any) -> Any:
        """``yield value`` of a generator that this backend asked to see; plain Python has no such."""
        raise TypeError("a generator whose yields are operators runs only while its backend traces")

    def yield_from(self, items: Any) -> Any:
        """``yield from items`` of such a generator."""
        return self.yield_(items)

    # Calls and names

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], plain: Caller) -> Any:
        """``function(*args, **kwargs)``; ``plain`` converts a function of the user's first and then calls it.
        """
        return plain(function, args, kwargs)

    def outer(self, reader: Callable[[], Any]) -> Any:
        """The value of a global or of an enclosing function's variable, as it is now."""
        return reader()

    def del_outer(self, deleter: Callable[[], None]) -> None:
        """Take a global or an enclosing function's variable away."""
        deleter()

    def set_outer(self, writer: Callable[[Any], None], value: Any) -> None:
        """Give a global or an enclosing function's variable a new value."""
        writer(value)

    def cell(self, made: Any) -> Any:
        """A cell for a variable that inner functions keep; ``made`` is a new one."""
        return made

    def import_(self, importing: Callable[[], Any], module: str, names: tuple[str, ...]) -> Any:
        """What an import inside a function binds: ``importing`` does it; without ``names`` it is a module."""
        return importing()

    def namespace(self, names: dict[str, Any]) -> Any:
        """The dict that ``globals()`` gives."""
        return names

    def defined(self, value: Any, free: bool = False) -> Any:
        """A name that may be unset is read; ``value`` is set, though perhaps not when a graph runs.

        ``free`` tells that it is a variable of an enclosing function, of which Python says so.
        """
        return value
