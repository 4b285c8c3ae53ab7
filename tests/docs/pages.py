"""Reads the pages of the documentation: their code blocks, tables, links, and the parts that a test prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    ROOT / "extractors" / "README.md",
    ROOT / "plans" / "README.md",
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


def write_page(page: Path, text: str) -> None:
    """Write a page, so that what is read of it from now on is new."""
    page.write_text(text, encoding="utf-8", newline="\n")
    tokens_of.cache_clear()


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
    heading = ""
    rows: list[tuple[tuple[Token, ...], ...]] = []
    cells: list[tuple[Token, ...]] = []
    headings = _headings(tokens_of(page))
    for index, token in enumerate(tokens_of(page)):
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
            case "inline" if index in headings:
                heading = token.content
            case "inline":
                cells.append(tuple(token.children or ()))
    return found


def plain(cell: tuple[Token, ...]) -> str:
    """Return the text of a cell; a line break in it counts as one."""
    parts = ("\n" if token.type == "html_inline" else token.content for token in cell)
    return "".join(parts).strip()


def codes(cell: tuple[Token, ...]) -> list[str]:
    """Return what stands in code marks in a cell."""
    return [token.content for token in cell if token.type == "code_inline"]


def links_of(page: Path) -> Iterator[str]:
    """Yield the targets of all links and images of a page."""
    for token in tokens_of(page):
        for child in token.children or ():
            target = child.attrs.get("href") if child.type == "link_open" else child.attrs.get("src")
            if target is not None:
                yield str(target)


def anchors_of(page: Path) -> set[str]:
    """Return the fragments that a link into the page may name: its headings as GitHub writes them."""
    tokens = tokens_of(page)
    headings = [tokens[index].content for index in _headings(tokens)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _headings(tokens: Sequence[Token]) -> set[int]:
    """Return the places of the tokens that hold the text of a heading."""
    return {index + 1 for index, token in enumerate(tokens) if token.type == "heading_open"}


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
        write_page(self.page, self._pattern.sub(lambda _: text, page))
