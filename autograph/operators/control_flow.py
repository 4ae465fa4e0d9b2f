"""Statements of transpiled code: ``if``, ``while``, ``for``, ``assert``.

Each operator asks the registry who decides, and otherwise does what the Python statement does.
"""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from autograph.operators.plain import (
    Backend,
    Names,
    Part,
    State,
    as_it_is_now,
    as_result,
    as_state,
    cells_of_state,
)
from autograph.operators.registry import backend_for

_plain = Backend()


def if_stmt(
    test: Any, then: Part | None, orelse: Part | None = None, state: State = (), names: Names = ()
) -> Any:
    """``if test: then`` / ``else: orelse``, each part a function of the state that hands the new state back.

    ``state`` holds the values that go in, ``names`` says what comes out: the first of the state, where a part
    is ``None`` and leaves it as it is.  Without ``names`` the result of the chosen part is the result (an
    ``if`` whose arms return).

    >>> if_stmt(3 > 2, lambda y: y + 1, None, (1,), ("y",))
    2
    """
    backend = backend_for(test)
    if backend is not None:
        return backend.if_stmt(test, then or _unchanged(names), orelse, state, names)
    chosen = then if test else orelse
    return as_result(state, names) if chosen is None else chosen(*state)


def if_chain(
    links: tuple[tuple[Callable[[], Any], Part | None], ...],
    orelse: Part | None = None,
    state: State = (),
    names: Names = (),
) -> Any:
    """``if``/``elif``: the part of the first link whose test holds, else ``orelse``; as in :func:`if_stmt`.

    >>> if_chain(((lambda: 3 > 4, lambda: "more"), (lambda: 3 == 3, lambda: "equal")), lambda: "less")
    'equal'
    """
    for number, (test, then) in enumerate(links, 1):
        decision = test()
        backend = backend_for(decision)
        if backend is not None:
            others = _chain(links[number:], orelse, names) if number < len(links) else orelse
            return backend.if_stmt(decision, then or _unchanged(names), others, state, names)
        if decision:
            return as_result(state, names) if then is None else then(*state)
    return as_result(state, names) if orelse is None else orelse(*state)


def _chain(links: tuple[Any, ...], orelse: Part | None, names: Names) -> Part:
    """The other links of a chain as a part."""
    return lambda *state: if_chain(links, orelse, state, names)


def _unchanged(names: Names) -> Part:
    """The part that hands the state back as it is."""
    return lambda *state: as_result(state, names)


def while_stmt(
    test: Part | None, body: Part, state: State = (), names: Names = (), stop: str | None = None
) -> Any:
    """``while test: body``; ``stop`` names the state that ``break`` sets.  A test of ``None`` always holds.

    >>> while_stmt(lambda n: n < 10, lambda n: n * 2, (3,), ("n",))
    12
    """
    if test is None:
        test = _always
    active = backend_for()
    if active is not None:
        return active.while_stmt(test, body, state, names, stop)
    at = names.index(stop) if stop is not None else None
    cells = cells_of_state(body, names)
    while True:
        flag = state[at] if at is not None else False
        result = False
        backend = backend_for(flag)
        if backend is None:
            if flag:
                break
            result = test(*state)
            backend = backend_for(result)
        if backend is not None:
            return backend.while_stmt(test, body, state, names, stop)
        if cells:
            state = as_it_is_now(state, cells)
        if not result:
            break
        state = as_state(body(*state), names)
    return as_result(state, names)


def _always(*state: Any) -> bool:
    """The test of ``while True``."""
    return True


def for_stmt(iterable: Any, body: Part, state: State = (), names: Names = (), stop: str | None = None) -> Any:
    """``for item in iterable: body``; ``body`` takes the item before the state; ``stop`` as in
    :func:`while_stmt`.

    >>> for_stmt(range(4), lambda i, total: total + i, (0,), ("total",))
    6
    """
    backend = backend_for(iterable)
    if backend is not None:
        return backend.for_stmt(iterable, body, state, names, stop)
    at = names.index(stop) if stop is not None else None
    alone = len(names) == 1
    items = iter(iterable)
    cells = cells_of_state(body, names)
    try:
        for item in items:
            if cells:
                state = as_it_is_now(state, cells)
            result = body(item, *state)
            state = (result,) if alone else result or ()
            if at is not None:
                backend = backend_for(state[at])
                if backend is not None:
                    return backend.for_stmt(items, body, state, names, stop)
                if state[at]:
                    break
        else:
            state = as_it_is_now(state, cells) if cells else state
    except BaseException:
        del iterable, items  # ``for`` lets go of them before a handler runs: a generator is closed then
        raise
    return as_result(state, names)


def assert_stmt(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``.

    >>> assert_stmt(1 > 2, lambda: "too small")
    Traceback (most recent call last):
    AssertionError: too small
    """
    (backend_for(test) or _plain).assert_stmt(test, message)


def raised(operand: Any) -> Any:
    """What ``raise operand`` and ``from operand`` raise.

    >>> raised(KeyError)
    <class 'KeyError'>
    """
    return (backend_for(operand) or _plain).raised(operand)


def try_stmt(
    body: Part,
    handlers: tuple[tuple[Callable[[], Any] | None, Part], ...] = (),
    orelse: Part | None = None,
    final: Part | None = None,
    read: Callable[[], State] = tuple,
    write: Callable[..., None] = lambda: None,
) -> None:
    """``try: body`` / ``except catches() as error: handler(error)`` / ``else: orelse`` / ``finally: final``.

    The parts bind the names that they change with ``nonlocal``, so that a handler sees what the body had come
    to. ``read`` gives the values of these names and ``write`` sets them; ``catches`` of ``None`` is a bare
    ``except``.

    >>> try_stmt(lambda: 1 / 0, ((lambda: ZeroDivisionError, lambda error: print(error)),))
    division by zero
    """
    (backend_for() or _plain).try_stmt(body, handlers, orelse, final, read, write)


def with_stmt(
    manager: Any,
    body: Part,
    read: Callable[[], State] = tuple,
    write: Callable[..., None] = lambda: None,
) -> None:
    """``with manager as value: body(value)``; names as in :func:`try_stmt`.

    >>> with_stmt(contextlib.nullcontext(3), print)
    3
    """
    (backend_for(manager) or _plain).with_stmt(manager, body, read, write)


def unstaged(what: str) -> contextlib.AbstractContextManager[None]:
    """Entered around a construct that conversion leaves as it is: while tracing, nothing symbolic may happen
    inside.

    >>> with unstaged("except*"):
    ...     print("plain")
    plain
    """
    return (backend_for() or _plain).unstaged(what)
