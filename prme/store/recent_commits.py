"""The newest commits, as their rows, kept in memory: what follows the store need not read them back."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from itertools import takewhile

from prme.store.rows import Row, RowBatch

MOST_CHARACTERS = 4_000_000
# What a row without its texts counts for.
_CHARACTERS_OF_A_ROW = 200
_FOLLOWED = ("journal", "intervals", "plans", "events", "claims", "evidence")
DOCUMENT = 6
"""The place of the saved bytes in a row of `plans`."""
_CONTENT, _METADATA = 6, 14
# An entry's key and body are nothing that anybody follows, and the body is as long as all else together.
_FOLLOWED_OF_ENTRY = slice(10)


@dataclass(frozen=True, slots=True)
class RecentRows:
    """What one owner's rows of the newest commits are, up to the newest commit that was acknowledged."""

    newest_commit: int
    journal: list[Row]
    intervals: list[Row]
    plans: list[Row]
    events: list[Row]
    claims: list[Row]
    evidence: list[Row]


@dataclass(frozen=True, slots=True)
class _Commit:
    number: int
    rows: tuple[list[Row], ...]
    characters: int

    @classmethod
    def of(cls, number: int, batch: RowBatch) -> _Commit:
        journal, intervals, plans, events, claims, evidence = (batch.tables.get(table, []) for table in _FOLLOWED)
        rows = ([row[_FOLLOWED_OF_ENTRY] for row in journal], intervals, plans, events, claims, evidence)
        messages = sum(len(row[_CONTENT]) + len(row[_METADATA] or "") for row in events)
        # What claims and evidence say stands in a plan's document once more.
        documents = 2 * sum(len(row[DOCUMENT]) for row in plans)
        return cls(number, rows, messages + documents + _CHARACTERS_OF_A_ROW * sum(map(len, rows)))


class RecentCommits:
    """The rows of as many of the newest commits as fit. The writer adds to it, and any thread may ask.

    A commit is in it before its callers are answered, so nothing that was acknowledged is missing.
    """

    def __init__(self, newest_commit: int, *, most_characters: int = MOST_CHARACTERS) -> None:
        """Begin after a commit, whose rows and earlier ones are not in it."""
        self._most_characters = most_characters
        self._lock = threading.Lock()
        self._complete_after = newest_commit
        self._newest = newest_commit
        self._commits: deque[_Commit] = deque()
        self._characters = 0

    def add(self, number: int, batch: RowBatch) -> None:
        """Add the rows of a commit that is durable; those of the oldest commits make room."""
        commit = _Commit.of(number, batch)
        with self._lock:
            self._newest = number
            self._commits.append(commit)
            self._characters += commit.characters
            while self._characters > self._most_characters:
                oldest = self._commits.popleft()
                self._characters -= oldest.characters
                self._complete_after = oldest.number

    def since(self, owner_key: int, commit_no: int) -> RecentRows | None:
        """Return an owner's rows of all commits after one; None when some of them are no longer here."""
        with self._lock:
            if commit_no < self._complete_after:
                return None
            newest = self._newest
            # From the newest on: hardly any is newer than what was known, however many there are.
            newer = [*takewhile(lambda commit: commit.number > commit_no, reversed(self._commits))][::-1]
        rows = (
            [row for commit in newer for row in commit.rows[place] if row[0] == owner_key]
            for place in range(len(_FOLLOWED))
        )
        return RecentRows(newest, *rows)
