"""What all tests share: which of them run, and how hypothesis draws."""
from __future__ import annotations

import os

import pytest

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # a folder of tests that needs none
    pass
else:
    # Derandomized: a run tells about the code and not about the dice.  The long run draws anew each time.
    # One failure is enough: to make each of many small takes minutes.
    common = {"deadline": None, "suppress_health_check": list(HealthCheck), "report_multiple_bugs": False}
    settings.register_profile("short", derandomize=True, **common)
    settings.register_profile("long", **common)
    settings.load_profile("long" if os.environ.get("AUTOGRAPH_LONG") else "short")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests marked ``long`` to ``make test-long``."""
    if os.environ.get("AUTOGRAPH_LONG"):
        return
    skip = pytest.mark.skip(reason="takes minutes: make test-long")
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(skip)
