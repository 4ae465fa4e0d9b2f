"""Stateful programs: small functions, and calls of them with changes between, held against the plain run.

A program is a function of ``stage`` and ``call``.  It sets up its state, decorates what is to be staged
with ``@stage``, and calls it through ``call``, which notes what came out.  What the program returns is
compared as its final state.  It runs from the beginning in each mode, with state of its own, so that
nothing is left over from another mode.
"""
from __future__ import annotations

import contextlib
import functools
import io
import itertools
import random
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autograph as ag
from autograph.runtime.comparing import Names, copy_values, differences, mutable_places, sharing_differences

Program = Callable[[Callable[..., Any], "Witness"], Any]
ORDERS = 2


class Witness:
    """Calls functions, and notes what an observer outside can see of each call."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, Any]] = []
        self.held: list[tuple[str, Any]] = []
        self.lines: list[int | None] = []

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call ``function``; give its result, or None when it raised."""
        number = len(self.seen)
        output = io.StringIO()
        result = error = None
        with contextlib.redirect_stdout(output):
            try:
                result = function(*args, **kwargs)
            except ag.StagingError:
                raise
            except Exception as raised:
                error = raised
        line = None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if "/programs/" in frame.filename]
            line = lines[-1] if lines else None
            error.__traceback__ = None
        self.lines.append(line)
        outcome = ("raised", type(error), error.args) if error is not None else ("gave", result)
        self.seen.append((f"call {number}", copied((outcome, args, kwargs, output.getvalue()))))
        self.held.append((f"call {number}", (result, args, kwargs)))
        return result


def copied(value: Any) -> Any:
    """A copy, or the value itself where it cannot be copied."""
    try:
        return copy_values(value)
    except TypeError:
        return value


def run(program: Program, stage: Callable[..., Any]) -> tuple[Witness, Any]:
    """One run of the program from its beginning."""
    random.seed(1)
    np.random.seed(1)
    witness = Witness()
    state = program(stage, witness)
    return witness, (copied(state), random.random(), np.random.random())


def interpreted(order: random.Random, plain: Callable[..., Any]) -> Callable[..., Any]:
    """The function run by the interpreter, the nodes in random valid orders."""
    staged = ag.function(plain)

    @functools.wraps(plain)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = staged._bind(*args, **kwargs)
        return staged.get_concrete_function(*args, **kwargs).interpret(*values, order=order)

    return call


def modes() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What ``stage`` is in each mode but the plain one."""
    yield "converted", ag.convert
    yield "staged", ag.function
    for seed in range(ORDERS):
        yield f"interpreted in order {seed}", functools.partial(interpreted, random.Random(seed))


def found_differences(program: Program) -> Iterator[str]:
    """Where the modes differ from the plain run, in words."""
    plain, plain_state = run(program, lambda function: function)
    for mode, stage in modes():
        other, state = run(program, stage)
        names = Names("plain", mode)
        pairs = itertools.zip_longest(plain.seen, other.seen, fillvalue=("nothing", None))
        for (place, one), (_, two) in pairs:
            yield from differences(place, one, two, names)
        yield from differences("the state", plain_state, state, names)
        yield from sharing_differences(places(plain), places(other), names)
        if mode == "staged" and plain.lines != other.lines:
            yield f"exceptions at lines {plain.lines}, staged at {other.lines}"


def places(witness: Witness) -> list[tuple[str, Any]]:
    """The mutable objects that the calls gave and were given."""
    return [found for place, held in witness.held for found in mutable_places(place, held)]
