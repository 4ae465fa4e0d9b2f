"""Every function of ``examples/`` does in every mode what it does in plain Python, on its real input."""
from __future__ import annotations

import copy
import importlib
import pickle
import sys
from pathlib import Path

import pytest
from equivalence import check, parametrize

import autograph
from autograph.cli import main

FOLDER = Path(__file__).resolve().parent.parent / "examples"
sys.path.insert(0, str(FOLDER))
NAMES = ("collatz", "newton", "kmeans", "kalman", "bisection", "power")
CASES = [
    (f, *args)
    for name in NAMES
    for f, args in importlib.import_module(name).examples()
]


@pytest.mark.parametrize("mode", ["converted", "staged", "interpreted"])
@parametrize(CASES)
def test_examples_are_the_plain_functions(f, args, mode):
    """One call of each, in one mode."""
    check(f, *args, modes=[mode], orders=1)


def outcome(f, args):
    """What a call on copies gives, or raises, and leaves in its arguments, as bytes."""
    args = copy.deepcopy(args)
    try:
        result = f(*args)
    except ValueError as error:
        result = str(error)
    return pickle.dumps((result, args))


@pytest.mark.parametrize("name", NAMES)
def test_the_shown_text_of_a_file_runs_when_pasted(name, capsys):
    """What ``autograph show`` prints, pasted behind the module's imports, is the module's functions again."""
    assert main(["show", str(FOLDER / f"{name}.py")]) == 0
    module = importlib.import_module(name)
    pasted = dict(vars(module), ag=autograph)
    exec(compile(capsys.readouterr().out, f"<pasted {name}>", "exec"), pasted)
    for f, args in module.examples():
        assert pasted[f.__name__] is not f
        assert outcome(pasted[f.__name__], args) == outcome(f, args)
