"""Every Python block of the pages runs and prints what the text block after it says."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest

import prme
from prme import errors
from prme.extraction.limits import DEFAULT_LIMITS
from prme.message import FIELDS, MAX_CONTENT_CHARACTERS, MAX_ID_CHARACTERS, MAX_SPEAKER_CHARACTERS
from tests.docs.pages import PAGES, ROOT, Block, blocks_of, codes, name_of, tables_of

PYTHON = ROOT / "docs" / "python.md"
WITH_PYTHON = [page for page in PAGES if any(block.language == "python" for block in blocks_of(page))]


def run_page(blocks: list[Block]) -> list[tuple[int, str, str]]:
    """Run the Python blocks of a page in one namespace; return line, expected and actual output of each."""
    namespace: dict[str, Any] = {"__name__": "page"}
    found: list[tuple[int, str, str]] = []
    for block in blocks:
        if block.language != "python":
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile("\n" * block.line + block.text, "page", "exec"), namespace)
        expected = block.following.text if block.following and block.following.language == "text" else ""
        found.append((block.line, expected, output.getvalue()))
    return found


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_the_python_blocks_of_a_page_print_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    if "examples" in page.parts:
        monkeypatch.syspath_prepend(page.parent)

    ran = run_page(blocks_of(page))

    assert [(line, expected) for line, expected, _ in ran] == [(line, actual) for line, _, actual in ran]


def test_a_block_that_prints_something_else_is_noticed():
    block = Block("python", "print(1 + 1)\n", 0, Block("text", "3\n", 3))

    assert [(0, "3\n", "2\n")] == run_page([block])


def test_the_readme_and_the_guide_are_among_the_pages():
    assert {"README.md", "docs/python.md", "docs/writing-an-extractor.md"} <= {name_of(page) for page in WITH_PYTHON}


def names_in(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in prme.__all__ if not name.startswith("_")])
def test_the_guide_names_every_public_name(name: str):
    assert name in names_in(PYTHON)


@pytest.mark.parametrize("name", [name for name in vars(prme.MemoryClient) if not name.startswith("_")])
def test_the_guide_names_every_method(name: str):
    assert any(f"{mark}{name}" in names_in(PYTHON) for mark in (".", "`"))


def first_codes(column: str) -> list[str]:
    (table,) = [table for table in tables_of(PYTHON) if table.columns[0] == column]
    return [codes(row[0])[0] for row in table.rows]


def test_the_guide_lists_every_field_of_a_message():
    assert list(FIELDS) == first_codes("Field")


def test_the_guide_lists_every_error():
    assert {name for name, value in vars(errors).items() if isinstance(value, type)} == set(first_codes("Error"))


def test_the_guide_lists_every_argument_of_a_store():
    annotations = prme.MemoryClient.__init__.__annotations__

    assert [name for name in annotations if name != "return"] == first_codes("Argument")


@pytest.mark.parametrize(
    "bound",
    [
        f"1 to {MAX_CONTENT_CHARACTERS:,} characters",
        f"owner, at most {MAX_ID_CHARACTERS} characters",
        f"speaks, at most {MAX_SPEAKER_CHARACTERS} characters",
        f"at most {DEFAULT_LIMITS.tries} tries and {DEFAULT_LIMITS.total_seconds:.0f} seconds",
    ],
)
def test_the_guide_gives_the_bounds_of_the_program(bound: str):
    assert bound in names_in(PYTHON)
