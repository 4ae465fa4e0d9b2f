"""Write what is generated: ``errors.md``, ``constructs.md``, and the output shown in ``README.md``.

    python docs/build.py            write them
    python docs/build.py --check    exit with 1 when one is out of date
"""
from __future__ import annotations

import inspect
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from autograph import errors
from autograph.passes import grammar

HERE = Path(__file__).resolve().parent
INTRODUCTION = """\
# Errors

<!-- Written by docs/build.py from the docstrings in autograph/errors.py. -->

All are subclasses of `autograph.StagingError`. A message says what is wrong, where (your line, with a caret),
why, and what to do. It begins with an id that never changes.
"""


def classes() -> list[type[errors.StagingError]]:
    """The error classes by id."""
    found = {
        cls
        for _, cls in inspect.getmembers(errors, inspect.isclass)
        if issubclass(cls, errors.StagingError) and "id" in cls.__dict__
    }
    return sorted(found, key=lambda cls: cls.id)


def to_markdown(docstring: str) -> str:
    """A docstring as Markdown: literal blocks fenced, double backquotes single.

    >>> print(to_markdown("Cause: this::\\n\\n    x = 1\\n\\nFix: use ``y``."))
    **Cause:** this:
    <BLANKLINE>
    ```python
    x = 1
    ```
    <BLANKLINE>
    **Fix:** use `y`.
    """
    return "\n\n".join(map(_paragraph, _paragraphs(inspect.cleandoc(docstring))))


def _paragraphs(text: str) -> list[str]:
    """The paragraphs, a literal block being one however many blank lines it has."""
    found: list[str] = []
    for paragraph in text.split("\n\n"):
        if found and paragraph.startswith("    ") and found[-1].startswith("    "):
            found[-1] += f"\n\n{paragraph}"
        else:
            found.append(paragraph)
    return found


def _paragraph(text: str) -> str:
    if text.startswith("    "):
        return f"```python\n{textwrap.dedent(text)}\n```"
    for head in ("Cause:", "Fix:"):
        if text.startswith(head):
            text = f"**{head}**{text[len(head):]}"
    return text.replace("``", "`").removesuffix("::") + (":" if text.endswith("::") else "")


def page() -> str:
    """The whole of ``errors.md``."""
    sections = [INTRODUCTION]
    for cls in classes():
        base = cls.__mro__[1].__name__
        kind = "" if base in ("Exception", "StagingError") else f"\nA kind of `{base}`.\n"
        sections.append(f"## {cls.id} {cls.__name__}\n{kind}\n{to_markdown(cls.__doc__ or '')}\n")
    return "\n".join(sections)


def readme() -> str:
    """``README.md`` with what its first program prints now."""
    text = (HERE.parent / "README.md").read_text()
    program = text.split("```python\n", 1)[1].split("```", 1)[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cool.py"
        file.write_text(program)
        printed = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True).stdout
    before, after = text.split("```text\n", 1)
    return f"{before}```text\n{printed}```{after.split('```', 1)[1]}"


def main(arguments: list[str]) -> int:
    pages = {
        HERE / "errors.md": page(),
        HERE / "constructs.md": grammar.page(),
        HERE.parent / "README.md": readme(),
    }
    stale = [target for target, text in pages.items() if not target.exists() or target.read_text() != text]
    if "--check" in arguments:
        for target in stale:
            print(f"{target} is out of date: make docs", file=sys.stderr)
        return 1 if stale else 0
    for target in stale:
        target.write_text(pages[target])
        print(f"wrote {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
