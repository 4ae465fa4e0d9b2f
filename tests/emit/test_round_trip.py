"""Text of a tree parses back to the same tree, for the library that comes with Python."""
from __future__ import annotations

import ast
import contextlib
import functools
import io
import sys
import sysconfig
import tokenize
import warnings
from collections import Counter
from pathlib import Path

import gast
import pytest

from autograph import layout
from autograph.emit import to_text

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
FILES = sorted(path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts)
TELLING = ["enum.py", "typing.py", "dataclasses.py", "test/test_grammar.py", "test/test_patma.py"]
TELLING += ["test/test_fstring.py", "test/test_type_params.py", "test/test_except_star.py"]
SAMPLE = [LIBRARY / name for name in TELLING if (LIBRARY / name).exists()] + FILES[3::150]


def parsed(path: Path) -> tuple[str, ast.Module]:
    """A file's text and tree; the library holds some that are broken on purpose."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with tokenize.open(path) as file:
                text = file.read()
            return text, ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        pytest.skip("not valid Python on purpose")


def count_tokens(text: str, wanted: str) -> int:
    return sum(token.string == wanted for token in tokenize.generate_tokens(io.StringIO(text).readline))


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT)


def check_tree(path: Path) -> None:
    source, tree = parsed(path)
    text = to_text(tree)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ast.dump(ast.parse(text)) == ast.dump(tree)
        assert to_text(gast.parse(source)) == text


def check_parentheses(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, tree = parsed(path)
    monkeypatch.setattr(layout, "WIDTH", sys.maxsize)  # broken lines may need some
    assert count_tokens(to_text(tree), "(") <= count_tokens(ast.unparse(tree), "(")


def check_comments(path: Path) -> None:
    source, tree = parsed(path)
    text = to_text(tree, comments=source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ast.dump(ast.parse(text)) == ast.dump(tree)
    assert comments(text) == comments(source)


names = functools.partial(pytest.mark.parametrize, "path", ids=lambda path: str(path.relative_to(LIBRARY)))


@names(SAMPLE)
def test_text_parses_back_to_the_same_tree(path: Path) -> None:
    """Real files survive the way to text and back, from ast and from gast alike."""
    check_tree(path)


@names(SAMPLE)
def test_no_more_parentheses_than_precedence_needs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ast.unparse knows precedence; we never write more parentheses than it does."""
    check_parentheses(path, monkeypatch)


@names(SAMPLE)
def test_no_comment_is_lost_or_doubled(path: Path) -> None:
    """Every comment of a real file is in the text once, and the tree is still the same."""
    check_comments(path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(50))
def test_every_file_of_the_library_survives(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same three promises for each file of the library, a fiftieth at a time."""
    for path in FILES[part::50]:
        with contextlib.suppress(pytest.skip.Exception):
            check_tree(path)
            check_comments(path)
            check_parentheses(path, monkeypatch)
