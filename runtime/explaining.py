"""Why a function was traced, in words, and the warning when that does not come to an end."""

from __future__ import annotations

import linecache
import re
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import signature
from .assumptions import Assumptions
from .guards import Guard
from .paths import Item, Path
from .signature import Key

if TYPE_CHECKING:
    from .concrete_function import ConcreteFunction
    from .function import Function

GROWING = 8
"""So many traces, the last ones for one reason, get a warning."""
MANY = 4
"""So many changes are told of one trace."""


class RetraceWarning(UserWarning):
    """A function is traced again and again for the same reason.

    Cause: an argument, an attribute or a global that the trace depends on by its value or identity is another
    one in most calls.

    Fix: what the warning says: make it a number or an array, keep the object, or raise ``cache_size``.
    """


def reason(function: Function[..., Any], key: tuple[Key, ...], values: tuple[Any, ...]) -> tuple[str, ...]:
    """Why a new trace is needed: what differs from the trace that is nearest.

    What a guard saw change is left free in the traces to come.
    """
    traces = function.concrete_functions
    if not traces:
        first = function.trace_count == function._inside
        return ("the first call",) if first else ("its traces were dropped",)
    nearest: list[str] = []
    for concrete in reversed(traces):
        if all(map(signature.fits, key, concrete.keys)):
            arguments = dict(zip(function._parameters, values, strict=True))
            failed = list(concrete.guards.failed(arguments))
            if failed:
                _free(function._assumptions, concrete, failed)
                return tuple(guard.explain(value) for guard, value in _telling(function, failed))
        found = [
            text
            for name, old, new in zip(function._parameters, concrete.keys, key, strict=True)
            for text in signature.differences(old, new, name)
        ]
        if found and (not nearest or len(found) < len(nearest)):
            nearest = found
    return tuple(nearest) or ("its assumptions changed",)


def _telling(function: Function[..., Any], failed: list[tuple[Guard, Any]]) -> list[tuple[Guard, Any]]:
    """The failed guards that are a cause: not what is found through something that is another thing now, nor
    numbers that are free from now on, if there are others."""
    pinned = function._assumptions.pinned
    places = {guard.path.key for guard, _ in failed if guard.kind in ("class", "identity", "rank", "shape")}
    top = [(guard, value) for guard, value in failed if not _is_below(guard.path, places)]
    others = [
        (guard, value) for guard, value in top if guard.path.key in pinned or not guard.is_of_numbers(value)
    ]
    return others or top


def _is_below(path: Path, places: set[Hashable]) -> bool:
    """Whether the path leads through one of these places."""
    above = getattr(path, "parent", None)
    return above is not None and (above.key in places or _is_below(above, places))


def told(reasons: tuple[str, ...]) -> str:
    """Reasons as one text; of many only the first.

    >>> told(("a 1 -> 2", "b 1 -> 2"))
    'a 1 -> 2, b 1 -> 2'
    """
    more = f", and {len(reasons) - MANY} more" if len(reasons) > MANY else ""
    return ", ".join(reasons[:MANY]) + more


def _free(assumptions: Assumptions, concrete: ConcreteFunction, failed: list[tuple[Guard, Any]]) -> None:
    """Let later traces do without what these guards saw change: numbers, sizes, lengths, identities."""
    lists = set()
    for guard, value in failed:
        path = guard.path
        if path.key in assumptions.pinned:
            continue
        if guard.kind == "value" and type(value) in (int, float, complex):
            assumptions.dynamic.add(path.key)
            lists.add(_list_of(path))
        elif guard.kind == "shape":
            assumptions.dynamic.add(("shape", path.key))
        elif (
            guard.kind == "structure"
            and type(value) in (list, dict)
            and guard.seen.startswith(type(value).__name__)
        ):
            assumptions.dynamic.add(path.key)
        elif guard.kind == "identity":
            assumptions.dynamic.add(("class", path.key))
    lists.discard(None)
    for guard in concrete.guards.all.values():  # one number of a list stands for all
        key = guard.path.key
        if guard.kind == "value" and _list_of(guard.path) in lists and key not in assumptions.pinned:
            assumptions.dynamic.add(key)


def _list_of(path: Path) -> Any:
    """The key of the list that the path leads into."""
    return path.parent.key if isinstance(path, Item) and type(path.index) is int else None


def explanation(function: Function[..., Any]) -> str:
    """Each trace in words, and what was made static."""
    traces = function.concrete_functions
    lines = [f"{function.__name__}: {len(traces)} trace{'s' if len(traces) != 1 else ''}"]
    for concrete in traces:
        inside = ", ".join(f"{name}: {text}" for name, text in concrete.signature.items())
        lines.append(f"trace {concrete.number}: {concrete.reason}")
        lines.append(f"    for ({inside}), in {_duration(concrete.seconds)}")
    assumptions = function._assumptions
    for name, why in (*assumptions.static_arguments.items(), *assumptions.pinned.values()):
        lines.append(f"static: {name}, as Python needs {why}")
        lines += _line(why)
    for name in sorted(function._static_argnames):
        lines.append(f"static: {name}, as static_argnames says")
    for refusal in dict.fromkeys(function._exact.values()):
        lines.append(f"sizes are not left free: {refusal}")
    if function._inside:
        lines.append(f"in the graphs of other functions: {function._inside} more")
    dropped = function.trace_count - function._inside - len(traces)
    if dropped:
        lines.append(f"not kept: {dropped} more")
    return "\n".join(lines)


def _line(why: str) -> Iterator[str]:
    """The text of the line that a reason names."""
    found = re.search(r" at (?P<file>.+):(?P<line>\d+)$", why)
    if found is not None:
        text = linecache.getline(found["file"], int(found["line"])).strip()
        if text:
            yield f"    {text}"


def _duration(seconds: float) -> str:
    """
    >>> _duration(0.00123), _duration(2.5)
    ('1.2 ms', '2.5 s')
    """
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def place_of(text: str) -> str:
    """What a reason is about: ``x``, ``self.rate``, ``cfg['k']``."""
    return text.partition(" ")[0]


_KINDS = frozenset(
    ["array", "int", "float", "complex", "list", "tuple", "dict", "set", "a", "method", "partial", "None"]
)


def is_growth(text: str) -> bool:
    """Whether a reason is one of many values; that an argument is of another kind happens a few times only.

    >>> is_growth("mode 'a' -> 'b'"), is_growth("x int -> float"), is_growth("x[0] 1 -> None")
    (True, False, False)
    >>> is_growth("x, y are apart no longer")
    False
    """
    old, arrow, new = text.partition(" ")[2].partition(" -> ")
    words = [side.partition(" ")[0] for side in (old, new)]
    kinds = {word if word in _KINDS or word.startswith("np.") else "" for word in words}
    return bool(arrow) and len(kinds) == 1


_CHANGES = (
    ("dtype ", "came with another dtype", "Convert {} to one dtype before the call"),
    ("shape ", "came with another shape", "Give {} one shape, or another one of as many dimensions"),
    ("{", "came with other keys", "Give {} the same keys in each call, or no functions as items"),
    ("in the order ", "came with its keys in another order", "Give the keys of {} in one order"),
    ("length ", "came with another length", "Make {} a list or an array of numbers, or keep its length"),
    ("list of ", "came with another length", "Keep the length of {}"),
    ("dict of ", "came with other keys", "Give {} the same keys in each call"),
    ("tuple ", "came with another length", "Make {} a list or an array"),
)
_FUNCTION = re.compile(r"\(\S+:\d+\) -> ")
_VALUE = re.compile(r"""(['"\d.-]|b['"]|nan|inf|True|False|range)""")


def advice(text: str) -> tuple[str, str]:
    """What a reason says of its place, and what to do about it.

    >>> advice("x dtype int32 -> int64")
    ("'x' came with another dtype", "Convert 'x' to one dtype before the call")
    >>> advice("mode 'a' -> 'b'")[0], advice("o an A -> an A")[0]
    ("'mode' came with another value", "'o' was another object")
    """
    place, _, change = text.partition(" ")
    place = repr(place)
    for begin, said, todo in _CHANGES:
        if change.startswith(begin):
            return f"{place} {said}", todo.format(place)
    if _FUNCTION.search(change):
        return f"{place} was another function", "Make the function once, and give the same one in each call"
    if _VALUE.match(change):
        return f"{place} came with another value", (
            f"Each value of {place} has its own trace: pass a number or an array where you can, "
            "or raise cache_size"
        )
    return f"{place} was another object", f"Make {place} the same object in each call"


def _root(text: str) -> str:
    """The argument or name that the place of a reason begins with."""
    return re.split(r"\W", text, maxsplit=1)[0]


_LINKED = "A function that calls itself has a graph for each shape of linked objects: use a loop"
_NEXT_OBJECT = re.compile(r"\w+\S*\.\S+ (None -> a \S+|a \S+ -> None|\w+ -> None)")


def linked(recent: Sequence[tuple[str, ...]]) -> set[str]:
    """The arguments from which linked objects are reached, where each trace was made for one more of them.

    >>> linked([("node.next None -> a Node",), ("node.next.next.next None -> a Node",)])
    {'node'}
    >>> linked([("o.left None -> a Part",), ("o.right None -> a Part",)])
    set()
    """
    roots: list[set[str]] = []
    depth = 0
    for reasons in recent:
        found = [text for text in reasons if _NEXT_OBJECT.fullmatch(text)]
        depth = max([depth, *(place_of(text).count(".") for text in found)])
        roots.append(set(map(_root, found)))
    return set.intersection(*roots) if depth > 2 else set()


def warn_when_growing(function: Function[..., Any]) -> None:
    """Warn, once for each cause, when the latest traces all have one cause."""
    recent = function._reasons[2 - GROWING :]
    if function.trace_count < GROWING or len(recent) < GROWING - 2:
        return
    causes = set.intersection(
        *({place_of(text) for text in reasons if is_growth(text)} for reasons in recent)
    )
    for cause in sorted((causes or linked(recent)) - function._warned):
        function._warned.add(cause)
        last = next(text for text in recent[-1] if cause == (place_of(text) if causes else _root(text)))
        frame = _user_frame()
        seconds = max(concrete.seconds for concrete in function.concrete_functions[-3:])
        said, todo = advice(last) if causes else (f"{cause!r} led to other objects", _LINKED)
        warnings.warn_explicit(
            f"{function.__name__!r} has been traced {function.trace_count} times, lately because "
            f"{said} in each call (the last time: {last}). A trace takes {_duration(seconds)}. "
            f"{todo}; {function.__name__}.explain() tells more.",
            RetraceWarning,
            frame.f_code.co_filename,
            frame.f_lineno,
            registry=frame.f_globals.setdefault("__warningregistry__", {}),
        )


def _user_frame() -> FrameType:
    """The frame of the user's that made the call; the function that a call enters has globals of ours."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and not name.startswith("autograph."):
            break
        frame = frame.f_back
    return frame
