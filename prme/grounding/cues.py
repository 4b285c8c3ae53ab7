"""Cues: where the words of the gate stand in a unit of text, found once per unit and used for every claim in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from prme.grounding.folded_text import Extent, FoldedText
from prme.grounding.markup import without_emphasis
from prme.grounding.phrases import CuePatterns, PhraseList, compile_patterns
from prme.grounding.spellings import spelt_out, typed_spellings, typed_wills
from prme.grounding.verb_cues import contracted_woulds, near_misses
from prme.policy.speech_act_words import SpeechActWords

_URL = re.compile(r"(?:https?://|www\.)\S+")
_TOKEN = re.compile(r"\w+(?:'\w+)*")
_WORD = re.compile(r"\w+")
_TERMINAL = re.compile(r"[.!?\u2026]['\")\]]{0,3}\s")
_EXCLAMATION = re.compile(r"[?!]\s")
_THAT = re.compile(r"(?<= )that(?= )")
_GREEK_WORD = re.compile("[\u0370-\u03ff\u1f00-\u1fff]{2}")
_GREEK_MARK = re.compile("(?<=[\u0370-\u03ff\u1f00-\u1fff]{2});")
_SEMICOLON = re.compile(";")
_LEADING_MARKS = " '\"\u2026*>#"
_BREAKS = frozenset(",;:.!?()\u2014\u2015-")
_SET_OFF_AFTER = re.compile(r"[\s'\"]*(?:$|[,;:.!?()\u2014\u2015-])")


class Cues(NamedTuple):
    """The cues of one unit, in the order and at the positions of the folded content.

    `forms` are the texts of the tokens; `questions` run from the end of the statement before them to their mark;
    `asked_sentences` are asked as a whole, by a mark inside a word or an ending; `comments` are clauses about the
    speaking ("if you must know"); `modal_verbs` hold all that doubts what follows it; `gerunds` are intentions only
    before a form in -ing; `contrasts` cut the unit into parts; `exclamations` and `thats` are where a question or
    exclamation ends and where the word "that" stands.
    """

    unit: Extent
    text: str
    tokens: tuple[Extent, ...]
    forms: tuple[str, ...]
    questions: tuple[Extent, ...] = ()
    asked_sentences: tuple[Extent, ...] = ()
    conditionals: tuple[Extent, ...] = ()
    time_clauses: tuple[Extent, ...] = ()
    future_time_clauses: tuple[Extent, ...] = ()
    coming_times: tuple[Extent, ...] = ()
    indirect_questions: tuple[Extent, ...] = ()
    comments: tuple[Extent, ...] = ()
    modal_verbs: tuple[Extent, ...] = ()
    modal_adverbs: tuple[Extent, ...] = ()
    preferences: tuple[Extent, ...] = ()
    seemings: tuple[Extent, ...] = ()
    likenesses: tuple[Extent, ...] = ()
    intentions: tuple[Extent, ...] = ()
    gerunds: tuple[Extent, ...] = ()
    announcements: tuple[Extent, ...] = ()
    hearsay: tuple[Extent, ...] = ()
    contrasts: tuple[int, ...] = ()
    exclamations: tuple[int, ...] = ()
    thats: tuple[int, ...] = ()

    @property
    def are_none(self) -> bool:
        """Whether the unit has tokens and no cues."""
        return not any(self[_FIRST_KIND:])

    def part(self, position: int) -> int:
        """Return the number of the part between contrasts that the position lies in."""
        return bisect_right(self.contrasts, position)

    def word(self, index: int) -> str:
        """Return the text of a token, or an empty one beyond the ends."""
        return self.forms[index] if 0 <= index < len(self.forms) else ""

    @staticmethod
    def has_any(positions: tuple[int, ...], first: int, last: int) -> bool:
        """Return whether one of the sorted positions lies in `[first, last)`."""
        at = bisect_left(positions, first)
        return at < len(positions) and positions[at] < last

    def between(self, first: int, last: int) -> str:
        """Return the text between two positions."""
        return self.text[first - self.unit[0] : max(last, first) - self.unit[0]]


_FIRST_KIND = Cues._fields.index("questions")


class _Telling(NamedTuple):
    """What makes a unit more than a plain statement: a phrase of a list, or one of some words or signs."""

    lists: frozenset[PhraseList]
    words: frozenset[str]
    sign: re.Pattern[str]


@lru_cache(maxsize=8)
def _telling(words: SpeechActWords) -> _Telling:
    patterns = compile_patterns(words)
    # These only tell how far another cue reaches.
    beside_others = (
        patterns.announcement,
        patterns.comment_clause,
        patterns.contrast,
        patterns.doubt_exception,
        patterns.future_time_clause,
        patterns.hearsay_exception,
        patterns.time_clause_exception,
    )
    verbs = chain(words.saying_verbs, words.object_verbs, words.hearing_verbs)
    openings = (phrase.split(" ")[0] for phrase in words.question_openers)
    asking = (*words.question_marks, *words.inner_question_marks, *words.question_endings, ";")
    return _Telling(
        lists=frozenset(patterns.lists).difference(beside_others),
        words=frozenset(words.auxiliaries).union(openings, *verbs),
        sign=re.compile("[" + re.escape("".join({sign[0] for sign in asking})) + "]"),
    )


def find_cues(content: str, folded: FoldedText, unit: Extent, words: SpeechActWords) -> Cues | None:
    """Return the cues of one unit of the folded content; None for a plain statement, as most are.

    A plain statement holds no cue that decides anything, no verb of saying and no auxiliary. Where only such a verb or
    auxiliary stands, nothing is sought either.
    """
    text = _words_of_the_sentence(folded.text[unit[0] : unit[1]])
    written = tuple(_TOKEN.findall(text))
    runs = frozenset(_WORD.findall(text) if "'" in text else written)
    patterns, telling = compile_patterns(words), _telling(words)
    possible = patterns.standing_among(runs)
    is_spelt_out = typed_spellings(words).isdisjoint(written)
    is_quiet = is_spelt_out and "'d" not in text and telling.sign.search(text) is None
    if is_quiet and telling.lists.isdisjoint(possible) and telling.words.isdisjoint(written):
        return None
    places = [match.span() for match in _TOKEN.finditer(text)]
    forms = written if is_spelt_out else spelt_out(written, text, places, words)
    tokens = tuple([(unit[0] + first, unit[0] + last) for first, last in places])
    bare = Cues(unit, text, tokens, forms)
    if is_quiet and not possible and "that" not in forms and "! " not in text:
        return bare
    wills = () if is_spelt_out else typed_wills(forms, written, tokens, words)
    return _with_all_kinds(bare, possible, tuple(wills), content, folded, words)


def _with_all_kinds(
    bare: Cues,
    possible: set[PhraseList],
    wills: tuple[Extent, ...],
    content: str,
    folded: FoldedText,
    words: SpeechActWords,
) -> Cues:
    """Return the cues of every kind, sought by the lists that may stand in the unit."""
    unit, text, tokens, forms = bare.unit, bare.text, bare.tokens, bare.forms
    patterns = compile_patterns(words)

    def found(phrases: PhraseList) -> tuple[Extent, ...]:
        return _extents(phrases.pattern, text, unit) if phrases in possible else ()

    lower = _LowerCase(content, folded, unit)
    preferences = found(patterns.preference)
    exceptions = (*found(patterns.doubt_exception), *preferences)
    intentions = (
        *found(patterns.intention),
        *found(patterns.wish),
        *wills,
        *(extent for extent in found(patterns.lower_case_intention) if lower.holds(extent)),
    )
    modal_verbs = (
        *found(patterns.modal_verb),
        *(extent for extent in found(patterns.lower_case_modal_verb) if lower.holds(extent)),
        *contracted_woulds(forms, tokens, words),
        *near_misses(forms, tokens, words),
    )
    indirect = found(patterns.indirect_question)
    comments = tuple(extent for extent in found(patterns.comment_clause) if _is_set_off(text, unit, extent))
    no_clauses = found(patterns.time_clause_exception)
    return bare._replace(
        questions=_question_extents(patterns.question_mark, text, unit)
        or _greek_questions(content, folded, text, unit),
        asked_sentences=_asked_sentences(patterns.sentence_question, text, unit),
        conditionals=_outside(found(patterns.conditional), (*comments, *indirect)),
        time_clauses=_outside(found(patterns.time_clause), no_clauses),
        future_time_clauses=_outside(found(patterns.future_time_clause), no_clauses),
        coming_times=found(patterns.coming_time),
        indirect_questions=indirect,
        comments=comments,
        modal_verbs=(*_outside(modal_verbs, (*exceptions, *intentions)), *found(patterns.disclaimer)),
        modal_adverbs=_outside(found(patterns.modal_adverb), exceptions),
        preferences=preferences,
        seemings=found(patterns.seeming),
        likenesses=found(patterns.likeness),
        intentions=_outside(tuple(sorted(intentions)), (*exceptions, *comments)),
        gerunds=found(patterns.gerund_intention),
        announcements=found(patterns.announcement),
        hearsay=_outside(found(patterns.hearsay), found(patterns.hearsay_exception)),
        contrasts=tuple(sorted((*_firsts(_SEMICOLON, text, unit), *(first for first, _ in found(patterns.contrast))))),
        exclamations=_firsts(_EXCLAMATION, text, unit),
        thats=_firsts(_THAT, text, unit),
    )


def begins_with_condition(folded: FoldedText, unit: Extent, patterns: CuePatterns) -> bool:
    """Return whether a unit begins with a conditional word that is no comment on the speaking."""
    text = folded.text[unit[0] : unit[1]]
    match = patterns.leading_conditional.match(text)
    if match is None:
        return False
    comment = patterns.comment_clause.pattern.match(text, match.start(1))
    return comment is None or _SET_OFF_AFTER.match(text, comment.end()) is None


def _words_of_the_sentence(text: str) -> str:
    """Return the text without marks of emphasis and URLs, in the same places: a URL's query is no words of ours."""
    if "_" in text:
        text = without_emphasis(text)
    if "://" not in text and "www." not in text:
        return text
    return _URL.sub(lambda match: "_" * len(match.group()), text)


class _LowerCase:
    """Tells names and months from verbs by their capitals, where the unit has any small letter to compare with."""

    def __init__(self, content: str, folded: FoldedText, unit: Extent) -> None:
        self._content = content
        self._folded = folded
        start, end = folded.stored(unit) if unit[0] < unit[1] else (0, 0)
        self._is_shouted = content[start:end].isupper() and " " in folded.text[unit[0] : unit[1]]

    def holds(self, extent: Extent) -> bool:
        start, end = self._folded.stored(extent)
        return self._is_shouted or self._content[start:end].islower()


def _extents(pattern: re.Pattern[str], text: str, unit: Extent) -> tuple[Extent, ...]:
    return tuple((unit[0] + match.start(), unit[0] + match.end()) for match in pattern.finditer(text))


def _firsts(pattern: re.Pattern[str], text: str, unit: Extent) -> tuple[int, ...]:
    return tuple(unit[0] + match.start() for match in pattern.finditer(text))


def _outside(extents: tuple[Extent, ...], excluded: tuple[Extent, ...]) -> tuple[Extent, ...]:
    """Return the extents that overlap none of the excluded ones."""
    if not extents or not excluded:
        return extents
    taken = {position for first, last in excluded for position in range(first, last)}
    return tuple((first, last) for first, last in extents if first not in taken and last - 1 not in taken)


def _is_set_off(text: str, unit: Extent, extent: Extent) -> bool:
    first, last = extent[0] - unit[0], extent[1] - unit[0]
    while first > 0 and text[first - 1] in _LEADING_MARKS:
        first -= 1
    return (first == 0 or text[first - 1] in _BREAKS) and _SET_OFF_AFTER.match(text, last) is not None


def _question_extents(mark: re.Pattern[str], text: str, unit: Extent) -> tuple[Extent, ...]:
    """Return, for every question mark, the text from the end of the statement before it up to the mark."""
    terminals = [match.end() for match in _TERMINAL.finditer(text)]
    extents: list[Extent] = []
    for match in mark.finditer(text):
        before = bisect_right(terminals, match.start())
        extents.append((unit[0] + (terminals[before - 1] if before else 0), unit[0] + match.end()))
    return tuple(extents)


def _asked_sentences(mark: re.Pattern[str], text: str, unit: Extent) -> tuple[Extent, ...]:
    """Return, for every such mark, the whole sentence around it."""
    bounds = [0, *(match.end() for match in _TERMINAL.finditer(text)), len(text)]
    at = [bisect_right(bounds, match.start()) for match in mark.finditer(text)]
    return tuple((unit[0] + bounds[after - 1], unit[0] + bounds[after]) for after in at)


def _greek_questions(content: str, folded: FoldedText, text: str, unit: Extent) -> tuple[Extent, ...]:
    """Return the text up to every Greek question mark, which folds to a semicolon and is mostly typed as one.

    A semicolon is one after a Greek word, and at the end of a sentence with Greek words.
    """
    marks = {match.end() for match in _GREEK_MARK.finditer(text)}
    signs = (match for match in _SEMICOLON.finditer(text))
    marks |= {sign.end() for sign in signs if content[folded.starts[unit[0] + sign.start()]] == "\u037e"}
    if text.endswith(";") and _GREEK_WORD.search(text):
        marks.add(len(text))
    return tuple((unit[0], unit[0] + end) for end in sorted(marks))
