"""Stateful programs do in every mode what they do plain, call after call."""
from __future__ import annotations

from types import FunctionType

import pytest

from state.programs import (
    arrays,
    attributes,
    containers,
    exceptions,
    exchanged,
    exchanged_classes,
    exchanged_operators,
    floating,
    function_attributes,
    lookups,
    names,
    namespaces,
    objects,
    outside,
    put_on_exceptions,
    random_numbers,
    variables,
)
from state.stateful import found_differences

MODULES = (
    attributes,
    lookups,
    names,
    containers,
    objects,
    outside,
    random_numbers,
    exceptions,
    arrays,
    variables,
    exchanged,
    exchanged_classes,
    exchanged_operators,
    floating,
    function_attributes,
    namespaces,
    put_on_exceptions,
)
PROGRAMS = [
    program
    for module in MODULES
    for program in vars(module).values()
    if isinstance(program, FunctionType) and program.__code__.co_varnames[:2] == ("stage", "call")
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_stateful_program(program) -> None:
    """No mode differs from the plain run anywhere."""
    found = list(found_differences(program))
    assert not found, "\n".join(found)


def test_there_are_many_programs() -> None:
    """The number that the issue asks for."""
    assert len(PROGRAMS) >= 150
