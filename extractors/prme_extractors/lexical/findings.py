"""Findings: what one clause says, and the claims that it makes."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from prme.model.extraction import ExtractedClaim, TemporalIntent
from prme_extractors.lexical.changes import denied_by_change, denied_by_switch
from prme_extractors.lexical.holders import Holder
from prme_extractors.lexical.mending import Written
from prme_extractors.lexical.objects import Objects
from prme_extractors.lexical.phrases import Phrase, is_number
from prme_extractors.lexical.table import Pattern, SubjectForm
from prme_extractors.lexical.tails import Tail
from prme_extractors.lexical.values import is_colour, told_by
from prme_extractors.lexical.vocabulary import Verb, word_list

Span = tuple[int, int]

# An attribute is one however it is spelt.
_SPELLINGS = {
    "colour": "color",
    "colours": "colors",
    "favourite": "favorite",
    "favourites": "favorites",
    "flavour": "flavor",
}
# Kinds of tails that say when something happened.
_DATING = frozenset({"ago", "on_day", "long_ago", "occasion", "distant"})
_DATED = re.compile(r"\b(?:ago|back|yesterday|last|in|on|this)\b")
# What a person is, and where: words after such an object may still change it.
SITUATIONS = frozenset({"place", "street", "employer", "occupation", "town", "town_or_month", "firm", "trait"})
_ENTITY_TYPES = {"NAME": "person", "THING": "thing"}
_LISTED = frozenset({"value", "detail", "label", "setting"})
# What "is" adds nothing to: "my flight is on Tuesday" is about "flight".
_COPULAS = frozenset({"is", "on", "at"})
# A plan is told as one.
_PREFIXES = {"plan": "plans_to_"}


class Subject(NamedTuple):
    """Who a clause is about: where the word stands, and what kind of subject it is."""

    start: int
    end: int
    form: SubjectForm
    holder: Holder | None = None

    @classmethod
    def of(cls, holder: Holder) -> Subject:
        """Return the subject of a clause about a thing, or about something of the speaker's."""
        return cls(*holder.span, "MY" if holder.is_mine else "THING", holder)

    @property
    def entity_type(self) -> str | None:
        """The type of the entity that the word names; the speaker is none."""
        return _ENTITY_TYPES.get(self.form)


class Finding(NamedTuple):
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
    repairs: bool = False

    def replacing(self, former: Phrase, quote: Span) -> Finding:
        """Return the finding as one that puts its value in the place of a former one."""
        predicates = self.predicates
        if self.pattern.takes == "value":
            objects = self.objects._replace(former=former)
            predicates = predicates_of(self.pattern, self.verb, objects, self.subject.holder)
        return self._replace(former=former, intent="update", quote=quote, predicates=predicates)

    def without_former(self) -> Finding | None:
        """Return the finding as a plain statement of its value, or None when it says nothing without the former one."""
        is_contrast = self.former is not None and self.pattern.intent == "assertion" and self.pattern.single
        return self._replace(former=None, intent="update" if self.says_now else "assertion") if is_contrast else None

    @property
    def takes_contrast(self) -> bool:
        """Whether ", not X" names a former value: there is one value at a time, or something changed or was wrong."""
        return self.pattern.single or self.says_now or self.repairs

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
        return object_kind(self.pattern, self.verb) in SITUATIONS or self.subject.holder is not None

    @property
    def may_be_a_list(self) -> bool:
        """Whether a fragment after the object is one more of its kind: "My favourite colours are blue, green"."""
        return self.subject.holder is not None and self.pattern.takes in _LISTED

    @property
    def is_event(self) -> bool:
        """Whether the pattern tells of a moment of change rather than of the state after it."""
        return "ago" in self.pattern.tails

    def claims(self, text: Written) -> tuple[ExtractedClaim, ...]:
        """Return the claims, every text in them a verbatim piece of the message."""
        told = tuple(
            [self._claim(text, phrase, predicate) for phrase in self.objects.phrases for predicate in self.predicates]
        )
        if self.former is None or not (denied := self._denied(self.former)):
            return told
        over = self._replace(former=None)
        return (*told, *[over._claim(text, self.former, predicate, "negative") for predicate in denied])

    def _denied(self, former: Phrase) -> tuple[str, ...]:
        """Return what else is over with the former value, of what the speaker uses or owns."""
        if self.subject.holder is not None or not self.is_correction or self.pattern.polarity == "negative":
            return ()
        # "I switched from a hat to a cap today": the hat is worn again.
        if self.tail.first("occasion") is not None:
            return ()
        if self.predicates == ("uses",):
            return denied_by_change(former) if self.verb is None else ()
        if self.predicates == ("switched_to",):
            return denied_by_switch(former, self.objects.phrases[0])
        is_given_up = self.predicates == ("owns", "has") or (self.predicates == ("takes",) and self.verb is None)
        return denied_by_change(former) if is_given_up and former.key not in word_list("sets.medicines") else ()

    def _claim(
        self, text: Written, phrase: Phrase, predicate: str, polarity: Literal["negative"] | None = None
    ) -> ExtractedClaim:
        ago = None
        if self.tail.pieces:
            ago = next((span for kind, span in self.tail.pieces if kind in _DATING), None)
        dated = ago is not None and _DATED.search(text.between(ago[0], ago[1]).lower()) is not None
        epistemic = "unverified" if self.reported else "conditional" if self.condition else "asserted"
        return ExtractedClaim(
            subject=text.between(self.subject.start, self.subject.end),
            predicate=predicate,
            object=text.between(phrase.start, phrase.end),
            kind=self.verb.kind if self.verb else self.pattern.kind,
            polarity=polarity or self.pattern.polarity,
            epistemic_type=epistemic,
            condition=None if self.condition is None else text.between(self.condition[0], self.condition[1]),
            temporal_intent=self.intent,
            replaces_object=None if self.former is None else text.between(self.former.start, self.former.end),
            temporal_ref=text.between(ago[0], ago[1]) if ago and dated else None,
            evidence_quote=text.between(self.quote[0], self.quote[1]),
            subject_entity_type=self.subject.entity_type,
        )


def object_kind(pattern: Pattern, verb: Verb | None) -> str:
    """Return what kind of object a clause has: the verb tells, or the pattern where it has none."""
    return verb.object if verb else pattern.takes


def without_elliptic_former(finding: Finding) -> Finding:
    """Return the finding without a former value that only stands for one: "three dogs, not two", "a red car, not blue".

    The rules would take "two" or "blue" for a shorthand of any object with that word in it: two kids, a blue bike.
    """
    former = finding.former
    if former is None or former.capital or len(former.words) > 1 or former.opener:
        return finding
    if not any(len(phrase.words) > 1 for phrase in finding.objects.phrases):
        return finding
    # A fence has one colour: "white" can stand for no other one of it.
    is_hue = finding.subject.holder is not None and finding.pattern.takes == "value"
    if is_hue and all(map(is_colour, (former, *finding.objects.phrases))):
        return finding
    says_instead = finding.tail.kinds & {"instead", "over"} or "ago" in finding.pattern.tails
    if says_instead and not (is_number(former) or is_colour(former) or former.key in word_list("things.qualities")):
        return finding
    return finding._replace(former=None)


def predicates_of(
    pattern: Pattern, verb: Verb | None, objects: Objects, holder: Holder | None, written: str | None = None
) -> tuple[str, ...]:
    """Return the predicates of what a pattern has read; `written` is the phrase of its head that may be one."""
    if written is not None and objects.predicates is None:
        return _told(holder, (_PREFIXES.get(pattern.takes, "") + "_".join(written.split()),))
    if objects.predicates is not None:
        return _told(holder, objects.predicates)
    if pattern.predicates:
        told = pattern.predicates
        if pattern.takes == "value" and objects.phrases:
            told = tuple([told_by(objects.phrases[0], objects.former, predicate) for predicate in told])
        return _told(holder, told)
    if verb is None:
        return ()
    return _told(holder, (verb.predicate,))


def _told(holder: Holder | None, predicates: tuple[str, ...]) -> tuple[str, ...]:
    """Put what is told of a thing before the predicates: "my train pass is blue" says "train_pass_color"."""
    if holder is None or not holder.attribute:
        return predicates
    words = [_SPELLINGS.get(word, word) for word in holder.attribute]
    attribute, last = "_".join(words), words[-1]
    return tuple(
        [
            attribute if predicate in _COPULAS or predicate == last else f"{attribute}_{predicate}"
            for predicate in predicates
        ]
    )
