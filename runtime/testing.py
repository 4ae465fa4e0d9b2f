"""``autograph.testing``: is the staged function the plain function, and is its graph the one you meant?

:func:`check` runs a function in every way this package can run it and says in words where two runs differ.
:func:`assert_graph` and :func:`expect_traces` hold a graph and the number of traces fast in your own tests.
"""
from __future__ import annotations

import contextlib
import difflib
import functools
import io
import random
import textwrap
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.convert import convert
from autograph.errors import StagingError

from .comparing import (
    Names,
    copy_values,
    describe,
    differences,
    mutable_places,
    sharing_differences,
)
from .function import Function, function

MODES = ("converted", "staged", "interpreted")
"""The ways to run a function that :func:`check` holds against the plain one."""


class Difference(AssertionError):
    """Two runs of one function differ; the message says where."""


@dataclass(slots=True)
class Run:
    """What one call of a function gave, and what an observer outside could see of it."""

    result: Any
    error: BaseException | None
    line: int | None
    output: str
    arguments: Any
    state: Any
    random: Any


def check(
    f: Callable[..., Any],
    /,
    *args: Any,
    calls: int = 1,
    orders: int = 3,
    modes: Sequence[str] = MODES,
    state: Callable[[], Any] | None = None,
    restore: Callable[[Any], None] | None = None,
    **kwargs: Any,
) -> Any:
    """Check that ``f(*args, **kwargs)`` does in every mode what it does plain; give the plain result.

    Every mode works on copies of the arguments, among which views and aliases are kept.  Compared are the
    result (types all the way down, dtypes, shapes, every bit), the arguments after the call, the memory that
    results and arguments share, the text printed, the random numbers drawn, and the exception with its line
    in the file of ``f`` (the interpreter, which has no frames of ``f``, is let off the line).

    Args:
        f: a plain function, or a staged one (then its plain function is the reference).
        calls: how many calls to make one after another, each with fresh copies of the arguments.
        orders: in how many random orders, each a valid one, the interpreter runs the graph.
        modes: some of ``"converted"`` (the transpiled function on plain values), ``"staged"`` (the NumPy
            program) and ``"interpreted"`` (the graph, node by node).
        state: gives a snapshot of what ``f`` changes elsewhere, to be compared after each call.
        restore: brings back a snapshot that ``state`` gave, before each mode.

    Raises:
        Difference: a mode differs; the message names each place.
        StagingError: ``f`` cannot be staged.  The only error that comes out as it is; an exception of the
            function itself is compared.

    >>> def halve(n):
    ...     while n % 2 == 0:
    ...         n //= 2
    ...     return n
    >>> check(halve, 24)
    3
    """
    if (state is None) != (restore is None):
        raise TypeError("check() needs both state= and restore=, or neither")
    plain = f.python_function if isinstance(f, Function) else f
    before = copy_values(state()) if state is not None else None
    dice = _random_state()

    def rewind() -> None:
        _set_random_state(dice)
        if restore is not None:
            restore(copy_values(before))

    def record(runner: Callable[..., Any]) -> list[Run]:
        rewind()
        return [_record(runner, plain, copy_values((args, kwargs)), state) for _ in range(calls)]

    reference = record(plain)
    try:
        for mode, make in _runners(plain, modes, orders):
            runs = record(make())
            for number, (one, other) in enumerate(zip(reference, runs, strict=True), start=1):
                found = list(_run_differences(one, other, mode))
                if found:
                    which = f"call {number} of " if calls > 1 else ""
                    raise Difference(_message(plain, f"{which}the {mode} run", found, args, kwargs))
    finally:
        rewind()
    if reference[-1].error is not None:
        return None
    return reference[-1].result


def _runners(
    plain: Callable[..., Any], modes: Sequence[str], orders: int
) -> Iterator[tuple[str, Callable[[], Callable[..., Any]]]]:
    """A name for each run, and what makes the function that does it (making it may already raise)."""
    unknown = set(modes) - set(MODES)
    if unknown:
        raise ValueError(f"check() knows the modes {', '.join(MODES)}, not {', '.join(sorted(unknown))}")
    if "converted" in modes:
        yield "converted", lambda: convert(plain)
    if "staged" in modes:
        yield "staged", lambda: function(plain)
    if "interpreted" in modes:
        staged = function(plain)
        for seed in range(orders):
            yield f"interpreted (order {seed})", functools.partial(_interpreted, staged, seed)


def _interpreted(staged: Function[..., Any], seed: int) -> Callable[..., Any]:
    order = random.Random(seed)

    def interpreted(*args: Any, **kwargs: Any) -> Any:
        concrete = staged.get_concrete_function(*args, **kwargs)
        return concrete.interpret(*staged._bind(*args, **kwargs), order=order)  # defaults filled in

    return interpreted


def _record(
    runner: Callable[..., Any], plain: Callable[..., Any], arguments: Any, state: Callable[[], Any] | None
) -> Run:
    args, kwargs = arguments
    output = io.StringIO()
    result: Any = None
    error: BaseException | None = None
    with contextlib.redirect_stdout(output):
        try:
            result = runner(*args, **kwargs)
        except StagingError:
            raise
        except Exception as raised:
            error = raised
    return Run(
        result=result,
        error=error,
        line=None if error is None else _line_in(plain, error),
        output=output.getvalue(),
        arguments=arguments,
        state=None if state is None else copy_values(state()),
        random=_random_state(),
    )


def _line_in(plain: Callable[..., Any], error: BaseException) -> int | None:
    """The line of the last frame of the traceback that is in the file of the function."""
    code = getattr(plain, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if code is not None and frame.filename == code.co_filename]
    return lines[-1] if lines else None


def _run_differences(plain: Run, other: Run, mode: str) -> Iterator[str]:
    names = Names("plain", mode)
    if plain.error is None and other.error is None:
        yield from differences("result", plain.result, other.result, names)
    elif plain.error is None or other.error is None:
        one, two = (_outcome(run) for run in (plain, other))
        yield f"plain {one}, {mode} {two}"
    else:
        yield from _error_differences(plain, other, mode)
    for index, (one, two) in enumerate(zip(plain.arguments[0], other.arguments[0], strict=True)):
        yield from differences(f"args[{index}] after the call", one, two, names)
    for key, one in plain.arguments[1].items():
        yield from differences(f"{key} after the call", one, other.arguments[1][key], names)
    if plain.error is None and other.error is None:
        yield from sharing_differences(_places(plain), _places(other), names)
    if plain.output != other.output:
        yield f"plain printed {plain.output!r}, {mode} printed {other.output!r}"
    yield from differences("state", plain.state, other.state, names)
    if not _same_random(plain.random, other.random):
        yield f"plain and {mode} drew different random numbers from the global generators"


def _outcome(run: Run) -> str:
    if run.error is None:
        return f"gave {describe(run.result)}"
    return f"raised {_error_text(run.error)} at line {run.line}"


def _error_text(error: BaseException) -> str:
    return f"{type(error).__qualname__}({', '.join(map(repr, error.args))})"


def _error_differences(plain: Run, other: Run, mode: str) -> Iterator[str]:
    one, two = plain.error, other.error
    assert one is not None and two is not None
    same = type(one) is type(two) and not any(differences("", one.args, two.args, Names("", "")))
    if not same:
        yield f"plain raised {_error_text(one)}, {mode} raised {_error_text(two)}"
    if plain.line != other.line and not mode.startswith("interpreted"):
        yield f"plain raised {_error_text(one)} at line {plain.line}, {mode} at line {other.line}"
    if type(one.__cause__) is not type(two.__cause__):
        yield f"plain raised from {one.__cause__!r}, {mode} from {two.__cause__!r}"


def _places(run: Run) -> list[tuple[str, Any]]:
    args, kwargs = run.arguments
    found = list(mutable_places("result", run.result))
    for index, argument in enumerate(args):
        found += mutable_places(f"args[{index}]", argument)
    for key, argument in kwargs.items():
        found += mutable_places(key, argument)
    return found


def _message(
    plain: Callable[..., Any], run: str, found: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str:
    name = getattr(plain, "__qualname__", repr(plain))
    given = [describe(value) for value in args] + [
        f"{key}={describe(value)}" for key, value in kwargs.items()
    ]
    called = f"called with {'; '.join(given)}" if given else "called without arguments"
    shown = found if len(found) <= 8 else [*found[:8], f"... and {len(found) - 8} more"]
    return "\n  ".join([f"{name}: {run} differs from the plain one", *shown, called])


def _random_state() -> Any:
    return random.getstate(), np.random.get_state()


def _set_random_state(dice: Any) -> None:
    random.setstate(dice[0])
    np.random.set_state(dice[1])


def _same_random(one: Any, other: Any) -> bool:
    return bool(one[0] == other[0]) and all(
        np.array_equal(left, right) for left, right in zip(one[1], other[1], strict=True)
    )


def assert_graph(
    f: Callable[..., Any],
    args: Iterable[Any] = (),
    *,
    contains: Iterable[str] = (),
    absent: Iterable[str] = (),
    text: str | None = None,
    **kwargs: Any,
) -> None:
    """Assert what the graph of ``f`` for these arguments holds.

    Args:
        contains: names of ops (``"while"``, ``"set_item"``), at any depth, or pieces of the graph's text.
        absent: such names and pieces that must not be there.
        text: the whole text.  Indentation that all its lines share does not count, nor do the comments that
            name source lines, unless ``text`` has such comments itself.

    Raises:
        AssertionError: with the whole graph in the message.

    >>> def halve(n):
    ...     while n % 2 == 0:
    ...         n //= 2
    ...     return n
    >>> assert_graph(halve, (24,), contains=["while"], absent=["if"])
    """
    staged = f if isinstance(f, Function) else function(f)
    graph = staged.get_concrete_function(*args, **kwargs).graph
    printed = str(graph)

    def holds(wanted: str) -> bool:
        return bool(graph.find(wanted)) if wanted.isidentifier() else wanted in printed

    missing = [wanted for wanted in contains if not holds(wanted)]
    unwanted = [wanted for wanted in absent if holds(wanted)]
    if missing:
        raise AssertionError(f"the graph has no {', no '.join(map(repr, missing))}:\n{printed}")
    if unwanted:
        raise AssertionError(f"the graph has {', '.join(map(repr, unwanted))}:\n{printed}")
    if text is not None:
        expected = textwrap.dedent(text).strip().splitlines()
        got = printed.strip().splitlines()
        if not any("  # " in line for line in expected):
            got = [line.split("  # ")[0].rstrip() for line in got]
        if [line.rstrip() for line in expected] != [line.rstrip() for line in got]:
            lines = difflib.unified_diff(expected, got, "expected", "the graph", lineterm="", n=99)
            raise AssertionError("the graph's text differs:\n" + "\n".join(lines))


@contextlib.contextmanager
def expect_traces(f: Function[..., Any], count: int) -> Iterator[None]:
    """Assert that the block makes ``f`` trace ``count`` times.

    >>> @function
    ... def double(x):
    ...     return x + x
    >>> with expect_traces(double, 1):
    ...     twice = double(2), double(3)
    """
    before = f.trace_count
    yield
    made = f.trace_count - before
    if made != count:
        explain = getattr(f, "explain", None)
        why = f"\n{explain()}" if callable(explain) else ""
        raise AssertionError(f"{f.python_function.__qualname__} was traced {made} times, not {count}{why}")
