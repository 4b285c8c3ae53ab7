"""Units of a text as the gate reads them: a sentence, or a sentence with the words that lead in to it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from prme.grounding.cues import Cues, find_cues
from prme.grounding.folded_text import Extent, FoldedText
from prme.grounding.reports import ReportVerb, find_report_verbs, has_break
from prme.policy.speech_act_words import SpeechActWords


class Opening(NamedTuple):
    """How a unit may begin like a question: by a phrase, or by an auxiliary from `first` to before `last`."""

    phrase: str | None
    first: int
    last: int


class Unit(NamedTuple):
    """A unit with its cues.

    `clause_auxiliaries` are the tokens that may begin a question after a break ("Tell me, do I use Figma").
    """

    cues: Cues
    verbs: tuple[ReportVerb, ...]
    opening: Opening | None
    clause_auxiliaries: tuple[int, ...]


def read_unit(content: str, folded: FoldedText, extent: Extent, words: SpeechActWords) -> Unit | None:
    """Return a unit, ready for every claim in it; None when nothing in it is more than a plain statement."""
    cues = find_cues(content, folded, extent, words)
    if cues is None:
        return None
    verbs, opening = find_report_verbs(cues, words), _find_opening(cues, words)
    auxiliaries = _auxiliaries(words)
    after_first = (index for index in range(1, len(cues.tokens)) if cues.forms[index] in auxiliaries)
    clauses = tuple(index for index in after_first if has_break(cues, index - 1, index))
    is_plain = not verbs and opening is None and not clauses and cues.are_none
    return None if is_plain else Unit(cues, verbs, opening, clauses)


def _find_opening(cues: Cues, words: SpeechActWords) -> Opening | None:
    index = 0
    while cues.word(index) in words.discourse_openers:
        index += 1
    phrase = f"{cues.word(index)} {cues.word(index + 1)}"
    if phrase in words.question_openers:
        return Opening(phrase, index, index)
    if cues.word(index) in words.object_prepositions and cues.word(index + 1) in words.question_words:
        index += 1
    # "What do I", "how long have I": the auxiliary within three words, right before its subject.
    if cues.word(index) in words.question_words:
        return Opening(None, index, index + 4)
    return Opening(None, index, index + 1) if cues.word(index) in words.auxiliaries else None


@lru_cache(maxsize=8)
def _auxiliaries(words: SpeechActWords) -> frozenset[str]:
    return frozenset(words.auxiliaries)
