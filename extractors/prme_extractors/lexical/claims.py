"""From one clause to its claims: the first pattern whose head, object and tail all fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from prme.model.extraction import ExtractedClaim, TemporalIntent
from prme_extractors.lexical import doubts
from prme_extractors.lexical.objects import Objects, read_objects
from prme_extractors.lexical.phrases import Phrase, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Head, Pattern, SubjectForm, heads_of, pattern_table
from prme_extractors.lexical.tails import Tail, read_tail
from prme_extractors.lexical.vocabulary import Verb, places, vocabulary

Span = tuple[int, int]

_FIRST = re.compile(r"i(?=['\s])|im(?=\s)|ive(?=\s)")
_MY = re.compile(r"my(?=\s)")
_NAME_WORD = re.compile(r"[^\W\d_][\w-]*")
# "Everyone" and how it is mistyped.
_INDEFINITE = re.compile(r"(?:ever|some|any|no).*(?:one|body|thing|thin)\Z")
_NOW = re.compile(r"\b(?:now|these days|nowadays|currently)\b")
_INSTEAD = re.compile(r"(?:instead\s+of|rather\s+than)\s+")
_DATED = re.compile(r"\b(?:ago|back|yesterday|last|in|on|this)\b")
# What makes "I'm eating oats" more than a moment.
_LASTING = frozenset({"since", "duration", "frequency"})
_NATIVE_FIRSTS = frozenset({"first language"})
# What a person is, and where: words after such an object may still change it.
_SITUATIONS = frozenset({"place", "employer", "occupation", "town", "town_or_month", "firm", "trait"})
# Adjuncts that may tell of fiction, of a time or of another person, by the word that opens them.
_UNREAL_AFTER = frozenset({"in", "as", "at", "on", "under", "during"})
_DATING = frozenset({"before", "after", "until", "by", "during", "into", "about", "against", "per"})
# Objects of these kinds stand in a place or a job, of those in a taste: other things may follow them.
_TAILS_BY_OBJECT = {
    "liking": frozenset({"now", "emphasis", "aside", "degree", "over", "instead", "reason", "condition"}),
    "place": frozenset(
        {"now", "moment", "emphasis", "aside", "circumstance", "since", "duration", "reason", "condition"}
    ),
    "employer": frozenset(
        {"now", "moment", "emphasis", "aside", "circumstance", "since", "duration", "reason", "condition"}
    ),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about: where the word stands, and what kind of subject it is."""

    start: int
    end: int
    form: SubjectForm


@dataclass(frozen=True, slots=True)
class Finding:
    """What one clause says: the pattern that fits, its subject, objects and tail."""

    pattern: Pattern
    subject: Subject
    verb: Verb | None
    objects: Objects
    tail: Tail
    predicates: tuple[str, ...]
    quote: Span
    says_now: bool
    condition: Span | None
    former: Phrase | None
    intent: TemporalIntent
    reported: bool = False

    @property
    def is_correction(self) -> bool:
        """Whether the claims may end what was said before: an unlimited update in the speaker's own words."""
        return self.intent == "update" and self.condition is None and not self.reported

    @property
    def retires(self) -> bool:
        """Whether the claims name what they end."""
        return self.is_correction and (self.pattern.polarity == "negative" or self.former is not None)

    @property
    def is_change(self) -> bool:
        """Whether the claims retire something or tell of a moment of change: what they say needs a clean message."""
        return self.retires or (self.is_correction and self.is_event)

    @property
    def is_situation(self) -> bool:
        """Whether the object is a place, a firm or a job, which words after it may still change."""
        kind = self.verb.object if self.verb else self.pattern.takes
        return kind in _SITUATIONS

    @property
    def is_event(self) -> bool:
        """Whether the pattern tells of a moment of change rather than of the state after it."""
        return "ago" in self.pattern.tails

    def claims(self, text: str) -> tuple[ExtractedClaim, ...]:
        """Return the claims, every text in them a verbatim piece of the message."""
        return tuple(
            self._claim(text, phrase, predicate) for phrase in self.objects.phrases for predicate in self.predicates
        )

    def _claim(self, text: str, phrase: Phrase, predicate: str) -> ExtractedClaim:
        ago = self.tail.first("ago") or self.tail.first("distant")
        dated = ago is not None and _DATED.search(text[ago[0] : ago[1]].lower()) is not None
        epistemic = "unverified" if self.reported else "conditional" if self.condition else "asserted"
        return ExtractedClaim(
            subject=text[self.subject.start : self.subject.end],
            predicate=predicate,
            object=text[phrase.start : phrase.end],
            kind=self.verb.kind if self.verb else self.pattern.kind,
            polarity=self.pattern.polarity,
            epistemic_type=epistemic,
            condition=None if self.condition is None else text[self.condition[0] : self.condition[1]],
            temporal_intent=self.intent,
            replaces_object=None if self.former is None else text[self.former.start : self.former.end],
            temporal_ref=text[ago[0] : ago[1]] if ago and dated else None,
            evidence_quote=text[self.quote[0] : self.quote[1]],
            subject_entity_type="person" if self.subject.form == "NAME" else None,
        )


def read_clause(
    reading: Reading, start: int, end: int, *, elided: Subject | None = None, waiting: Finding | None = None
) -> Finding | None:
    """Return what the clause says, or None when it says nothing that a pattern knows.

    `elided` is the subject of the clause before, for "... and live in Oslo"; `waiting` a finding that this clause may
    complete.
    """
    if start >= end or not reading.is_asserted(start, end):
        return None
    subject = _subject(reading, start, end)
    if subject is None:
        return _read_elided(reading, start, end, elided, waiting)
    position = subject.end if subject.form == "NAME" else subject.start
    attempt = _Attempt(reading, position, end, subject, waiting)
    return attempt.first_of((pattern, head.expression, head) for pattern, head in heads_of(subject.form))


def _read_elided(
    reading: Reading, start: int, end: int, subject: Subject | None, waiting: Finding | None
) -> Finding | None:
    if start == 0:
        return None
    if waiting is not None:
        attempt = _Attempt(reading, start - 1, end, waiting.subject, waiting)
        found = attempt.first_of((pattern, head.expression, head) for pattern, head in heads_of("BARE"))
        if found is not None:
            return found
    if subject is None:
        return None
    attempt = _Attempt(reading, start - 1, end, subject, waiting)
    found = attempt.first_of((pattern, head.elided, head) for pattern, head in heads_of(subject.form))
    return None if found is None else replace(found, quote=(min(subject.start, found.quote[0]), end))


def _subject(reading: Reading, start: int, end: int) -> Subject | None:
    if (found := _FIRST.match(reading.low, start, end)) is not None:
        return Subject(start, start + 1, "I")
    if (found := _MY.match(reading.low, start, end)) is not None:
        return Subject(start, found.end(), "MY")
    return _name(reading, start, end)


def _name(reading: Reading, start: int, end: int) -> Subject | None:
    if not reading.text[start].isupper():
        return None
    first = _NAME_WORD.match(reading.text, start, end)
    if first is None or not _may_be_name(reading, first.group()):
        return None
    stop = first.end()
    if reading.text[stop : stop + 1] == " " and reading.text[stop + 1 : stop + 2].isupper():
        second = _NAME_WORD.match(reading.text, stop + 1, end)
        if second is None or not _may_be_name(reading, second.group()):
            return None
        stop = second.end()
    return Subject(start, stop, "NAME")


def _may_be_name(reading: Reading, written: str) -> bool:
    word = written.lower()
    words = vocabulary()
    if word in words["names.never"] or word in words["phrase.stops"] or _INDEFINITE.match(word):
        return False
    if word in places().regions or len(written) == 1:
        return False
    # "Coffee helps. I like coffee": a word that the message also writes small is no name.
    return word not in reading.words


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One clause as the patterns try it: from where, to where, about whom."""

    reading: Reading
    position: int
    end: int
    subject: Subject
    waiting: Finding | None

    def first_of(self, heads: Iterable[tuple[Pattern, re.Pattern[str] | None, Head]]) -> Finding | None:
        """Return the finding of the first pattern that fits, in the order of the table."""
        for pattern, expression, head in heads:
            if expression is None or not self._may_complete(pattern):
                continue
            match = expression.match(self.reading.low, self.position, self.end)
            found = None if match is None else self._complete(pattern, head, match)
            if found is not None:
                return found
        return None

    def _may_complete(self, pattern: Pattern) -> bool:
        return pattern.after is None or (self.waiting is not None and self.waiting.pattern.name == pattern.after)

    def _complete(self, pattern: Pattern, head: Head, match: re.Match[str]) -> Finding | None:
        groups = match.groupdict()
        verb = pattern_table().verbs[" ".join(groups["verb"].split())] if groups.get("verb") else None
        objects = read_objects(self.reading, pattern, verb, match.end(), self.end)
        if objects is None:
            return None
        predicates = _predicates(self.reading, pattern, verb, objects, groups.get("attribute"))
        tail = read_tail(self.reading.low, objects.end, self.end, _allowed_tails(pattern, verb))
        if tail is not None and not self._is_real(pattern, verb, tail):
            return None
        if predicates is None or tail is None or (head.needs_ended and "ended" not in tail.kinds):
            return None
        if head.progressive and verb is not None and not _is_lasting(verb, objects, tail):
            return None
        return self._finding(pattern, verb, objects, tail, predicates)

    def _is_real(self, pattern: Pattern, verb: Verb | None, tail: Tail) -> bool:
        """Whether no adjunct puts the statement into a game, a family, a childhood or a part of the week."""
        taken = verb.object if verb else pattern.takes
        for kind, (start, end) in tail.pieces:
            opener, *rest = self.reading.low[start:end].split()
            if kind != "circumstance" or not rest:
                continue
            if opener in _UNREAL_AFTER and doubts.words("unreal.words") & set(rest):
                return False
            # "I live in Paris in The Sims": a place lies in no second one but a country, which goes with its name.
            if taken == "place" and opener == "in":
                return False
            if taken in _SITUATIONS and (opener in _DATING or doubts.words("unreal.times") & set(rest)):
                return False
        return True

    def _finding(
        self, pattern: Pattern, verb: Verb | None, objects: Objects, tail: Tail, predicates: tuple[str, ...]
    ) -> Finding:
        start = min(self.subject.start, self.position) if self.subject.end >= self.position else self.position
        says_now = _NOW.search(self.reading.low, start, self.end) is not None
        former, intent = objects.former, pattern.intent
        if pattern.polarity == "positive" and says_now:
            former, intent = former or _instead(self.reading, tail), "update"
        if pattern.after is not None and self.waiting is not None:
            start = self.waiting.quote[0]
            if objects.phrases:
                former = self.waiting.objects.phrases[0]
            else:
                objects, predicates, verb = self.waiting.objects, self.waiting.predicates, self.waiting.verb
        return Finding(
            pattern=pattern,
            subject=self.subject,
            verb=verb,
            objects=objects,
            tail=tail,
            predicates=predicates,
            quote=(start, self.end),
            says_now=says_now,
            condition=tail.first("condition"),
            former=former,
            intent=intent,
        )


def _is_lasting(verb: Verb, objects: Objects, tail: Tail) -> bool:
    if _LASTING & tail.kinds:
        return True
    return verb.progressive and all(phrase.opener != "my" for phrase in objects.phrases)


def _allowed_tails(pattern: Pattern, verb: Verb | None) -> frozenset[str]:
    if verb is None or pattern.polarity == "negative" or "ago" in pattern.tails:
        return pattern.tails
    allowed = _TAILS_BY_OBJECT.get(verb.object, pattern.tails)
    return allowed | {"preferred_to"} if verb.predicate == "prefers" else allowed


def _instead(reading: Reading, tail: Tail) -> Phrase | None:
    piece = tail.first("instead")
    if piece is None:
        return None
    opening = _INSTEAD.match(reading.low, *piece)
    other = None if opening is None else read_phrase(reading, opening.end(), piece[1])
    return other if other is not None and other.end == piece[1] else None


def _predicates(
    reading: Reading, pattern: Pattern, verb: Verb | None, objects: Objects, attribute: str | None
) -> tuple[str, ...] | None:
    if objects.predicates is not None:
        return objects.predicates
    if attribute is not None:
        predicate = _attribute(reading, attribute.split(), objects)
        return None if predicate is None else (predicate,)
    if pattern.predicates:
        return pattern.predicates
    return () if verb is None else (verb.predicate,)


def _attribute(reading: Reading, attribute: list[str], objects: Objects) -> str | None:
    """Return the predicate of "my <attribute>", or None when its value does not tell what it is."""
    words = vocabulary()
    is_favourite = attribute[0] in words["attributes.favourite"]
    if is_favourite and (len(attribute) == 1 or words["attributes.favourite_not"] & set(attribute)):
        return None
    kept = [word for word in attribute if word not in words["attributes.dropped_modifiers"]]
    if (
        not kept
        or kept == ["name"]
        or (" ".join(kept) not in _NATIVE_FIRSTS and words["attributes.refused_modifiers"] & set(kept))
    ):
        return None
    if words["phrase.stops"] & set(kept):
        return None
    is_open = is_favourite or bool({kept[-1], " ".join(kept[-2:])} & words["attributes.open"])
    if not is_open and not all(_is_given_name(reading, phrase) for phrase in objects.phrases):
        return None
    return "_".join(kept)


def _is_given_name(reading: Reading, phrase: Phrase) -> bool:
    return is_proper(reading, phrase) and phrase.words[0] not in vocabulary()["sets.nationalities"]
