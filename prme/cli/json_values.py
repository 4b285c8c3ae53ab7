"""Reads a long JSON text value by value, so that one of them is held at a time and not the whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

# A conversation of a thousand long messages takes a tenth of it.
MOST_VALUE_CHARACTERS = 64 * 1024 * 1024
CHUNK_CHARACTERS = 1024 * 1024
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class DamagedJsonError(Exception):
    """The text is no JSON, is cut short, or has a value that is too long; the error says where and not what."""


@dataclass(slots=True)
class JsonValues:
    """The values of a text: the elements of one list, or values that follow one another with white space between.

    `taken` counts the characters read from the stream so far; more than `most` are refused. What is held is one value
    and at most as much again: a value that goes on beyond it is read again with twice as much, so work stays linear.
    """

    stream: IO[str]
    most: int
    taken: int = field(default=0, init=False)
    _text: str = field(default="", init=False)
    _at: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[Any]:
        """Yield the values in order. Raises `DamagedJsonError`, after the values before the damage."""
        if self._next_character() == "[":
            yield from self._elements()
            return
        while self._next_character():
            yield self._value()

    def _elements(self) -> Iterator[Any]:
        self._at += 1
        is_open = self._next_character() != "]"
        while is_open:
            yield self._value()
            is_open = self._next_character() == ","
            if is_open:
                self._at += 1
        if self._next_character() != "]":
            raise self._damaged(self._at)
        self._at += 1
        if self._next_character():
            raise self._damaged(self._at)

    def _value(self) -> Any:
        self._next_character()
        while True:
            value, end, fault = _decoded(self._text, self._at)
            # A value that ends where the text held so far ends may be a number that goes on.
            if (fault is not None or end == len(self._text)) and self._fill():
                continue
            if fault is not None:
                raise self._damaged(fault)
            self._at = end
            return value

    def _next_character(self) -> str:
        """Move to the next character that is no white space and return it, or nothing at the end of the text."""
        while True:
            self._at = _end_of_space(self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _fill(self) -> bool:
        """Read on, dropping what is used; return whether there was more."""
        held = len(self._text) - self._at
        if held > MOST_VALUE_CHARACTERS:
            raise DamagedJsonError(f"with a part that is longer than {MOST_VALUE_CHARACTERS:,} characters")
        try:
            more = self.stream.read(max(CHUNK_CHARACTERS, held))
        except UnicodeDecodeError:
            raise DamagedJsonError("not UTF-8") from None
        if not more:
            return False
        self._text = self._text[self._at :] + more
        self._at = 0
        self.taken += len(more)
        if self.taken > self.most:
            raise DamagedJsonError(f"longer than {self.most:,} characters")
        return True

    def _damaged(self, at: int) -> DamagedJsonError:
        place = self.taken - len(self._text) + at + 1
        return DamagedJsonError(f"not JSON, or cut short (character {place:,})")


def _decoded(text: str, at: int) -> tuple[Any, int, int | None]:
    """Return the value at a place, where it ends, and where it is no JSON, if so.

    The decoder's own error holds the text, so it ends here.
    """
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return None, at, error.pos
    except (RecursionError, ValueError):
        raise DamagedJsonError("nested too deeply, or with a number of too many digits") from None
    return value, end, None


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
