"""The embedded default extractor: English patterns, no model, no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from prme.grounding.sentences import split_sentences
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction, ExtractionRequest
from prme.model.message import FIRST_PERSON_ROLES
from prme_extractors.lexical.claims import Finding
from prme_extractors.lexical.reading import read_message
from prme_extractors.lexical.sentences import read_sentence
from prme_extractors.lexical.surroundings import Sentence, standing
from prme_extractors.lexical.table import alternatives
from prme_extractors.lexical.vocabulary import vocabulary

MODEL = "lexical-1"
# A longer sentence is a list, a log or pasted text; reading it would cost time and prove nothing.
_LONGEST_SENTENCE = 600
_SEVERAL = re.compile(r"[.!?\u2026\u3002](?=[^.!?\u2026\u3002]*\w)")


class LexicalExtractor:
    """Reads a message with the table of patterns; deterministic, and silent wherever a sentence is not plain.

    Only messages of a person are read: nothing that an assistant, a tool or a system prompt says becomes a claim.
    """

    name = "lexical"
    local = True
    prompt_digest: str | None = None

    def __init__(self, model: str | None = None) -> None:
        """Take the model's name; there is one. Raises `ValueError` for any other."""
        if model not in {None, MODEL}:
            raise ValueError(f"unknown model {model!r} of extractor 'lexical': use {MODEL!r}")
        self.model = MODEL

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the claims that the message makes by itself; the context is not read."""
        if request.message.role not in FIRST_PERSON_ROLES:
            return Extraction()
        return extract_text(request.message.content)


def extract_text(text: str) -> Extraction:
    """Return the claims of one text and the persons that they name."""
    claims: list[ExtractedClaim] = []
    names: dict[str, None] = {}
    for finding in find_all(text):
        claims += finding.claims(text)
        if finding.subject.form == "NAME":
            names[text[finding.subject.start : finding.subject.end]] = None
    entities = [ExtractedEntity(name=name, entity_type="person") for name in names]
    return Extraction(entities=entities, claims=list(dict.fromkeys(claims)))


def find_all(text: str) -> tuple[Finding, ...]:
    """Return what every sentence of the text says, in order."""
    if not _trigger().search(text):
        return ()
    reading = read_message(text)
    if reading is None:
        return ()
    sentences = tuple(
        Sentence(start, end, tuple(read_sentence(reading, start, end)) if _is_worth_reading(text, start, end) else ())
        for start, end in _sentences(text)
    )
    return standing(reading, sentences)


def _is_worth_reading(text: str, start: int, end: int) -> bool:
    return end - start <= _LONGEST_SENTENCE and _trigger().search(text, start, end) is not None


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences; a line that holds one only is not handed to the splitter, which costs more than the rest."""
    start = 0
    for line in text.splitlines(keepends=True):
        if _SEVERAL.search(line):
            yield from ((start + first, start + last) for first, last in split_sentences(line))
        elif (stripped := line.strip()) != "":
            first = start + line.index(stripped)
            yield first, first + len(stripped)
        start += len(line)


@cache
def _trigger() -> re.Pattern[str]:
    """Return an expression that every sentence with a claim matches: a first person, or a name with a verb."""
    words = vocabulary()
    forms = alternatives({verb.s.split()[0] for verb in words.verbs if verb.third})
    changes = alternatives(words["names.followed_by"])
    named = rf"(?-i:[^\W\d_a-z])[\w-]+(?:'s)?\s+(?:\w+\s+){{0,2}}(?:{forms}|{changes})\b"
    return re.compile(rf"(?<!\w)(?:(?:i|my|im|ive)(?!\w)|{named})", re.IGNORECASE)
