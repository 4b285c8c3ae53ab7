"""A sequence of ids in the order of the fold that shares its parts: adding and removing cost little at any length."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

Key = tuple[datetime, datetime, int]
Item = tuple[Key, str]

LONGEST_CHUNK = 128
_key_of = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Ids, each at a key, in chunks of ordered items; no chunk is empty."""

    chunks: tuple[tuple[Item, ...], ...] = ()

    def add(self, key: Key, name: str) -> Timeline:
        """Return the timeline with one more id; the end is where it costs least."""
        item, chunks = (key, name), self.chunks
        if not chunks:
            return Timeline(((item,),))
        last = chunks[-1]
        if item > last[-1]:
            if len(last) == LONGEST_CHUNK:
                return Timeline((*chunks, (item,)))
            return Timeline((*chunks[:-1], (*last, item)))
        at = bisect_left(chunks, item, key=itemgetter(-1))
        chunk = chunks[at]
        place = bisect_left(chunk, item)
        return self._with(at, (*chunk[:place], item, *chunk[place:]))

    def remove(self, key: Key, name: str) -> Timeline:
        """Return the timeline without an id that it holds at a key."""
        item = (key, name)
        at = bisect_left(self.chunks, item, key=itemgetter(-1))
        chunk = self.chunks[at]
        place = bisect_left(chunk, item)
        assert chunk[place] == item
        return self._with(at, (*chunk[:place], *chunk[place + 1 :]))

    def latest_first(self) -> Iterator[str]:
        """Yield all ids, the latest first."""
        for chunk in reversed(self.chunks):
            yield from (name for _, name in reversed(chunk))

    def back_from(self, key: Key) -> Iterator[str]:
        """Yield the ids up to a key, the latest first."""
        chunks = self.chunks
        for at in range(bisect_right(chunks, key, key=_first_key) - 1, -1, -1):
            chunk = chunks[at]
            for place in range(bisect_right(chunk, key, key=_key_of) - 1, -1, -1):
                yield chunk[place][1]

    def after(self, key: Key) -> Iterator[str]:
        """Yield the ids after a key, the earliest first."""
        chunks = self.chunks
        for at in range(bisect_right(chunks, key, key=_last_key), len(chunks)):
            chunk = chunks[at]
            for place in range(bisect_right(chunk, key, key=_key_of), len(chunk)):
                yield chunk[place][1]

    def _with(self, at: int, chunk: tuple[Item, ...]) -> Timeline:
        half = len(chunk) // 2
        parts = (chunk,) if len(chunk) <= LONGEST_CHUNK else (chunk[:half], chunk[half:])
        return Timeline((*self.chunks[:at], *(part for part in parts if part), *self.chunks[at + 1 :]))


def _first_key(chunk: tuple[Item, ...]) -> Key:
    return chunk[0][0]


def _last_key(chunk: tuple[Item, ...]) -> Key:
    return chunk[-1][0]


EMPTY_TIMELINE = Timeline()
