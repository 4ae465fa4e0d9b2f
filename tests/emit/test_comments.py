"""Where comments go."""
from __future__ import annotations

import ast

import gast
import pytest

from autograph.comments import attach_comments, settle_comments
from autograph.emit import to_text

PLACES = '''\
# at the top

"""Doc."""  # after the docstring

import numpy as np  # why

# a section

# about f
@dec
def f(a):  # the header
    """Doc of f."""
    # first
    if a:  # test
        b = 1  # one

        # end of body
    # before elif
    elif b:  # second test
        pass
        # end of elif
    # otherwise
    else:  # else
        pass
        # end of else
    try:
        pass
    # before except
    except A:  # except
        pass
        # end of except
    else:  # no exception
        pass
    # at last
    finally:  # finally
        pass
        # end of finally
    match a:
        # a case
        case 1:  # one
            pass
            # end of case

    # a paragraph of its own
    x = 1

    return x
    # end of f


# at the bottom
'''


@pytest.mark.parametrize("parse", [ast.parse, gast.parse])
def test_every_place_for_a_comment_is_kept(parse: object) -> None:
    """Blank lines inside a function stay too, and the blank lines of PEP 8 come in."""
    expected = PLACES.replace("why\n\n# a", "why\n\n\n# a")
    assert to_text(parse(PLACES), comments=PLACES) == expected


def test_comments_inside_a_statement_go_above_it() -> None:
    """Those on its first or last line end it, as far as there is one place for them."""
    source = "x = [  # start\n    1,  # one\n    # two\n    2,\n]  # end\n"
    assert to_text(ast.parse(source), comments=source) == "# one\n# two\n# end\nx = [1, 2]  # start\n"


def test_a_comment_on_a_decorator_goes_above_the_definition() -> None:
    """The line after the decorators has a place for its own."""
    source = "@dec  # why\n# and\ndef f():  # head\n    pass\n"
    text = to_text(ast.parse(source), comments=source)
    assert text == "# why\n# and\n@dec\ndef f():  # head\n    pass\n"


def test_attributes_are_what_passes_read() -> None:
    """The names under which comments travel."""
    source = "def f():  # head\n    # before\n    x = 1  # after\n    # end\n"
    tree = gast.parse(source)
    attach_comments(tree, source)
    function = tree.body[0]
    assert function.comment_after == "# head"
    assert function.comments_end == ["# end"]
    assert function.body[0].comments_before == ["# before"]
    assert function.body[0].comment_after == "# after"


def test_a_tree_of_one_function_takes_its_comments() -> None:
    """The tree need not be a module."""
    source = "# above\ndef f():\n    pass  # here\n    # end\n"
    assert to_text(gast.parse(source).body[0], comments=source) == source


def test_passes_may_write_comments_themselves() -> None:
    """With or without the sign, on one line or several."""
    tree = gast.parse("x = 1")
    tree.body[0].comments_before = ["if x > 5:", "# and\n# so"]
    assert to_text(tree) == "# if x > 5:\n# and\n# so\nx = 1\n"


def test_settled_comments_are_on_statements_that_a_rewriting_keeps() -> None:
    """None is lost, and no construct that becomes a call carries one at its header or its end."""
    tree = gast.parse(PLACES)
    attach_comments(tree, PLACES)
    settle_comments(tree)
    text = to_text(tree)
    wanted = [line[line.index("#") :] for line in PLACES.splitlines() if "#" in line]
    found = [line[line.index("#") :] for line in text.splitlines() if "#" in line]
    assert sorted(found) == sorted(wanted)
    assert "    if a:\n        # test\n        # end of body\n        b = 1  # one\n" in text
    assert "        # otherwise\n        # else\n        # end of else\n        pass\n" in text
    assert "        case 1:\n            # a case\n            # one\n" in text
