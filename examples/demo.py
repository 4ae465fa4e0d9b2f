"""The whole way of a function, on real input: ``make demo``, or ``python examples/demo.py newton.all_roots``.

One function's source, transpiled source, graph and NumPy program; then every function of the examples, plain
and staged: are they equal, and how long does each take?
"""
from __future__ import annotations

import contextlib
import importlib
import io
import statistics
import sys
import time
from pathlib import Path

import page as pages

import autograph as ag
from autograph.runtime.comparing import copy_values

MODULES = ("collatz", "newton", "kmeans", "kalman", "bisection", "power")
SECONDS = 0.5  # of timing for each call of the table


def main(shown: str = "collatz.collatz") -> int:
    page = pages.page()
    cases = [case for module in MODULES for case in importlib.import_module(module).examples()]
    chosen = [case for case in cases if f"{case[0].__module__}.{case[0].__name__}" == shown]
    if not chosen:
        names = sorted({f"{f.__module__}.{f.__name__}" for f, _ in cases})
        print(f"demo: no function {shown!r}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    show(page, *chosen[0])
    page.rule("every function: plain and staged, each on its own copy of the arguments")
    rows, troubles = [], []
    for f, args in cases:
        row, trouble = compare(f, args)
        rows.append(row)
        troubles += trouble
    page.table(HEADS, rows, numbers=(3, 4, 5, 6))
    for trouble in troubles:
        page.text(trouble)
    equal = sum(row[2] == pages.GOOD for row in rows)
    page.text(f"\n{equal} of {len(rows)} calls: equal results, changed arguments, output and exceptions.")
    return 0 if equal == len(rows) else 1


def show(page: pages.PlainPage | pages.RichPage, f, args) -> None:
    """One function on its way from text to program."""
    called = f"{f.__name__}({', '.join(map(brief, args))})"
    page.rule(f"{Path(f.__code__.co_filename).name}: {called}")
    concrete = ag.function(f).get_concrete_function(*copy_values(args))
    page.beside(("what you write", source(f)), ("transpiled", ag.to_code(f)))
    page.code(f"graph of {called}", str(concrete.graph), "text")
    page.code("NumPy program", concrete.code)


def source(f) -> str:
    lines = Path(f.__code__.co_filename).read_text().splitlines()[f.__code__.co_firstlineno - 1 :]
    end = next((i for i, line in enumerate(lines[1:], 1) if line and not line.startswith((" ", ")"))), None)
    return "\n".join(lines[:end]).rstrip()


HEADS = ("call", "result", "equal?", "plain", "staged", "speed", "traces")


def compare(f, args) -> tuple[list[str], list[str]]:
    """A row of the table, and what there is to say beside it."""
    called = f"{f.__name__}({', '.join(map(brief, args))})"
    try:
        ag.testing.check(f, *args, orders=1)
    except ag.StagingError as error:
        return [called, "", "refused", "", "", "", ""], [f"\n{called}: {error}"]
    except ag.testing.Difference as error:
        return [called, "", pages.BAD, "", "", "", ""], [f"\n{error}"]
    staged = ag.function(f)
    result = outcome(f, copy_values(args))
    plain, quick = timed(f, staged, args)
    times = [duration(plain), duration(quick), f"{plain / quick:.2f} x", str(staged.trace_count)]
    return [called, result, pages.GOOD, *times], []


def outcome(f, args) -> str:
    """In short, what a call gives or raises."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return brief(f(*args))
        except ValueError as error:
            return type(error).__name__


def timed(plain, staged, args) -> tuple[float, float]:
    """The median times of a call in seconds, the two called in turn: both see the same weather."""
    times: dict[object, list[float]] = {plain: [], staged: []}
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        with contextlib.suppress(ValueError):
            staged(*copy_values(args))  # traces
        while len(times[plain]) < 3 or (time.perf_counter() - begin < SECONDS and len(times[plain]) < 2000):
            for f, spent in times.items():
                own = copy_values(args)
                start = time.perf_counter()
                with contextlib.suppress(ValueError):
                    f(*own)
                spent.append(time.perf_counter() - start)
    return statistics.median(times[plain]), statistics.median(times[staged])


def brief(value) -> str:
    """A value in at most some twenty characters."""
    if hasattr(value, "shape") and value.shape:
        return f"{value.dtype.kind}{value.dtype.itemsize}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(brief, value))})"
    if hasattr(value, "dtype") or isinstance(value, float):
        return f"{value:.6g}"
    return repr(value)


def duration(seconds: float) -> str:
    """
    >>> duration(0.00123)
    '1.23 ms'
    """
    units = ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns"))
    scale, unit = next(((scale, unit) for scale, unit in units if seconds * scale >= 1), units[-1])
    return f"{seconds * scale:.3g} {unit}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
