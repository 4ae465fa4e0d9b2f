"""What a function that a call returned finds in outer names is what they hold when it is called."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import autograph as ag

TEXT = '''
def helper():
    return 1

def with_default(a=1):
    return a

class Plain:
    def __init__(self, x):
        self.x = x

    def method(self):
        return self.x

def makes_a_lambda(n):
    return lambda: helper() + n

def makes_a_function(n):
    def inner():
        found = n
        for _ in range(2):
            found = found + helper() + with_default()
        return found + Plain(n).method() + isinstance(Plain(n), Plain) + issubclass(Plain, Plain)
    return inner

def makes_a_sorter(n):
    return lambda: sorted([n, 2, 3], key=lambda v: v * helper())

def makes_a_class(n):
    class Made:
        def method(self):
            return helper() + n
    return Made().method

def makes_a_generator(n):
    def inner():
        yield helper() + n
        yield with_default() + n
    generator = inner()
    return lambda: next(generator)
'''
CHANGES = '''
def helper():
    return -100

with_default.__defaults__ = (50,)

class Plain:
    def __init__(self, x):
        self.x = x + 7

    def method(self):
        return self.x * 2
'''
NAMES = ["makes_a_lambda", "makes_a_function", "makes_a_sorter", "makes_a_class", "makes_a_generator"]


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A module of its own, whose names may be exchanged."""
    path = tmp_path / "program_of_exchanges.py"
    path.write_text(TEXT)
    module = ModuleType("program_of_exchanges")
    module.__file__ = str(path)
    exec(compile(TEXT, str(path), "exec"), vars(module))
    return module


@pytest.mark.parametrize("name", NAMES)
def test_made_functions_see_what_is_exchanged_after_the_call(program, name):
    """A function, a default, a class; as in plain Python."""
    plain = getattr(program, name)
    first = plain(3)()
    made = [plain(3), ag.function(plain)(3), ag.function(plain)(np.int64(3))]
    exec(CHANGES, vars(program))
    wanted, *found = [each() for each in made]
    assert found == [wanted, wanted]
    assert wanted != first
