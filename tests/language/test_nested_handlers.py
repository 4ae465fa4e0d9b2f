"""A handler inside a handler with the same name takes the name away; the outer one's end does not mind."""

from __future__ import annotations

from equivalence import parametrize

import autograph as ag


def nested(n):
    try:
        if n > 0:
            raise ValueError("outer", n)
    except ValueError as error:
        print(error)
        for k in range(2):
            try:
                if k == n - 1:
                    raise KeyError(k)
            except KeyError as error:
                print(error)
            finally:
                n += 1
        if n > 4:
            raise
    return n


@parametrize([(nested, n) for n in (0, 1, 2, 5)])
def test_the_inner_handler_takes_the_name_away(f, args):
    """The outer handler is left as Python leaves it."""
    ag.testing.check(f, *args)
