"""What a tree compiles to."""
from __future__ import annotations

import ast
import traceback

import gast
import pytest

from autograph.emit import to_code_object


@pytest.mark.parametrize("parse", [ast.parse, gast.parse])
def test_the_code_has_the_users_file_and_lines(parse: object) -> None:
    """A traceback points to the line that a node carries, in the file named."""
    tree = parse("\n\nx = 1\ny = 1 / 0")
    with pytest.raises(ZeroDivisionError) as error:
        exec(to_code_object(tree, "user.py"), {})
    frame = traceback.extract_tb(error.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno) == ("user.py", 4)


def test_nodes_without_a_place_take_that_of_their_parent() -> None:
    """Made nodes compile, and count as the line that they stand in."""
    tree = gast.parse("\nx = 1")
    tree.body[0].value = gast.BinOp(gast.Constant(1, None), gast.Div(), gast.Constant(0, None))
    with pytest.raises(ZeroDivisionError) as error:
        exec(to_code_object(tree, "user.py"), {})
    assert traceback.extract_tb(error.value.__traceback__)[-1].lineno == 2


def test_future_statements_of_this_package_do_not_leak_in() -> None:
    """The user's annotations are evaluated as the user's module says."""
    namespace: dict[str, object] = {}
    exec(to_code_object(ast.parse("def f(x: int): pass"), "user.py"), namespace)
    assert namespace["f"].__annotations__ == {"x": int}
