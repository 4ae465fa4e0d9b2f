"""``with a, b:`` is ``with a:`` around ``with b:``, also for jumps out of it that an exit overtakes."""

from __future__ import annotations

import contextlib

from equivalence import parametrize

import autograph as ag


class Leaving:
    """Raises when it is left, or swallows what is raised."""

    def __init__(self, log, raises):
        self.log = log
        self.raises = raises

    def __enter__(self):
        self.log.append("in")
        return self.raises

    def __exit__(self, *exception):
        self.log.append(exception[0] is not None)
        if self.raises:
            raise KeyError
        return True


def returning(x, log):
    with Leaving(log, False), Leaving(log, True):
        if x > 1:
            return "inside"
    return "end"


def breaking(x, log):
    done = []
    for i in range(4):
        with contextlib.suppress(KeyError), Leaving(log, True):
            if i == x:
                break
        done.append(i)
    else:
        done.append("else")
    return done


def continuing(x, log):
    done = []
    for i in range(4):
        with Leaving(log, False) as a, Leaving(log, True) as b, Leaving(log, False) as c:
            done.append((a, b, c))
            if i == x:
                continue
            done.append(-i)
        done.append(i)
    return done


def raising(x, log):
    with Leaving(log, False), Leaving(log, False), Leaving(log, True):
        if x > 1:
            raise ValueError(x)
        return x
    return "end"


@parametrize([(f, x, []) for f in (returning, breaking, continuing, raising) for x in (0, 2, 9)])
def test_managers_of_one_statement_are_nested(f, args):
    """The jump is taken only if every exit lets it."""
    ag.testing.check(f, *args)
