"""Clauses: where a sentence may be cut, and what stands before a statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.vocabulary import vocabulary
from prme_extractors.lexical.wordings import alternatives, opening

_PUNCTUATION = re.compile(r"(?:(?<!\d)[,:]|[,:](?!\d)|[;()!\u2014\u2013\u2026\n]|\.{2,}|(?<=\s)-{1,3}(?=\s))+")
_JOINTS = frozenset({"and", "but", "so", "plus", "yet", "or", "then"})
_PRONOUNS = r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|you|he|she|they|it|it's|that's|this|there|there's)"
# Every cut begins so; looking for one of these characters is many times faster than for a cut.
_MARK = re.compile(r"[,:;()!\u2014\u2013\u2026\n.-](?:(?<![.-])|(?<=\.)(?=\.)|(?<=-)(?=[\s-]))")
_AROUND = re.compile(r"[\s.!?~*\u2022-]*")
_BEHIND = " \n\t.!?~*"
_EDGE = re.compile(rf"{_AROUND.pattern}(\w*)")


class Clause(NamedTuple):
    """A stretch `[start, end)` of one sentence and the mark or conjunction before it ("", ",", ":", "and", "but").

    `statement` is where its statement begins, after interjections and discourse words; `first` is the word that the
    clause begins with, or empty where it begins with none.
    """

    start: int
    end: int
    mark: str
    statement: int
    first: str


def split_clauses(
    low: str, start: int, end: int, words: Iterable[str] = _JOINTS, *, is_bare: bool = False
) -> tuple[Clause, ...]:
    """Cut `[start, end)` at punctuation, and at conjunctions that open a new statement.

    The `words` that stand in it, where they are known, tell that it holds no conjunction, `is_bare` that it holds no
    punctuation.
    """
    clauses: list[Clause] = []
    position, mark = start, ""
    join = _trim if _JOINTS.isdisjoint(words) else _coordinate
    for place in () if is_bare else _MARK.finditer(low, start, end):
        piece = _PUNCTUATION.match(low, place.start(), end) if place.start() >= position else None
        if piece is not None:
            join(clauses, low, position, piece.start(), mark)
            position, mark = piece.end(), place.group()
    join(clauses, low, position, end, mark)
    return tuple(clauses)


def _coordinate(clauses: list[Clause], low: str, start: int, end: int, mark: str) -> None:
    """Add the clauses of a stretch without punctuation."""
    for joint in _conjunction().finditer(low, start, end):
        _trim(clauses, low, start, joint.start(), mark)
        start, mark = joint.end(), joint["word"]
    _trim(clauses, low, start, end, mark)


def _trim(clauses: list[Clause], low: str, start: int, end: int, mark: str) -> None:
    """Add a stretch without what stands around its words, if anything is left."""
    edge = _EDGE.match(low, start, end)
    first, word = (edge.start(1), edge[1]) if edge else (start, "")
    end = first + len(low[first:end].rstrip(_BEHIND))
    if end > first:
        leads = _leads().match(low, first, end) if word in opening("clause.leads").firsts else None
        clauses.append(Clause(first, end, mark, leads.end() if leads else first, word))


def has_words(low: str, start: int, end: int) -> bool:
    """Whether anything is left of `[start, end)` that a clause could be cut from."""
    return _AROUND.fullmatch(low, start, end) is None


def is_lead_only(low: str, clause: Clause) -> bool:
    """Whether the clause is nothing but interjections and discourse words, or a greeting with one name."""
    if clause.statement == clause.start:
        return False
    found = _bare_leads().match(low, clause.start, clause.end)
    return found is not None and found.end() == clause.end


def opens_with(key: str, low: str, clause: Clause) -> bool:
    """Whether the clause begins with a phrase of that list of `words.toml`."""
    phrases = opening(key)
    return clause.first in phrases.firsts and phrases.expression.match(low, clause.start, clause.end) is not None


@cache
def _conjunction() -> re.Pattern[str]:
    words = vocabulary()
    verbs = alternatives(form for verb in words.verbs for form in (verb.base, verb.s))
    # "... and Ann uses Emacs": whatever comes before a finite verb is another subject.
    finite = alternatives({verb.s for verb in words.verbs if verb.third} | {"is", "was", "are", "were", "does"})
    changes = alternatives(words["clause.continuations"])
    adverbs = rf"(?:{alternatives(words['clause.continuation_adverbs'])}\s+)*"
    # "Tom and I broke up" says one thing of two.
    parted = rf"(?:i|my\s+\w+)\s+(?:\w+\s+){{0,2}}?{alternatives(words['clause.parted'])}"
    # The lookbehinds stand behind the first letter, so that the search goes from one such letter to the next.
    joints = "|".join(rf"{word[0]}(?<!\S.){word[1:]}" for word in sorted(_JOINTS))
    return re.compile(
        rf"(?P<word>{joints})\s+(?!{parted}\s*(?:[.!,;]|last\s|in\s|on\s|this\s|yesterday|\w+\s+\w+\s+ago|for\s+good|\Z))"
        rf"(?:(?={adverbs}{_PRONOUNS}(?!\w))|(?=(?:[\w'-]+\s+){{1,2}}(?:{finite})(?!\w))|(?<=and\s)(?={adverbs}(?:{verbs}|{changes})(?!\w))"
        rf"|(?<=but\s)(?={adverbs}(?:{verbs}|{changes})(?!\w)))"
    )


@cache
def _leads() -> re.Pattern[str]:
    return re.compile(rf"(?:{alternatives(vocabulary()['clause.leads'])}(?!\w)[\s.!]*)*")


@cache
def _bare_leads() -> re.Pattern[str]:
    # "Hey Ann", "Thanks Bob": a greeting may carry one name.
    leads = alternatives(vocabulary()["clause.leads"])
    return re.compile(rf"(?:{leads}(?!\w)[\s.!]*)+(?:[^\W\d_]+)?")
