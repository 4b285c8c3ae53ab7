"""The word lists of the gate as patterns, each with the words without which none of its phrases can stand in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from prme.grounding.spellings import with_typed_spellings
from prme.policy.speech_act_words import SpeechActWords

_WORD = re.compile(r"\w+")
_GAP = r"[ *~]+"


@dataclass(frozen=True, slots=True, eq=False)
class PhraseList:
    """A list of phrases compiled, and the words of each: where one stands, all its words do."""

    pattern: re.Pattern[str]
    words: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, phrases: tuple[str, ...], *, then: str = "") -> PhraseList:
        """Compile phrases, each followed by an expression."""
        words = tuple(frozenset(_WORD.findall(phrase)) for phrase in phrases)
        return cls(re.compile(phrase_pattern(phrases) + then), words)


@dataclass(frozen=True, slots=True, eq=False)
class CuePatterns:
    """The word lists compiled to patterns."""

    question_mark: re.Pattern[str]
    sentence_question: re.Pattern[str]
    conditional: PhraseList
    time_clause: PhraseList
    future_time_clause: PhraseList
    time_clause_exception: PhraseList
    coming_time: PhraseList
    leading_conditional: re.Pattern[str]
    indirect_question: PhraseList
    comment_clause: PhraseList
    modal_verb: PhraseList
    lower_case_modal_verb: PhraseList
    modal_adverb: PhraseList
    disclaimer: PhraseList
    preference: PhraseList
    seeming: PhraseList
    likeness: PhraseList
    doubt_exception: PhraseList
    intention: PhraseList
    lower_case_intention: PhraseList
    gerund_intention: PhraseList
    announcement: PhraseList
    wish: PhraseList
    hearsay: PhraseList
    hearsay_exception: PhraseList
    contrast: PhraseList
    near_miss: PhraseList
    new_clause: re.Pattern[str]

    @property
    def lists(self) -> tuple[PhraseList, ...]:
        """All lists of phrases."""
        values = (getattr(self, field.name) for field in fields(self))
        return tuple(value for value in values if isinstance(value, PhraseList))

    def standing_among(self, words: frozenset[str]) -> set[PhraseList]:
        """Return the lists that may stand in a text with these runs of word characters."""
        lists = _lists_by_word(self)
        return {phrases for word in words if word in lists for needed, phrases in lists[word] if needed <= words}


@lru_cache(maxsize=8)
def _lists_by_word(patterns: CuePatterns) -> Mapping[str, Sequence[tuple[frozenset[str], PhraseList]]]:
    """Return, for the longest word of each phrase, all the words of the phrase and its list."""
    lists: dict[str, list[tuple[frozenset[str], PhraseList]]] = {}
    for phrases in patterns.lists:
        for needed in phrases.words:
            lists.setdefault(max(needed, key=lambda word: (len(word), word)), []).append((needed, phrases))
    return lists


def phrase_pattern(phrases: tuple[str, ...]) -> str:
    """Return a pattern that finds any of the phrases as whole words, the longest first.

    Marks of emphasis may stand between the words: "going *to*".
    """
    # A list of two hundred phrases is read at every character of a message. So they branch at their first character,
    # and the edge is tested after it, or once for all that begin like words.
    longest_first = sorted(phrases, key=len, reverse=True)
    joined = {phrase[0]: [p for p in longest_first if p[0] == phrase[0]] for phrase in longest_first}
    alternatives = [
        rf"{re.escape(first)}(?<=\w{re.escape(first)})(?:{_rests(group)})"
        for first, group in joined.items()
        if not first.isalnum()
    ]
    words = [f"{first}(?:{_rests(group)})" for first, group in joined.items() if first.isalnum()]
    if words:
        alternatives.append(rf"(?<!\w)(?:{'|'.join(words)})")
    return f"(?:{'|'.join(alternatives)})"


def _rests(phrases: list[str]) -> str:
    """Return what follows the first character of each phrase; one that ends like a word ends where a word does."""
    return "|".join(_gapped(phrase[1:]) + (r"(?!\w)" if phrase[-1].isalnum() else "") for phrase in phrases)


def _gapped(phrase: str) -> str:
    return _GAP.join(map(re.escape, phrase.split(" ")))


@lru_cache(maxsize=8)
def compile_patterns(words: SpeechActWords) -> CuePatterns:
    """Return the patterns of the word lists of a policy."""

    def compiled(phrases: tuple[str, ...], *, then: str = "") -> PhraseList:
        return PhraseList.of(with_typed_spellings(phrases, words), then=then)

    openers = phrase_pattern(words.discourse_openers)
    conditionals = with_typed_spellings(words.conditionals, words)
    return CuePatterns(
        question_mark=re.compile("[" + re.escape("".join(words.question_marks)) + r"]+(?=[\W_]|$)"),
        sentence_question=re.compile(
            "["
            + re.escape("".join(words.inner_question_marks))
            + "]|(?:"
            + "|".join(words.question_endings)
            + r")(?=[\W_]|$)"
        ),
        conditional=compiled(words.conditionals),
        time_clause=compiled(words.time_clauses),
        future_time_clause=compiled(words.future_time_clauses),
        time_clause_exception=compiled(words.time_clause_exceptions),
        coming_time=compiled(words.coming_times),
        leading_conditional=re.compile(rf"[\W_]*(?:{openers}\W+)*({phrase_pattern(conditionals)})"),
        indirect_question=compiled(words.indirect_questions),
        comment_clause=compiled(words.comment_clauses),
        modal_verb=compiled(words.modal_verbs),
        lower_case_modal_verb=compiled(words.lower_case_modal_verbs),
        modal_adverb=compiled(words.modal_adverbs),
        disclaimer=compiled(words.disclaimers),
        preference=compiled(words.preferences),
        seeming=compiled(words.seemings),
        likeness=compiled(words.likenesses),
        doubt_exception=compiled(words.doubt_exceptions),
        intention=compiled(words.intentions),
        lower_case_intention=compiled(words.lower_case_intentions),
        gerund_intention=compiled(words.gerund_intentions),
        announcement=compiled(words.announcements),
        wish=compiled(words.wish_verbs, then=r"(?: [\w']+){1,4}? to(?!\w)"),
        hearsay=compiled(words.hearsay),
        hearsay_exception=compiled(words.hearsay_exceptions),
        contrast=compiled(words.contrasts),
        near_miss=compiled(words.near_misses),
        # What ends the text between a cue and the subject of a new clause: "..., so I", "... and Nadia".
        new_clause=re.compile(
            rf"(?:[,;:.!?\u2014\u2015]|(?<!\w)-(?!\w)|{phrase_pattern(words.clause_openers)})\W*(?:(?:{openers}|the)\W+)*$"
        ),
    )
