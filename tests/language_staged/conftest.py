"""What is known not to be staged yet, with the reason: refused, never wrong in silence."""
from __future__ import annotations

import pytest

PENDING = {
    "tuples": "tuples are compared natively",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of what is pending."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        name = callspec.id.rpartition("-")[0] if callspec is not None else ""
        if name in PENDING and "language_staged" in item.nodeid:
            item.add_marker(pytest.mark.xfail(reason=PENDING[name], strict=True))
