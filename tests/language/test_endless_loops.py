"""``while True`` that is left by ``break`` goes on with what follows, in whatever it stands."""

from __future__ import annotations

from equivalence import parametrize

import autograph as ag


def in_both_arms(n):
    if n > 1:
        while True:
            n -= 1
            if n < 1:
                break
    else:
        while True:
            n += 1
            if n > 3:
                break
    n += 100
    return n


def in_a_chain(n):
    seen = []
    for k in range(2):
        if n > 3:
            while True:
                n -= 2
                if n < 1:
                    break
        elif n > 1:
            while True:
                seen.append(n)
                break
        else:
            while True:
                n += 4
                if n > 3:
                    break
        seen.append((k, n))
    return seen


@parametrize([(f, n) for f in (in_both_arms, in_a_chain) for n in (0, 2, 5)])
def test_what_follows_such_loops_runs(f, args):
    """Each arm ends in a loop."""
    ag.testing.check(f, *args)
