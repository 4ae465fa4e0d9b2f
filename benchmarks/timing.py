"""What the benchmarks share: measuring two things in turn, and printing a row."""
from __future__ import annotations

import gc
import hashlib
import linecache
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Times:
    """Seconds of one thing, several times over."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    def __str__(self) -> str:
        return f"{duration(self.median)} ({duration(min(self.samples))} - {duration(max(self.samples))})"


@dataclass(frozen=True)
class Row:
    """One line of a benchmark: ours, what it is held against, and the most that it should take."""

    name: str
    ours: Times
    against: Times | None = None
    label: str = ""
    goal: float | None = None
    """Seconds; for ours, or where ``over`` is set for what ours takes more than ``against``."""
    over: bool = False

    def __str__(self) -> str:
        text = f"  {self.name:<44} {self.ours!s:<34}"
        if self.against is not None:
            ratio = self.ours.median / self.against.median
            text += f"{self.label:>14} {self.against!s:<33} ratio {ratio:.2f}"
        if self.goal is not None:
            spent = self.ours.median - (self.against.median if self.over and self.against else 0.0)
            verdict = "ok" if spent <= self.goal else "MISSED"
            over = f"over it: {duration(spent)}, " if self.over else ""
            text += f"  {over}goal {duration(self.goal)}: {verdict}"
        return text.rstrip()


def duration(seconds: float) -> str:
    """
    >>> duration(0.00123), duration(2.5e-6)
    ('1.23 ms', '2.5 us')
    """
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if abs(seconds) * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def once(run: Callable[[], Any], make: Callable[[], Any] | None = None, repeats: int = 7) -> Times:
    """Times of ``run()``, or of ``run(make())`` without what ``make`` takes."""
    samples = []
    for _ in range(repeats):
        arguments = () if make is None else (make(),)
        gc.collect()
        start = time.perf_counter()
        run(*arguments)
        samples.append(time.perf_counter() - start)
    return Times(tuple(samples))


def in_turn(runs: Iterable[Callable[[], Any]], repeats: int = 15, seconds: float = 0.02) -> list[Times]:
    """Times of one call of each of ``runs``, measured in turn so that all see the same weather."""
    runs = list(runs)
    counts = []
    for run in runs:
        run()
        start = time.perf_counter()
        run()
        counts.append(max(1, int(seconds / max(time.perf_counter() - start, 1e-7))))
    samples: list[list[float]] = [[] for _ in runs]
    for _ in range(repeats):
        for run, count, own in zip(runs, counts, samples, strict=True):
            start = time.perf_counter()
            for _ in range(count):
                run()
            own.append((time.perf_counter() - start) / count)
    return [Times(tuple(own)) for own in samples]


_loaded = 0


def load(text: str, name: str = "f") -> Callable[..., Any]:
    """A fresh function from a text, with a source that can be found."""
    global _loaded
    _loaded += 1
    filename = f"<benchmark {_loaded} {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module: dict[str, Any] = {"np": np, "__name__": "benchmark"}
    exec(compile(text, filename, "exec"), module)
    return module[name]
