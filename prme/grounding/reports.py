"""Reports: verbs of saying, thinking and hearing in a unit, whose words they bring, and what they cover."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from prme.grounding.cues import Cues
from prme.grounding.mentions import FIRST_PERSON
from prme.grounding.phrases import phrase_pattern
from prme.policy.speech_act_words import SpeechActWords

Kind = Literal["saying", "object", "hearing"]

# A hyphen, slash, apostrophe or dot without blanks joins words; every other mark between two words separates them.
_JOINED = frozenset({"-", "/", "'", "."})
_BREAK = re.compile(r"[,;:.!?()'\"\u2014\u2015\u2026]| - ")
_SUBJECT_OF_OWN_WORDS = FIRST_PERSON - {"my", "mine"}


@dataclass(frozen=True, slots=True)
class ReportVerb:
    """A verb of saying, thinking or hearing.

    `index` is its token; `forms` all forms of the verb; `is_own` says that the speaker is the one who says or hears;
    `is_pronoun` that its subject is a pronoun; `is_inverted` that a break stands right before it (", says Bo").
    """

    index: int
    kind: Kind
    forms: frozenset[str]
    is_own: bool
    is_passive: bool
    is_negated: bool
    is_pronoun: bool
    is_inverted: bool


@dataclass(frozen=True, slots=True)
class _Subject:
    is_own: bool
    is_pronoun: bool = False
    is_inverted: bool = False


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The verb lists in the shape in which they are looked up."""

    kinds: dict[str, tuple[Kind, frozenset[str]]]
    bases: frozenset[str]
    set_phrase: re.Pattern[str]


@lru_cache(maxsize=8)
def _lexicon(words: SpeechActWords) -> _Lexicon:
    kinds: dict[str, tuple[Kind, frozenset[str]]] = {}
    groups: tuple[tuple[Kind, tuple[tuple[str, ...], ...]], ...] = (
        ("saying", words.saying_verbs),
        ("object", words.object_verbs),
        ("hearing", words.hearing_verbs),
    )
    bases: set[str] = set()
    for kind, verbs in groups:
        for forms in verbs:
            bases.add(forms[0])
            kinds.update({form: (kind, frozenset(forms)) for form in forms})
    return _Lexicon(kinds, frozenset(bases), re.compile(phrase_pattern(words.set_phrases)))


def find_report_verbs(cues: Cues, words: SpeechActWords) -> tuple[ReportVerb, ...]:
    """Return the verbs of saying, thinking and hearing of a unit, nouns and set phrases left out."""
    lexicon = _lexicon(words)
    if lexicon.kinds.keys().isdisjoint(cues.forms):
        return ()
    phrases = [
        (cues.unit[0] + match.start(), cues.unit[0] + match.end()) for match in lexicon.set_phrase.finditer(cues.text)
    ]
    idle = {position for first, last in (*phrases, *cues.comments) for position in range(first, last)}
    verbs: list[ReportVerb] = []
    for index, form in enumerate(cues.forms):
        if form not in lexicon.kinds or cues.tokens[index][0] in idle or _is_noun(cues, index, words):
            continue
        kind, forms = lexicon.kinds[form]
        head, is_negated, has_be = _walk_back(cues, index, words)
        subject = _subject(cues, head, index, words)
        verbs.append(
            ReportVerb(
                index=index,
                kind=kind,
                forms=forms,
                is_own=subject.is_own,
                is_passive=has_be and form in words.participles,
                is_negated=is_negated,
                is_pronoun=subject.is_pronoun,
                is_inverted=subject.is_inverted,
            )
        )
    return tuple(verbs)


def _is_noun(cues: Cues, index: int, words: SpeechActWords) -> bool:
    return cues.word(index) in words.noun_forms and cues.word(index - 1) in words.determiners


def has_break(cues: Cues, left: int, right: int) -> bool:
    """Return whether punctuation separates two tokens of a unit."""
    gap = cues.between(cues.tokens[left][1], cues.tokens[right][0])
    return gap not in _JOINED and _BREAK.search(gap) is not None


def has_topic(cues: Cues, verb: int, words: SpeechActWords) -> bool:
    """Return whether a topic and no clause follows a verb: "believed in", but not "believed, for years, that"."""
    return cues.word(verb + 1) in words.object_prepositions and not has_break(cues, verb, verb + 1)


def _walk_back(cues: Cues, index: int, words: SpeechActWords) -> tuple[int, bool, bool]:
    """Return the token before a verb and its companions, and whether these deny it or hold a form of be."""
    head, is_negated, has_be = index - 1, False, False
    while head >= 0 and not has_break(cues, head, head + 1):
        word = cues.word(head)
        if word not in words.verb_companions:
            _, _, suffix = word.partition("'")
            return head, is_negated, has_be or f"'{suffix}" in words.be_forms
        is_negated = is_negated or word in words.negations
        has_be = has_be or word in words.be_forms
        head -= 1
    return head, is_negated, has_be


def _subject(cues: Cues, head: int, index: int, words: SpeechActWords) -> _Subject:
    """Return who says what the verb at `index` brings; `head` is the token before it and its companions."""
    if head < 0:
        return _Subject(is_own=True)
    if has_break(cues, head, head + 1):
        is_imperative = cues.word(index) in _lexicon(words).bases
        return _Subject(is_own=is_imperative or cues.word(index + 1) in _SUBJECT_OF_OWN_WORDS, is_inverted=True)
    base = _base(cues.word(head))
    if base in words.coordinators:
        opening = next((_base(cues.word(i)) for i in range(head) if cues.word(i) not in words.discourse_openers), "")
        return _Subject(is_own=opening in _SUBJECT_OF_OWN_WORDS)
    if base == "to":
        pronoun = _nearest_pronoun(cues, head, words)
        return _Subject(is_own=head == 0 or pronoun in _SUBJECT_OF_OWN_WORDS or pronoun in words.expletives)
    return _Subject(is_own=base in _SUBJECT_OF_OWN_WORDS, is_pronoun=base in words.nominatives)


def _nearest_pronoun(cues: Cues, before: int, words: SpeechActWords) -> str:
    for index in range(before - 1, max(before - 8, -1), -1):
        base = _base(cues.word(index))
        if base in words.nominatives or base in words.clause_objects:
            return base
    return ""


def _base(word: str) -> str:
    return word.partition("'")[0]
