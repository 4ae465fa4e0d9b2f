"""The whole way of a function, on real input: ``make demo``, or ``python examples/demo.py newton.all_roots``.

One function's source, transpiled source, graph and NumPy program; then every function of the examples, plain and
staged: are they equal, and how long does each take?
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
SECONDS = 0.3  # of timing for each of the two ways to run a function


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
    page.table(HEADS, rows, numbers=(4, 5, 6, 7))
    for trouble in troubles:
        page.text(trouble)
    equal = sum(row[3] == pages.GOOD for row in rows)
    page.text(f"\n{equal} of {len(rows)} calls are equal in result, changed arguments, output and exceptions.")
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


HEADS = ("function", "arguments", "result", "equal?", "plain", "staged", "plain/staged", "traces")


def compare(f, args) -> tuple[list[str], list[str]]:
    """A row of the table, and what there is to say beside it."""
    name = f"{f.__module__}.{f.__name__}"
    given = ", ".join(map(brief, args))
    plain, result = timed(f, args)
    try:
        ag.testing.check(f, *args, orders=1)
        staged = ag.function(f)
        quick, _ = timed(staged, args)
    except ag.StagingError as error:
        return [name, given, result, "refused", duration(plain), "", "", ""], [f"\n{name}: {error}"]
    except ag.testing.Difference as error:
        return [name, given, result, pages.BAD, duration(plain), "", "", ""], [f"\n{error}"]
    times = [duration(plain), duration(quick), f"{plain / quick:.2f}", str(staged.trace_count)]
    return [name, given, result, pages.GOOD, *times], []


def timed(f, args) -> tuple[float, str]:
    """The median time of a call in seconds, and in short what it gave."""
    times: list[float] = []
    result = ""
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.perf_counter()
        while len(times) < 3 or (time.perf_counter() - begin < SECONDS and len(times) < 2000):
            own = copy_values(args)
            start = time.perf_counter()
            try:
                value = f(*own)
            except ValueError as error:
                times.append(time.perf_counter() - start)
                result = type(error).__name__
            else:
                times.append(time.perf_counter() - start)
                result = brief(value)
    return statistics.median(times[1:]), result


def brief(value) -> str:
    """A value in at most some twenty characters."""
    if hasattr(value, "shape") and value.shape:
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
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
    scale, unit = next((s, u) for s, u in ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")) if seconds * s >= 1)
    return f"{seconds * scale:.3g} {unit}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
