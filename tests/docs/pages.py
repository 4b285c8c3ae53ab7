"""Reads the pages of the documentation: their code blocks, tables, links, and the parts that a test prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    page
    for page in (
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        ROOT / "extractors" / "README.md",
        ROOT / "plans" / "README.md",
    )
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it begins in, and the block that follows it at once, if any."""

    language: str
    text: str
    line: int
    following: Block | None = None


@dataclass(frozen=True)
class Table:
    """A table under a heading: the names of its columns, and its rows as the inline tokens of each cell."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Token, ...], ...], ...]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def tokens_of(page: Path) -> tuple[Token, ...]:
    return tuple(MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")))


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    tokens = tokens_of(page)
    found: list[Block] = []
    following: Block | None = None
    for index in reversed(range(len(tokens))):
        token = tokens[index]
        if token.type != "fence":
            following = None
            continue
        line = 0 if token.map is None else token.map[0] + 1
        following = Block(token.info.strip(), token.content, line, following)
        found.append(following)
    return found[::-1]


def tables_of(page: Path) -> list[Table]:
    """Return the tables of a page in order."""
    found: list[Table] = []
    heading, rows, cells = "", [], []
    for token in tokens_of(page):
        match token.type:
            case "table_open":
                rows = []
            case "tr_open":
                cells = []
            case "tr_close":
                rows.append(tuple(cells))
            case "table_close":
                columns = tuple(plain(cell) for cell in rows[0])
                found.append(Table(heading, columns, tuple(rows[1:])))
            case "inline" if token.level > 2:
                cells.append(tuple(token.children or ()))
            case "inline" if _is_heading(page, token):
                heading = token.content
    return found


def plain(cell: tuple[Token, ...]) -> str:
    """Return the text of a cell; a line break in it counts as one."""
    parts = ("\n" if token.type == "html_inline" else token.content for token in cell)
    return "".join(parts).strip()


def codes(cell: tuple[Token, ...]) -> list[str]:
    """Return what stands in code marks in a cell."""
    return [token.content for token in cell if token.type == "code_inline"]


def column(page: Path, heading: str, name: str) -> list[str]:
    """Return a column of the only table under a heading, as plain text."""
    (table,) = [table for table in tables_of(page) if table.heading == heading]
    at = table.columns.index(name)
    return [plain(row[at]) for row in table.rows]


def links_of(page: Path) -> Iterator[str]:
    """Yield the targets of all links and images of a page."""
    for token in tokens_of(page):
        for child in token.children or ():
            target = child.attrs.get("href") if child.type == "link_open" else child.attrs.get("src")
            if target is not None:
                yield str(target)


def anchors_of(page: Path) -> set[str]:
    """Return the fragments that a link into the page may name: its headings as GitHub writes them."""
    headings = (token.content for token in tokens_of(page) if token.type == "inline" and _is_heading(page, token))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def _heading_lines(page: Path) -> frozenset[int]:
    return frozenset(
        token.map[0] for token in tokens_of(page) if token.type == "heading_open" and token.map is not None
    )


def _is_heading(page: Path, token: Token) -> bool:
    return token.map is not None and token.level == 1 and token.map[0] in _heading_lines(page)


@dataclass(frozen=True)
class PrintedPart:
    """A part of a page that a test prints, between `<!-- name:begin -->` and `<!-- name:end -->`."""

    page: Path
    name: str

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<=<!-- {self.name}:begin -->\n).*?(?=<!-- {self.name}:end -->)", re.DOTALL)

    def read(self) -> str:
        found = self._pattern.search(self.page.read_text(encoding="utf-8"))
        assert found is not None, f"{name_of(self.page)} has no part {self.name!r}"
        return found.group()

    def write(self, text: str) -> None:
        page = self.page.read_text(encoding="utf-8")
        self.page.write_text(self._pattern.sub(lambda _: text, page), encoding="utf-8", newline="\n")
