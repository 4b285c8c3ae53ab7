"""Cues: where the words of the gate stand in a unit of text, found once per unit and used for every claim in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache

from prme.grounding.folded_text import Extent, FoldedText
from prme.grounding.markup import without_emphasis
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
_GAP = r"[ *~]+"
_LEADING_MARKS = " '\"\u2026*>#"
_BREAKS = frozenset(",;:.!?()\u2014\u2015-")
_SET_OFF_AFTER = re.compile(r"[\s'\"]*(?:$|[,;:.!?()\u2014\u2015-])")


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of one unit, in the order and at the positions of the folded content.

    `questions` run from the end of the statement before them to their mark; `asked_sentences` are asked as a whole, by
    a mark inside a word or an ending; `comments` are clauses about the speaking ("if you must know"); `modal_verbs`
    hold all that doubts what follows it; `gerunds` are intentions only before a form in -ing; `contrasts` cut the unit
    into parts; `exclamations` and `thats` are where a question or exclamation ends and where the word "that" stands.
    """

    unit: Extent
    text: str
    tokens: tuple[Extent, ...]
    questions: tuple[Extent, ...]
    asked_sentences: tuple[Extent, ...]
    conditionals: tuple[Extent, ...]
    time_clauses: tuple[Extent, ...]
    future_time_clauses: tuple[Extent, ...]
    coming_times: tuple[Extent, ...]
    indirect_questions: tuple[Extent, ...]
    comments: tuple[Extent, ...]
    modal_verbs: tuple[Extent, ...]
    modal_adverbs: tuple[Extent, ...]
    preferences: tuple[Extent, ...]
    seemings: tuple[Extent, ...]
    likenesses: tuple[Extent, ...]
    intentions: tuple[Extent, ...]
    gerunds: tuple[Extent, ...]
    announcements: tuple[Extent, ...]
    hearsay: tuple[Extent, ...]
    contrasts: tuple[int, ...]
    exclamations: tuple[int, ...]
    thats: tuple[int, ...]

    def part(self, position: int) -> int:
        """Return the number of the part between contrasts that the position lies in."""
        return bisect_right(self.contrasts, position)

    def word(self, index: int) -> str:
        """Return the text of a token, or an empty one beyond the ends."""
        if not 0 <= index < len(self.tokens):
            return ""
        first, last = self.tokens[index]
        return self.text[first - self.unit[0] : last - self.unit[0]]

    @staticmethod
    def has_any(positions: tuple[int, ...], first: int, last: int) -> bool:
        """Return whether one of the sorted positions lies in `[first, last)`."""
        at = bisect_left(positions, first)
        return at < len(positions) and positions[at] < last

    def between(self, first: int, last: int) -> str:
        """Return the text between two positions."""
        return self.text[first - self.unit[0] : max(last, first) - self.unit[0]]


@dataclass(frozen=True, slots=True)
class PhraseList:
    """A list of phrases compiled, and what a text must hold for any of them: a first word, or one of some signs."""

    pattern: re.Pattern[str]
    first_words: frozenset[str]
    signs: str

    @classmethod
    def of(cls, phrases: tuple[str, ...], *, then: str = "", sign: str = "") -> PhraseList:
        """Compile phrases, each followed by an expression, or a sign that stands for itself."""
        pattern = phrase_pattern(phrases) + then + (f"|{re.escape(sign)}" if sign else "")
        first_words = [_WORD.match(phrase) for phrase in phrases]
        signs = "".join(sorted({phrase[0] for phrase in phrases if not phrase[0].isalnum()})) + sign
        return cls(re.compile(pattern), frozenset(word.group() for word in first_words if word), signs)

    def may_stand_in(self, text: str, words: frozenset[str]) -> bool:
        """Whether a text may hold a phrase of the list; `words` are all runs of word characters in it."""
        return not self.first_words.isdisjoint(words) or any(sign in text for sign in self.signs)


@dataclass(frozen=True, slots=True)
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
    new_clause: re.Pattern[str]


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
    compiled = PhraseList.of
    openers = phrase_pattern(words.discourse_openers)
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
        leading_conditional=re.compile(rf"[\W_]*(?:{openers}\W+)*({phrase_pattern(words.conditionals)})"),
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
        contrast=compiled(words.contrasts, sign=";"),
        # What ends the text between a cue and the subject of a new clause: "..., so I", "... and Nadia".
        new_clause=re.compile(
            rf"(?:[,;:.!?\u2014\u2015]|(?<!\w)-(?!\w)|{phrase_pattern(words.clause_openers)})\W*(?:(?:{openers}|the)\W+)*$"
        ),
    )


def find_cues(content: str, folded: FoldedText, unit: Extent, words: SpeechActWords) -> Cues:
    """Return the cues of one unit of the folded content."""
    patterns = compile_patterns(words)
    # A URL's query and path are no words of the sentence.
    text = _URL.sub(lambda match: "_" * len(match.group()), without_emphasis(folded.text[unit[0] : unit[1]]))
    runs = frozenset(_WORD.findall(text))

    def found(phrases: PhraseList) -> tuple[Extent, ...]:
        return _extents(phrases.pattern, text, unit) if phrases.may_stand_in(text, runs) else ()

    lower = _LowerCase(content, folded, unit)
    tokens = _extents(_TOKEN, text, unit)
    forms = tuple(text[first - unit[0] : last - unit[0]] for first, last in tokens)
    preferences = found(patterns.preference)
    exceptions = (*found(patterns.doubt_exception), *preferences)
    intentions = (
        *found(patterns.intention),
        *found(patterns.wish),
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
    return Cues(
        unit=unit,
        text=text,
        tokens=tokens,
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
        contrasts=tuple(first for first, _ in found(patterns.contrast)),
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
