"""A query as the terms to seek: each a quoted phrase for FTS5, so nothing in a query is ever read as syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prme.retrieval.stop_words import STOP_WORDS
from prme.retrieval.words import folded, is_unspaced, tokens

MOST_TERMS = 64
LONGEST_PHRASE = 16
LONGEST_UNSPACED_PHRASE = 4
# Of two letters everything may be the beginning: that finds little and takes long.
SHORTEST_PREFIX = 4
# A query is a question; of a whole document the beginning is sought.
MOST_CHARACTERS = 20_000

# What may stand inside a name: ACME-42, v1.2.3, src/main.py, sam@example.com, C:\temp, issue#7.
_NAME = re.compile(r"[^\s()\[\]{}<>\"!?;,|*^=~%$]+")


@dataclass(frozen=True, slots=True)
class Term:
    """Tokens that must follow each other; with `is_prefix` the last one may go on."""

    tokens: tuple[str, ...]
    is_prefix: bool = False

    def expression(self) -> str:
        """Return the term in the syntax of FTS5."""
        # Tokens hold letters, digits, marks and emoji only: no quotation mark can end the string.
        return f'"{" ".join(self.tokens)}"' + (" *" if self.is_prefix else "")


def terms_of(query: str) -> tuple[Term, ...]:
    """Return the distinct terms of a query in order, at most `MOST_TERMS`; none when it has no word.

    English stop words are left out unless there is nothing else. A word of several tokens (`ACME-42`, `well-known`) is
    sought as a phrase; a code, which has a digit or `_`, also as the beginning of a longer one, any other also by its
    parts. Characters of scripts without blanks are sought as a phrase, or in pairs where there are many.
    """
    every = list(dict.fromkeys(_all_terms(query[:MOST_CHARACTERS])))
    telling = [term for term in every if not STOP_WORDS.issuperset(term.tokens)]
    return tuple((telling or every)[:MOST_TERMS])


def _all_terms(query: str) -> Iterator[Term]:
    for name in _NAME.findall(folded(query)):
        for run in _runs(tokens(name)):
            yield from _terms_of_run(run)


def _runs(name: Sequence[str]) -> Iterator[list[str]]:
    """Yield the tokens of a word, parted where a script without blanks begins or ends."""
    run: list[str] = []
    for token in name:
        if run and is_unspaced(run[-1]) != is_unspaced(token):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _terms_of_run(run: Sequence[str]) -> Iterator[Term]:
    if is_unspaced(run[0]):
        if len(run) <= LONGEST_UNSPACED_PHRASE:
            yield Term(tuple(run))
        else:
            yield from (Term(pair) for pair in pairwise(run))
        return
    if len(run) <= LONGEST_PHRASE:
        yield Term(tuple(run))
        if _is_identifier(run):
            yield Term(tuple(run), is_prefix=True)
            return
    if len(run) > 1:
        yield from (Term((part,)) for part in run if len(part) > 1)


def _is_identifier(run: Sequence[str]) -> bool:
    """Whether a word names something by a code: a digit or `_` in it, but neither a plain number nor very short."""
    joined = "".join(run)
    return (
        len(joined) >= SHORTEST_PREFIX
        and any(character.isdigit() or character == "_" for character in joined)
        and (len(run) > 1 or not joined.isdigit())
    )
