"""The embedded default extractor: English patterns, no model, no network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction, ExtractionRequest
from prme.model.message import FIRST_PERSON_ROLES
from prme_extractors.lexical.findings import Finding, without_elliptic_former
from prme_extractors.lexical.links import linked
from prme_extractors.lexical.mending import WORD
from prme_extractors.lexical.reading import Reading, read_message
from prme_extractors.lexical.sentences import goes_on, read_sentence
from prme_extractors.lexical.splitting import cut_sentences
from prme_extractors.lexical.surroundings import Sentence, findings_of, standing
from prme_extractors.lexical.vocabulary import first_words, verbs_of_things, vocabulary

Span = tuple[int, int]

MODEL = "lexical-2"
# A longer sentence is a list, a log or pasted text; reading it would cost time and prove nothing.
LONGEST_SENTENCE = 600
_FIRST_PERSON = frozenset({"i", "my", "im", "ive"})
# "I", but not the one of "I'd" and "I'll".
_SPEAKER = re.compile(r"(?<![\w'])(?:i(?:'?m|'?ve)?|my)(?![\w'])")


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
    """Return the claims of one text and the persons and things that they name."""
    reading = read_message(text)
    findings = () if reading is None else find_all(reading)
    if reading is None or not findings:
        # What is given need not be copied from the defaults.
        return Extraction(entities=[], claims=[])
    claims: list[ExtractedClaim] = []
    names: dict[str, str] = {}
    for finding in findings:
        claims += finding.claims(reading.written)
        if (entity_type := finding.subject.entity_type) is not None:
            names[reading.written.between(finding.subject.start, finding.subject.end)] = entity_type
    entities = [ExtractedEntity(name=name, entity_type=entity_type) for name, entity_type in names.items()]
    return Extraction(entities=entities, claims=claims if len(claims) == 1 else list(dict.fromkeys(claims)))


def find_all(reading: Reading) -> tuple[Finding, ...]:
    """Return what every sentence of a message says, in order."""
    # Most messages hold one of the verbs; only for the others it matters that "I'd" is not "I".
    if _verbs().isdisjoint(reading.words) and not _may_say(reading, reading.words, 0, len(reading.low)):
        return ()
    sentences = read_sentences(reading)
    return standing(reading, sentences) if any(map(findings_of, sentences)) else ()


def read_sentences(reading: Reading) -> tuple[Sentence, ...]:
    """Return the sentences of a message with what each of them says by itself."""
    spans = [(0, len(reading.text))] if reading.is_bare else cut_sentences(reading.text)
    groups = list(_groups(reading, spans)) if len(spans) > 1 else [tuple(spans)] if spans else []
    # A message of one sentence was looked at as a whole.
    may_be_silent = len(groups) > 1
    sentences = tuple([_read(reading, group, may_be_silent=may_be_silent) for group in groups])
    return tuple(map(_settled, linked(sentences))) if any(map(findings_of, sentences)) else sentences


def _settled(sentence: Sentence) -> Sentence:
    findings = tuple(map(without_elliptic_former, sentence.findings))
    return sentence if findings == sentence.findings else sentence._replace(findings=findings)


def _read(reading: Reading, spans: tuple[Span, ...], *, may_be_silent: bool) -> Sentence:
    start, end = spans[0][0], spans[-1][1]
    if end - start > LONGEST_SENTENCE or reading.text.find("?", start, end) >= 0:
        return Sentence(start, end, ())
    words = reading.words_in(start, end)
    if may_be_silent and not _may_say(reading, words, start, end):
        return Sentence(start, end, ())
    return Sentence(start, end, read_sentence(reading, spans, words))


def _groups(reading: Reading, spans: Iterable[Span]) -> Iterator[tuple[Span, ...]]:
    """Yield each sentence by itself, or with the next one where that one goes on with it."""
    waiting: Span | None = None
    for span in spans:
        if waiting is not None and goes_on(reading, *waiting, span[0]):
            yield (waiting, span)
            waiting = None
            continue
        if waiting is not None:
            yield (waiting,)
        waiting = span
    if waiting is not None:
        yield (waiting,)


def _may_say(reading: Reading, words: Iterable[str], start: int, end: int) -> bool:
    """Whether a text with these words holds one that every claim needs: a first person, a finite verb, or a colon."""
    if not _verbs().isdisjoint(words) or reading.low.find(":", start, end) >= 0:
        return True
    return not _FIRST_PERSON.isdisjoint(words) and _SPEAKER.search(reading.low, start, end) is not None


@cache
def _verbs() -> frozenset[str]:
    words = vocabulary()
    verbs = {verb.s.split()[0] for verb in (*words.verbs, *words.habits) if verb.third}
    told = first_words("things.did", "things.did_too", "things.happened", "things.made", "deeds.verbs")
    handled = first_words("things.handled", "clause.parted")
    finite = verbs_of_things() | verbs | told | handled | words["holders.finite"] | words["names.followed_by"]
    # Of "doesn't", the word that stands before the apostrophe.
    return frozenset(found.group() for form in finite if (found := WORD.match(form)))
