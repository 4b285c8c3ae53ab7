"""What the tests of the documentation share: parts of pages that are printed, and renewed by `--snapshot-update`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.pages import PrintedPart


@pytest.fixture
def compare_part(request: pytest.FixtureRequest) -> Callable[[Path, str, str], None]:
    """Return a function that compares a printed part of a page with what it must be, or renews it."""

    def compare(page: Path, name: str, expected: str) -> None:
        part = PrintedPart(page, name)
        if request.config.option.update_snapshots:
            part.write(expected)
        assert expected == part.read()

    return compare
