"""Contractions typed without their apostrophe, as in a chat: "dont", "im", "id love to"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from prme.grounding.folded_text import Extent
from prme.policy.speech_act_words import SpeechActWords

# "'d like" stands for the same behind any of these.
_PRONOUNS = ("i", "you", "he", "she", "we", "they")


class _Lexicon(NamedTuple):
    """The contractions by their spelling without an apostrophe, and what tells a doubtful one from a word."""

    sure: Mapping[str, str]
    doubtful: Mapping[str, str]
    spellings: Set[str]
    before: Set[str]
    never_after: Set[str]
    exceptions: Set[str]


@lru_cache(maxsize=8)
def _lexicon(words: SpeechActWords) -> _Lexicon:
    sure, doubtful = (
        {word.replace("'", ""): word for word in spelt} for spelt in (words.contractions, words.doubtful_contractions)
    )
    believing = (form for verb in words.saying_verbs for form in verb)
    before = (*words.discourse_openers, *words.coordinators, *words.clause_openers, *words.contrasts, *believing)
    never_after = (*words.be_forms, *words.auxiliaries, *words.object_prepositions, *words.coordinators)
    openers = (phrase for phrases in (words.conditionals, words.future_time_clauses) for phrase in phrases)
    return _Lexicon(
        sure=sure,
        doubtful=doubtful,
        spellings=sure.keys() | doubtful.keys(),
        before={*before, *(phrase.split(" ")[-1] for phrase in openers), "that"},
        never_after=frozenset(never_after),
        exceptions=frozenset(words.contraction_exceptions),
    )


def with_bare_spellings(phrases: tuple[str, ...], words: SpeechActWords) -> tuple[str, ...]:
    """Return phrases with those, too, in which a contraction lacks its apostrophe: "dont remember that", "id like".

    A doubtful contraction is one only together with other words: "lets say", not "lets".
    """
    lexicon = _lexicon(words)
    spellings = {full: bare for bare, full in (*lexicon.sure.items(), *lexicon.doubtful.items())}
    bare: list[str] = []
    for phrase in phrases:
        if phrase.startswith("'d "):
            bare += [f"{pronoun}{phrase[1:]}" for pronoun in _PRONOUNS]
        parts = phrase.split(" ")
        if phrase not in words.doubtful_contractions and not spellings.keys().isdisjoint(parts):
            bare.append(" ".join(spellings.get(part, part) for part in parts))
    return (*phrases, *(phrase for phrase in dict.fromkeys(bare) if phrase not in phrases))


def bare_contractions(words: SpeechActWords) -> Set[str]:
    """Return the spellings without which a text holds no contraction that lacks its apostrophe."""
    return _lexicon(words).spellings


def restore_apostrophes(
    forms: tuple[str, ...], text: str, places: Sequence[Extent], words: SpeechActWords
) -> tuple[str, ...]:
    """Return the tokens of a text, which stand at `places` in it, with their apostrophes: "don't" for "dont".

    "id", "ill" and "lets" are words of their own as well. They are contractions where a clause begins and goes on:
    "and id stop", "i think ill stop", but not "my id", "ill health" or "lets me".
    """
    lexicon = _lexicon(words)
    return tuple(
        lexicon.doubtful[form]
        if form in lexicon.doubtful and _opens_clause(index, forms, text, places, lexicon)
        else lexicon.sure.get(form, form)
        for index, form in enumerate(forms)
    )


def _opens_clause(index: int, forms: Sequence[str], text: str, places: Sequence[Extent], lexicon: _Lexicon) -> bool:
    if index + 1 == len(forms) or text[places[index][1] : places[index + 1][0]] != " ":
        return False
    following = forms[index + 1]
    if (
        not following.isalpha()
        or following in lexicon.never_after
        or f"{forms[index]} {following}" in lexicon.exceptions
    ):
        return False
    is_first = index == 0 or text[places[index - 1][1] : places[index][0]] != " "
    return is_first or forms[index - 1] in lexicon.before


def restored_wills(
    forms: Sequence[str], written: Sequence[str], extents: Sequence[Extent], words: SpeechActWords
) -> Iterator[Extent]:
    """Yield the contractions that announce a deed and lack their apostrophe: "ill", "theyll", "lets"."""
    for form, token, extent in zip(forms, written, extents, strict=True):
        if form != token and (form.endswith("'ll") or form in words.intentions):
            yield extent
