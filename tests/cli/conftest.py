"""A user's folder, and the command line run in it."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from autograph.cli import main

TANK = '''\
"""Water."""
import numpy as np

import autograph as ag

LIMIT = 3  # tanks


@ag.function
def drain(tank, rate=0.5):
    """Take from every tank."""
    steps = 0
    while tank.max() > 0:
        tank -= rate  # in place
        steps += 1
    return steps


def boom(x):
    print("before")
    return 1 // x


class Tank:
    """One tank."""

    def __init__(self, level):
        self.level = level

    def fill(self, amount):
        if amount > 0:
            return self.level + amount
        return self.level
'''


class Outcome(NamedTuple):
    """What a command left: its exit status and what it printed."""

    status: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with tank.py in it; modules imported from it are forgotten afterwards."""
    (tmp_path / "tank.py").write_text(TANK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def command(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command and hold what it printed."""

    def run(*words: str) -> Outcome:
        status = main(list(words))
        return Outcome(status, *capsys.readouterr())

    return run
