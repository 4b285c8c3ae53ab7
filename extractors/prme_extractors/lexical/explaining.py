"""Explanations: what `lexical` read in a text, which pattern matched what, and why the rest was left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from prme.model.extraction import ExtractedClaim
from prme.model.message import FIRST_PERSON_ROLES, Role
from prme.model.value import Value
from prme_extractors.lexical.claims import Try, read_clause, tries
from prme_extractors.lexical.clauses import Clause, is_lead_only, split_clauses
from prme_extractors.lexical.extractor import LONGEST_SENTENCE, MODEL, read_sentences
from prme_extractors.lexical.findings import Finding
from prme_extractors.lexical.reading import Reading, read_message
from prme_extractors.lexical.remainders import is_saying
from prme_extractors.lexical.sentences import vetoing_words
from prme_extractors.lexical.surroundings import Block, Sentence, judged
from prme_extractors.lexical.table import Pattern

Outcome = Literal["claims", "blocked", "waiting", "nothing_said", "not_read"]
"""What became of a clause: it makes claims; a pattern read it, but what stands around it blocks it; it was read and
waits for another clause; it is a greeting or the like; or no pattern read it to its end."""

_BLOCKS: dict[Block, str] = {
    "taken_back_later": "the message takes it back later",
    "framed": "words before it make it material to work on, a game or somebody's words",
    "taken_back": "the rest of its sentence or the next one takes it back",
    "not_clean": "a change counts only where every other clause of the message was read and leaves it whole",
}


class ExplainedClause(Value):
    """One clause `[start, end)` of a text.

    `pattern` is the row of the table that read it, or the nearest that began like it; `example` shows that row. `quote`
    is what the pattern matched, which may reach over further clauses. `why` says what kept it from making claims.
    """

    start: int
    end: int
    text: str
    outcome: Outcome
    pattern: str | None = None
    example: str | None = None
    quote: str | None = None
    claims: tuple[ExtractedClaim, ...] = ()
    why: str | None = None


class Explanation(Value):
    """What one model read in one text: its clauses in order, and why nothing was read at all where that is so."""

    model: str
    clauses: tuple[ExplainedClause, ...] = ()
    why: str | None = None

    @property
    def claims(self) -> tuple[ExtractedClaim, ...]:
        """Every claim, in order; the same that the extractor makes of the text."""
        return tuple(dict.fromkeys(claim for clause in self.clauses for claim in clause.claims))


def explain(text: str, *, role: Role = "user") -> Explanation:
    """Say what the extractor reads in a message of that role, clause by clause.

    Nothing is stored and no context is read. The claims are those that `extract` proposes; grounding may still reject
    or change them.
    """
    if role not in FIRST_PERSON_ROLES:
        return Explanation(model=MODEL, why=f"only messages of a person are read, and this is one of role {role!r}")
    reading = read_message(text)
    if reading is None:
        return Explanation(model=MODEL, why="the message says that it is not meant")
    sentences = read_sentences(reading)
    clauses = tuple(
        clause
        for sentence, findings in zip(sentences, judged(reading, sentences), strict=True)
        for clause in _explained_sentence(reading, sentence, findings)
    )
    return Explanation(model=MODEL, clauses=clauses, why=None if clauses else "there is no clause in it")


def _explained_sentence(
    reading: Reading, sentence: Sentence, findings: Sequence[tuple[Finding, Block | None]]
) -> Iterator[ExplainedClause]:
    barrier = _barrier(reading, sentence)
    told: list[Finding] = []
    for clause in split_clauses(reading.low, sentence.start, sentence.end):
        touching = [found for found in findings if clause.start < found[0].quote[1] and found[0].quote[0] < clause.end]
        fresh = [found for found in touching if found[0] not in told]
        told += [finding for finding, _ in fresh]
        if fresh:
            yield from (_told(reading, clause, finding, block) for finding, block in fresh)
        elif not touching:
            yield _untold(reading, clause, barrier)


def _barrier(reading: Reading, sentence: Sentence) -> str | None:
    if sentence.end - sentence.start > LONGEST_SENTENCE:
        return f"a sentence of more than {LONGEST_SENTENCE} characters is a list or a log"
    if "?" in reading.text[sentence.start : sentence.end]:
        return "a question states nothing"
    words = vetoing_words(reading, sentence.start, sentence.end)
    return None if words is None else f"{words!r} makes its sentence unreal, somebody else's word or taken back"


def _told(reading: Reading, clause: Clause, finding: Finding, block: Block | None) -> ExplainedClause:
    return ExplainedClause(
        start=reading.written.at(clause.start),
        end=reading.written.at(clause.end),
        text=reading.written.between(clause.start, clause.end),
        outcome="claims" if block is None else "blocked",
        pattern=finding.pattern.name,
        example=finding.pattern.example,
        quote=reading.written.between(finding.quote[0], finding.quote[1]),
        claims=finding.claims(reading.written) if block is None else (),
        why=None if block is None else _BLOCKS[block],
    )


def _untold(reading: Reading, clause: Clause, barrier: str | None) -> ExplainedClause:
    start = clause.statement
    if is_lead_only(reading.low, clause) or is_saying(reading.low[clause.start : clause.end]):
        return _left(reading, clause, "nothing_said", None, "it says nothing that could be kept")
    if barrier is not None:
        return _left(reading, clause, "not_read", None, barrier)
    if not reading.is_asserted(start, clause.end):
        return _left(reading, clause, "not_read", None, "it is quoted, code, struck out or a pasted reply")
    found = read_clause(reading, start, clause.end)
    if found is not None and found.pattern.waits:
        return _left(reading, clause, "waiting", found.pattern, "it waits for a clause that says what is so now")
    if found is not None:
        return _left(reading, clause, "blocked", found.pattern, "its sentence limits it or takes it back")
    nearest = max(tries(reading, start, clause.end), key=lambda tried: (tried.has_object, tried.end), default=None)
    if nearest is None:
        return _left(reading, clause, "not_read", None, "no pattern begins like it")
    return _left(reading, clause, "not_read", nearest.pattern, _why_left(reading, clause, nearest))


def _why_left(reading: Reading, clause: Clause, nearest: Try) -> str:
    rest = reading.text[nearest.end : clause.end].strip()
    if not nearest.has_object:
        return f"the pattern takes no such object: {rest!r}" if rest else "the pattern needs an object"
    return f"the pattern does not read on: {rest!r}" if rest else "the pattern needs more, as 'anymore' or how often"


def _left(reading: Reading, clause: Clause, outcome: Outcome, pattern: Pattern | None, why: str) -> ExplainedClause:
    return ExplainedClause(
        start=reading.written.at(clause.start),
        end=reading.written.at(clause.end),
        text=reading.written.between(clause.start, clause.end),
        outcome=outcome,
        pattern=None if pattern is None else pattern.name,
        example=None if pattern is None else pattern.example,
        why=why,
    )
