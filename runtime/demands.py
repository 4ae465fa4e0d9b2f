"""What Python demands of a symbol while tracing, such as its value: what the trace does about it.

The value of an argument becomes static.  Where a test, a comparison or a key of the user's text asks, the
text is converted anew with an operator in that place.  Else the trace is refused.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from autograph.convert import open_keys, open_operands, stage_comparisons, stage_tests
from autograph.errors import ValueNeededError

from . import suspending
from .assumptions import NotShared, Restart
from .graph import Operand, Value
from .location import asks_operand, compares_now, user_frame
from .tensor import HASH, TRUTH, Tensor

if TYPE_CHECKING:
    from .tracing import Tracer


def needs_value(tracer: Tracer, tensor: Tensor, what: str) -> BaseException:
    """What to raise when Python needs the value of a tensor now: for an argument, a restart with its
    value."""
    suspended = suspending.in_frames(tracer, sys._getframe(1))
    if suspended is not None:
        return suspended
    frame = user_frame()
    if what == HASH and frame is not None and open_keys(frame.f_code):
        return Restart()
    if frame is not None and asks_operand(frame) and open_operands(frame.f_code):
        return Restart()
    if make_static(tracer, tensor._ag_value, what):
        return Restart()
    if what == TRUTH and frame is not None:
        stage = stage_comparisons if compares_now(frame) else stage_tests
        if stage(frame.f_code):
            return Restart()
    return tracer.error(
        ValueNeededError,
        f"Python needs {what} while tracing",
        why=f"a value of type {tensor._ag_value.type} has it only when the graph runs",
        fix="do this outside the function, or in a function marked with do_not_convert",
    )


def compares(tracer: Tracer) -> None:
    """A comparison whose operands' order matters: native code has lost it.

    Raises:
        Restart: it is an operator in the next trace.
    """
    frame = user_frame()
    if frame is not None and compares_now(frame) and stage_comparisons(frame.f_code):
        raise Restart


def make_static(tracer: Tracer, operand: Operand, what: str) -> bool:
    """Make the argument that this is static from the next trace on; whether it is one."""
    if type(operand) is not Value:
        return False
    place = tracer.location()
    why = f"{what} at {place.filename}:{place.line}"
    if operand in tracer.called.inputs:
        raise NotShared
    name = tracer.argument_of.get(operand)
    if name is not None:
        tracer.assumptions.static_arguments.setdefault(name, why)
        return True
    path = tracer.path_of.get(operand)
    if path is None or ("written", path.key) in tracer.assumptions.dynamic:
        return False
    tracer.assumptions.pinned[path.key] = (path.text, why)
    tracer.assumptions.dynamic.discard(path.key)
    return True


def make_range_static(tracer: Tracer, iterable: Any) -> None:
    """A loop over this range cannot be staged: if arguments decide its length, trace again with their
    values."""
    if type(iterable) is Tensor:
        arguments = tracer.range_of.get(iterable._ag_value, ())
        symbols = [each for each in arguments if type(each) is Value]
        if any(each in tracer.called.inputs for each in symbols):
            raise NotShared
        if symbols and all(each in tracer.argument_of for each in symbols):
            for each in symbols:
                make_static(tracer, each, "the length of a loop that cannot be staged")
            raise Restart
