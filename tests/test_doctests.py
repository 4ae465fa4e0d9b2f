"""The examples in docstrings run and give what they show."""
from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import autograph
import autograph.runtime

MODULES = sorted(
    {
        module.name
        for package in (autograph, autograph.runtime)
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        if not module.name.endswith("__main__")
    }
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_are_true(name):
    """One module's doctests."""
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
