"""How the demo looks on a terminal: with rich where it is installed, as plain text otherwise."""
from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Sequence

try:
    from rich.box import SIMPLE_HEAD
    from rich.columns import Columns
    from rich.console import Console
    from rich.panel import Panel
    from rich.rule import Rule
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text
except ImportError:
    rich = False
else:
    rich = True

GOOD, BAD = "equal", "DIFFERS"


class PlainPage:
    """Text with rules of dashes; side by side where the terminal is wide enough."""

    def __init__(self, width: int) -> None:
        self.width = width

    def rule(self, title: str) -> None:
        print(f"\n-- {title} {'-' * max(0, self.width - len(title) - 4)}\n")

    def text(self, text: str) -> None:
        print(text)

    def code(self, title: str, text: str, lexer: str = "python") -> None:
        print(f"[{title}]\n{text.rstrip()}\n")

    def beside(self, left: tuple[str, str], right: tuple[str, str]) -> None:
        one, two = ([f"[{title}]", *text.rstrip().splitlines()] for title, text in (left, right))
        edge = max(map(len, one)) + 4
        if edge + max(map(len, two)) > self.width:
            self.code(*left)
            self.code(*right)
            return
        for a, b in itertools.zip_longest(one, two, fillvalue=""):
            print(f"{a:<{edge}}{b}".rstrip())
        print()

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> None:
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
        for row in (heads, ["-" * width for width in widths], *rows):
            cells = [
                f"{cell:>{width}}" if column in numbers else f"{cell:<{width}}"
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            print("  ".join(cells).rstrip())


class RichPage:
    """The same with colours, panels and a table."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.console = Console(width=width, highlight=False)

    def rule(self, title: str) -> None:
        self.console.print()
        self.console.print(Rule(Text(title, style="bold"), style="cyan", align="left"))

    def text(self, text: str) -> None:
        self.console.print(Text(text))

    def code(self, title: str, text: str, lexer: str = "python") -> None:
        self.console.print(self._panel(title, text, lexer))

    def beside(self, left: tuple[str, str], right: tuple[str, str]) -> None:
        edges = [max(len(line) for line in text.splitlines()) + 4 for _, text in (left, right)]
        if sum(edges) + 1 > self.width:
            self.code(*left)
            self.code(*right)
            return
        self.console.print(Columns([self._panel(*left, expand=False), self._panel(*right, expand=False)]))

    def _panel(self, title: str, text: str, lexer: str = "python", expand: bool = True) -> Panel:
        body = Syntax(text.rstrip(), lexer, theme="ansi_dark", background_color="default", word_wrap=True)
        return Panel(body, title=title, title_align="left", border_style="dim", expand=expand)

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> None:
        table = Table(box=SIMPLE_HEAD, header_style="bold", border_style="dim", pad_edge=False)
        for column, head in enumerate(heads):
            table.add_column(head, justify="right" if column in numbers else "left", no_wrap=column > 1)
        for row in rows:
            table.add_row(*[self._cell(cell) for cell in row])
        self.console.print(table)

    def _cell(self, cell: str) -> Text:
        style = {GOOD: "green", BAD: "bold red", "refused": "yellow"}.get(cell, "")
        return Text(cell, style=style)


def page() -> PlainPage | RichPage:
    """The page for standard output."""
    width = shutil.get_terminal_size((118, 40)).columns if sys.stdout.isatty() else 118
    return RichPage(width) if rich else PlainPage(width)
