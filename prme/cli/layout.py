"""The few shapes that pages are made of; text is never read as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

INDENT = 2


def heading(text: str, *, level: int = 0) -> RenderableType:
    """Return a line that opens a part of a page."""
    return line(text, level=level, style="bold")


def line(text: str, *, level: int = 1, style: str = "") -> RenderableType:
    """Return a paragraph, indented as a whole by its level."""
    return Padding(Text(text, style=style), (0, 0, 0, INDENT * level))


def section(title: str, parts: Iterable[RenderableType], *, level: int = 0) -> list[RenderableType]:
    """Return an empty line, a heading and its parts; nothing at all when there are no parts."""
    found = list(parts)
    return [Text(""), heading(title, level=level), *found] if found else []


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, level: int = 0, whole: Sequence[str] = ()
) -> Padding:
    """Return a table without lines; the columns named in `whole` are never broken."""
    grid = Table(box=None, pad_edge=False, padding=(0, INDENT, 0, 0), header_style="bold")
    for column in columns:
        grid.add_column(column, no_wrap=column in whole, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    return Padding(grid, (0, 0, 0, INDENT * level))


def page(parts: Iterable[RenderableType]) -> Group:
    """Return parts as one page."""
    return Group(*parts)
