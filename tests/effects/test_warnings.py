"""``warnings.warn`` tells of the line that the plain run tells of, as often as it does."""

from __future__ import annotations

import warnings

import pytest

import autograph as ag


def deprecated(x, level):
    warnings.warn("deep", DeprecationWarning, stacklevel=level)
    return x


def through(x, level):
    if x > 0:
        x = deprecated(x, level) + 1
    return x


def direct(x, level):
    for _ in range(2):
        warnings.warn(UserWarning("in the loop"))
    warnings.warn("here")
    warnings.warn("above", stacklevel=2)
    warnings.warn("far above", FutureWarning, stacklevel=level + 1)
    return through(x, level)


def recursive(x, level):
    if x <= 0:
        warnings.warn("at the end", stacklevel=level)
        return 0
    return recursive(x - 1, level)


def wrong(x, level):
    warnings.warn("a", int, level)
    return x


def _told(f, x, level, action):
    """What is told: text, class and line of each warning."""

    def first():
        return f(x, level)

    def second():
        return first()

    def third():
        return second()

    def caller():
        return third()

    globals().pop("__warningregistry__", None)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)
        for _ in range(2):
            caller()
    return [(str(each.message), each.category, each.filename, each.lineno) for each in seen]


@pytest.mark.parametrize("action", ["always", "default", "once", "module"])
@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("f", [deprecated, through, direct, recursive])
def test_the_line_is_that_of_the_plain_run(f, level, action):
    """Converted, and staged, in a first call and in later ones."""
    wanted = _told(f, 2, level, action)
    assert wanted
    assert _told(ag.convert(f), 2, level, action) == wanted
    staged = ag.function(f)
    assert _told(staged, 2, level, action) == wanted
    assert _told(staged, 2, level, action) == wanted


def test_a_wrong_category_is_pythons_error():
    """Whatever is no class of warnings."""
    ag.testing.check(wrong, 1, 1)


def test_a_warning_that_is_an_error_is_raised_at_its_line():
    """The filter makes exceptions of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.testing.check(direct, 2, 1)
        ag.testing.check(through, 2, 2)
