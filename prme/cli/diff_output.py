"""Prints a comparison owner by owner as it comes, so that no more than one owner is held: as pages, or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import Any, Protocol

from pydantic_core import to_jsonable_python

from prme.cli.diff_view import message_page, summary_page
from prme.cli.output import show
from prme.cli.safe_text import safe_json
from prme.comparison.outcome import MessageDifference, Summary, Unread

_STEP = "  "


class DiffPrinter(Protocol):
    """Takes the differing messages of each owner, and at the end the rest."""

    def messages(self, messages: Iterable[MessageDifference]) -> None:
        """Print differing messages."""

    def end(self, summary: Summary, unread: Iterator[Unread]) -> bool:
        """Print the counts; return whether there were records that could not be used."""


class PagePrinter:
    """Prints for a person to read; what could not be used stands on standard error already and is only counted."""

    def __init__(self, policies: tuple[str, str]) -> None:
        self._policies = policies

    def messages(self, messages: Iterable[MessageDifference]) -> None:
        """Print a page for each differing message."""
        for message in messages:
            show(message_page(message, self._policies))

    def end(self, summary: Summary, unread: Iterator[Unread]) -> bool:
        """Print the counts."""
        refused = sum(1 for _ in unread)
        show(summary_page(summary, refused))
        return refused > 0


class JsonPrinter:
    """Prints one JSON document: `policies`, `messages`, `unread` and `summary`."""

    def __init__(self, policies: tuple[str, str]) -> None:
        self._write(f'{{\n{_STEP}"policies": {json.dumps(policies)},\n{_STEP}"messages": [')
        self._is_first = True

    def messages(self, messages: Iterable[MessageDifference]) -> None:
        """Print differing messages as items of a list."""
        for message in messages:
            self._item(message)

    def end(self, summary: Summary, unread: Iterator[Unread]) -> bool:
        """Close the list, and print what could not be used and the counts."""
        self._close_list()
        self._write(f',\n{_STEP}"unread": [')
        self._is_first = True
        for found in unread:
            self._item(found)
        refused = not self._is_first
        self._close_list()
        self._write(f',\n{_STEP}"summary": {indent(_json(summary), _STEP).lstrip()}\n}}\n')
        sys.stdout.buffer.flush()
        return refused

    def _item(self, value: Any) -> None:
        self._write(("" if self._is_first else ",") + "\n" + indent(_json(value), _STEP * 2))
        self._is_first = False

    def _close_list(self) -> None:
        self._write("]" if self._is_first else f"\n{_STEP}]")

    def _write(self, text: str) -> None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))


def _json(value: Any) -> str:
    return safe_json(json.dumps(to_jsonable_python(value), ensure_ascii=False, indent=len(_STEP)))
