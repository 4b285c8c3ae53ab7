"""Words as people type them in a chat: "dont" and "id love to" without the apostrophe, "wud", "prolly"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from prme.grounding.folded_text import Extent
from prme.policy.speech_act_words import SpeechActWords

# "'d like" stands for the same behind any of these.
_PRONOUNS = ("i", "you", "he", "she", "we", "they")


class _Lexicon(NamedTuple):
    """Words by their typed spellings, and what tells a doubtful contraction from a word of its own."""

    sure: Mapping[str, str]
    doubtful: Mapping[str, str]
    typed: Mapping[str, Sequence[str]]
    before: Set[str]
    never_after: Set[str]
    exceptions: Set[str]


@lru_cache(maxsize=8)
def _lexicon(words: SpeechActWords) -> _Lexicon:
    sure = {contraction.replace("'", ""): contraction for contraction in words.contractions}
    sure.update((typed, word) for word, *spellings in words.typed_spellings for typed in spellings)
    doubtful = {contraction.replace("'", ""): contraction for contraction in words.doubtful_contractions}
    typed: dict[str, list[str]] = {}
    for spelling, word in (*sure.items(), *doubtful.items()):
        typed.setdefault(word, []).append(spelling)
    believing = (form for verb in words.saying_verbs for form in verb)
    before = (*words.discourse_openers, *words.coordinators, *words.clause_openers, *words.contrasts, *believing)
    never_after = (*words.be_forms, *words.auxiliaries, *words.object_prepositions, *words.coordinators)
    openers = (phrase for phrases in (words.conditionals, words.future_time_clauses) for phrase in phrases)
    return _Lexicon(
        sure=sure,
        doubtful=doubtful,
        typed=typed,
        before={*before, *(phrase.split(" ")[-1] for phrase in openers), "that"},
        never_after=frozenset(never_after),
        exceptions=frozenset(words.contraction_exceptions),
    )


def with_typed_spellings(phrases: tuple[str, ...], words: SpeechActWords) -> tuple[str, ...]:
    """Return phrases with those, too, in which words are typed otherwise: "dont remember that", "id like", "wud like".

    A doubtful contraction is one only together with other words: "lets say", not "lets".
    """
    lexicon = _lexicon(words)
    typed = list(phrases)
    for phrase in phrases:
        if phrase.startswith("'d "):
            typed += [f"{pronoun}{phrase[1:]}" for pronoun in _PRONOUNS]
        if phrase not in words.doubtful_contractions:
            parts = phrase.split(" ")
            typed += [
                " ".join((*parts[:place], spelling, *parts[place + 1 :]))
                for place, part in enumerate(parts)
                for spelling in lexicon.typed.get(part, ())
            ]
    return tuple(dict.fromkeys(typed))


@lru_cache(maxsize=8)
def typed_spellings(words: SpeechActWords) -> Set[str]:
    """Return the spellings without which every word of a text is spelt as in a book."""
    lexicon = _lexicon(words)
    return lexicon.sure.keys() | lexicon.doubtful.keys()


def spelt_out(forms: tuple[str, ...], text: str, places: Sequence[Extent], words: SpeechActWords) -> tuple[str, ...]:
    """Return the tokens of a text, which stand at `places` in it, spelt as in a book: "don't" for "dont".

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


def typed_wills(
    forms: Sequence[str], written: Sequence[str], extents: Sequence[Extent], words: SpeechActWords
) -> Iterator[Extent]:
    """Yield the contractions that announce a deed and lack their apostrophe as typed: "ill", "theyll", "lets"."""
    for form, token, extent in zip(forms, written, extents, strict=True):
        if form != token and (form.endswith("'ll") or form in words.intentions):
            yield extent
