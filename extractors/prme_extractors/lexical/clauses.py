"""Clauses: where a sentence may be cut, and what stands before a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from prme_extractors.lexical.table import Opening, alternatives, opening
from prme_extractors.lexical.vocabulary import vocabulary

_PUNCTUATION = re.compile(r"(?:(?<!\d)[,:]|[,:](?!\d)|[;()!\u2014\u2013\u2026\n]|\.{2,}|(?<=\s)-{1,3}(?=\s))+")
_PRONOUNS = r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|you|he|she|they|it|it's|that's|this|there|there's)"
_EDGE = re.compile(r"[\s.!?~*\u2022-]*")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch `[start, end)` of one sentence and the mark or conjunction before it ("", ",", ":", "and", "but")."""

    start: int
    end: int
    mark: str
    comma: bool


def split_clauses(low: str, start: int, end: int) -> tuple[Clause, ...]:
    """Cut `[start, end)` at punctuation, and at conjunctions that open a new statement."""
    clauses: list[Clause] = []
    position, mark = start, ""
    for piece in _PUNCTUATION.finditer(low, start, end):
        clauses += _coordinated(low, position, piece.start(), mark)
        position, mark = piece.end(), piece.group()[0]
    clauses += _coordinated(low, position, end, mark)
    return tuple(clauses)


def _coordinated(low: str, start: int, end: int, mark: str) -> list[Clause]:
    pieces: list[Clause] = []
    comma = mark != ""
    for joint in _conjunction().finditer(low, start, end):
        pieces += _trimmed(low, start, joint.start(), mark, comma)
        start, mark, comma = joint.end(), joint.group("word"), comma and not pieces
    return pieces + _trimmed(low, start, end, mark, comma)


def _trimmed(low: str, start: int, end: int, mark: str, comma: bool) -> list[Clause]:
    edge = _EDGE.match(low, start, end)
    first = edge.end() if edge else start
    while end > first and low[end - 1] in " \n\t.!?~*":
        end -= 1
    return [Clause(first, end, mark, comma)] if end > first else []


def skip_leads(low: str, clause: Clause) -> int:
    """Return where the statement begins, after interjections and discourse words."""
    found = _leads().match(low, clause.start, clause.end)
    return found.end() if found else clause.start


def is_lead_only(low: str, clause: Clause) -> bool:
    """Whether the clause is nothing but interjections and discourse words, or a greeting with one name."""
    found = _bare_leads().match(low, clause.start, clause.end)
    return found is not None and found.end() == clause.end


@cache
def _conjunction() -> re.Pattern[str]:
    words = vocabulary()
    verbs = alternatives(form for verb in words.verbs for form in (verb.base, verb.s))
    # "... and Ann uses Emacs": whatever comes before a finite verb is another subject.
    finite = alternatives({verb.s for verb in words.verbs if verb.third} | {"is", "was", "are", "were", "does"})
    changes = alternatives(words["clause.continuations"])
    adverbs = rf"(?:{alternatives(words['clause.continuation_adverbs'])}\s+)*"
    return re.compile(
        rf"(?:(?<=\s)|(?<=^))(?P<word>and|but|so|plus|yet|or|then)\s+"
        rf"(?:(?={adverbs}{_PRONOUNS}(?!\w))|(?=(?:[\w'-]+\s+){{1,2}}(?:{finite})(?!\w))|(?<=and\s)(?={adverbs}(?:{verbs}|{changes})(?!\w))"
        rf"|(?<=but\s)(?={adverbs}(?:{verbs}|{changes})(?!\w)))"
    )


@cache
def _leads() -> Opening:
    firsts = opening("clause.leads").firsts
    return Opening(firsts, re.compile(rf"(?:{alternatives(vocabulary()['clause.leads'])}(?!\w)[\s.!]*)*"))


@cache
def _bare_leads() -> Opening:
    # "Hey Ann", "Thanks Bob": a greeting may carry one name.
    firsts = opening("clause.leads").firsts
    leads = alternatives(vocabulary()["clause.leads"])
    return Opening(firsts, re.compile(rf"(?:{leads}(?!\w)[\s.!]*)+(?:[^\W\d_]+)?"))
