"""The anchor: a small file beside the database that knows the newest commit, so that lost commits are noticed.

DuckDB opens silently without a damaged, cut or deleted write-ahead log. The anchor is written after each commit, in one
small write in place and without an fsync of its own. So a store ahead of its anchor is normal; one behind it is not.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from prme.errors import StoreCorruptError, StoreError

_LINE = re.compile(r"prme-anchor/1 (\d{20}) ([0-9a-f]{64})( rewritten)?\n")


@dataclass(frozen=True, slots=True)
class AnchorMark:
    """A commit number and the digest chained over all commits up to it."""

    commit_no: int
    digest: str


class AnchorFile:
    """The open anchor file of one store; only the writer uses it. `was_rewritten`: it was missing once."""

    def __init__(self, path: Path) -> None:
        """Open the file, creating it when it is missing. Raises `StoreError` when that is not possible."""
        self.path = path
        self.was_rewritten = False
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(f"the anchor file {path.name!r} cannot be opened: {error.strerror}") from None

    def read(self) -> AnchorMark | None:
        """Return what the file says, or None when it is missing or empty.

        Raises `StoreCorruptError` when it holds anything else.
        """
        text = os.pread(self._descriptor, 4096, 0).decode("ascii", errors="replace")
        if not text:
            return None
        match = _LINE.fullmatch(text)
        if match is None:
            raise StoreCorruptError(
                f"the anchor file {self.path.name!r} is damaged. Restore the store from a backup; or, if you are sure "
                "that the database is complete, delete the anchor file and run `prme verify`"
            )
        self.was_rewritten = match.group(3) is not None
        return AnchorMark(int(match.group(1)), match.group(2))

    def rewrite(self, mark: AnchorMark) -> None:
        """Stand in for a file that was missing, and say so for ever: commits lost before cannot be noticed."""
        self.was_rewritten = True
        self.write(mark)

    def write(self, mark: AnchorMark) -> None:
        """Replace what the file says about the newest commit."""
        remark = " rewritten" if self.was_rewritten else ""
        os.pwrite(self._descriptor, f"prme-anchor/1 {mark.commit_no:020d} {mark.digest}{remark}\n".encode("ascii"), 0)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)
