"""From one clause to its claims: the first pattern whose head, object and tail all fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prme_extractors.lexical import doubts
from prme_extractors.lexical.changes import NOW, instead_of, may_give_up, outdone
from prme_extractors.lexical.findings import (
    SITUATIONS,
    Finding,
    Subject,
    object_kind,
    predicates_of,
)
from prme_extractors.lexical.holders import Holder, find_holders, read_holder
from prme_extractors.lexical.objects import Objects, Place
from prme_extractors.lexical.phrases import Phrase
from prme_extractors.lexical.readers import read_objects
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.speakers import CALLED, FRONT, WHAT, apart, carer, made, pair, parting, unsaid
from prme_extractors.lexical.table import Head, Pattern, SubjectForm, heads_of, pattern_table
from prme_extractors.lexical.tails import Tail, read_tail
from prme_extractors.lexical.vocabulary import Verb, places, word_list

Span = tuple[int, int]

_FIRST = re.compile(r"i(?=['\s])|im(?=\s)|ive(?=\s)")
# "IM" is a message.
_SHOUTED = frozenset({"M", "V"})
_MY = re.compile(r"my(?=\s)")
_NAME_WORD = re.compile(r"[^\W\d_][\w-]*")
# "Everyone" and how it is mistyped.
_INDEFINITE = re.compile(r"(?:ever|some|any|no).*(?:one|body|thing|thin)\Z")
_LONGEST_LABEL = 4
_TAKEN_IN = frozenset({"drinks", "eats", "smokes", "plays", "does"})
_NOWS = frozenset({"now", "these", "nowadays", "currently", "again"})
# What makes "I'm eating oats" more than a moment.
_LASTING = frozenset({"since", "duration", "frequency"})
# Adjuncts that may tell of fiction, of a time or of another person, by the word that opens them.
_UNREAL_AFTER = frozenset({"in", "as", "at", "on", "under", "during"})
_DATING = frozenset({"before", "after", "until", "by", "during", "into", "about", "against", "per"})
# Objects of these kinds stand in a place or a job, of those in a taste: other things may follow them.
_SITUATED = frozenset(
    {"now", "moment", "emphasis", "aside", "circumstance", "since", "duration", "reason", "instead", "condition"}
)
_TAILS_BY_OBJECT = {
    "liking": frozenset({"now", "emphasis", "aside", "degree", "over", "instead", "reason", "condition"}),
    "place": _SITUATED,
    "street": _SITUATED,
    "employer": _SITUATED,
}


def read_clause(
    reading: Reading,
    start: int,
    end: int,
    *,
    elided: Subject | None = None,
    waiting: Finding | None = None,
    opens: bool = False,
) -> Finding | None:
    """Return what the clause says, or None when it says nothing that a pattern knows.

    `elided` is the subject of the clause before, for "... and live in Oslo"; `waiting` a finding that this clause may
    complete; `opens` tells that it opens its sentence, where "I" may be left out.
    """
    if start >= end or not reading.is_asserted(start, end):
        return None
    for attempt in _attempts(reading, start, end, waiting):
        found = attempt.finding()
        if found is not None:
            return found
    if opens and (found := _read_unsaid(reading, start, end)) is not None:
        return found
    if elided is None and waiting is None:
        return None
    return _read_elided(reading, start, end, elided, waiting)


class Try(NamedTuple):
    """A pattern whose head begins a clause: where the head ends, whether its object was read, and to where."""

    pattern: Pattern
    head_end: int
    has_object: bool
    end: int


def tries(reading: Reading, start: int, end: int) -> tuple[Try, ...]:
    """Return the patterns that begin like the clause `[start, end)`, whether or not one of them reads it to its end."""
    if start >= end:
        return ()
    return tuple(found for attempt in _attempts(reading, start, end, None) for found in attempt.tries())


def read_label(reading: Reading, label: Span, start: int, end: int) -> Finding | None:
    """Return what "Retry limit: 3" says: a label and, in `[start, end)`, its value."""
    holder = read_holder(reading, *label, is_label=True)
    if holder is None or holder.is_person or holder.is_mine or not reading.is_asserted(label[0], end):
        return None
    if not _is_label(reading.text[label[0] : label[1]].split(), holder.words):
        return None
    if len(holder.words) > 1 or holder.words[0] in word_list("things.label_heads"):
        holder = holder._replace(is_label=True, is_bare=False)
    fits = _fitting(reading, "LABEL", start, end, None)
    found = _Attempt(reading, start, end, Subject.of(holder), None, label[0], fits).finding()
    return None if found is not None and _is_told_small(reading, found.objects.phrases) else found


def _is_told_small(reading: Reading, phrases: Sequence[Phrase]) -> bool:
    """Whether a name goes on in small letters: "Dinner: Anna cooked"."""
    return any(
        phrase.capital and any(word[0].islower() for word in reading.text[phrase.start : phrase.end].split())
        for phrase in phrases
    )


def _is_label(written: Sequence[str], words: tuple[str, ...]) -> bool:
    """Whether the words name what has a value: "Ann: 5" is somebody speaking, and so is "Ann Berg: Rome"."""
    head = words[-1]
    if len(words) == 1:
        is_known = head in word_list("things.open") or head in word_list("things.label_heads")
        return is_known and head not in word_list("things.told")
    if head in word_list("things.open"):
        return True
    # "Ann Berg", "Matthew 18", "Player A".
    has_capital = any(word[0].isupper() and not word.isupper() for word in written[1:])
    is_name = has_capital or len(head) == 1 or not head.isalpha()
    return len(words) <= _LONGEST_LABEL and not is_name and word_list("things.never_label").isdisjoint(words)


def read_contrasted(reading: Reading, start: int, end: int) -> Finding | None:
    """Return what "The build tool is ninja now" says before ", not make": more is a value there than anywhere else."""
    if start >= end or not reading.is_asserted(start, end):
        return None
    for holder, position in find_holders(reading, start, end):
        fits = _fitting(reading, "CONTRAST", position, end, None)
        found = _Attempt(reading, position, end, Subject.of(holder), None, start, fits).finding()
        if found is not None:
            return found
    return None


def _attempts(reading: Reading, start: int, end: int, waiting: Finding | None) -> Iterator[_Attempt]:
    """Yield whom or what the clause may be about, the speaker and persons before things, where a pattern begins so."""
    subject = _subject(reading, start, end)
    if subject is not None:
        form, stop = subject
        position = stop if form == "NAME" else start
        if fits := _fitting(reading, form, position, end, waiting):
            yield _Attempt(reading, position, end, Subject(start, stop, form), waiting, start, fits)
    if waiting is not None and _is_meant(reading, waiting.subject.holder, start):
        fits = _fitting(reading, "IT", start, end, waiting)
        yield _Attempt(reading, start, end, waiting.subject, waiting, start, fits)
    if subject is None or subject[0] != "I":
        for holder, position in find_holders(reading, start, end):
            if fits := _fitting(reading, "THING", position, end, waiting):
                yield _Attempt(reading, position, end, Subject.of(holder), waiting, start, fits)
    if not apart().isdisjoint(reading.words) or reading.low.startswith("the", start):
        yield from _attempts_apart(reading, start, end, waiting)


def _attempts_apart(reading: Reading, start: int, end: int, waiting: Finding | None) -> Iterator[_Attempt]:
    """Yield what the clause may be about where its subject does not stand first, or is nobody who is kept."""
    words = reading.words
    # A clause is searched for what somebody does to a thing only where it has a word for that itself.
    is_made = not (made().isdisjoint(words) or made().isdisjoint(reading.words_in(start, end)))
    if is_made and (fits := _fitting(reading, "AGENT", start, end, waiting)):
        yield _Attempt(reading, start, end, Subject(start, start, "AGENT"), waiting, start, fits)
    if "what" in words and (front := FRONT.search(reading.low, start, end)) is not None:
        fits = _fitting(reading, "FRONT", front.start(), end, waiting)
        yield _Attempt(reading, front.start(), end, Subject(*front.span("me"), "I"), waiting, start, fits)
    if "me" in words and (cared := carer().match(reading.low, start, end)) is not None:
        fits = _fitting(reading, "CARE", start, end, waiting)
        yield _Attempt(reading, start, end, Subject(*cared.span("me"), "I"), waiting, start, fits)
    if "me" in words and (called := CALLED.match(reading.low, start, end)) is not None:
        fits = _fitting(reading, "ME", start, end, waiting)
        yield _Attempt(reading, start, end, Subject(*called.span("me"), "I"), waiting, start, fits)
    if not parting().isdisjoint(words) and (both := pair().match(reading.low, start, end)) is not None:
        fits = _fitting(reading, "PAIR", both.end(), end, waiting)
        speaker = both.span("me" if both["me"] else "last")
        yield _Attempt(reading, both.end(), end, Subject(*speaker, "I"), waiting, start, fits)
    if (cleft := WHAT.match(reading.low, start, end)) is not None:
        fits = _fitting(reading, "WHAT", start, end, waiting)
        yield _Attempt(reading, start, end, Subject(*cleft.span("me"), "I"), waiting, start, fits)


def _is_meant(reading: Reading, holder: Holder | None, start: int) -> bool:
    """Whether the pronoun at the start can stand for the thing: "they" for several, "it" for one."""
    if holder is None:
        return False
    last = holder.words[-1]
    are_several = last.endswith("s") and not last.endswith("ss")
    return reading.low.startswith("they" if are_several else "it", start)


def _read_elided(
    reading: Reading, start: int, end: int, subject: Subject | None, waiting: Finding | None
) -> Finding | None:
    if start == 0:
        return None
    if waiting is not None:
        fits = _fitting(reading, "BARE", start - 1, end, waiting)
        found = _Attempt(reading, start - 1, end, waiting.subject, waiting, start, fits).finding()
        if found is not None:
            return found
    if subject is None:
        return None
    fits = _fitting(reading, subject.form, start - 1, end, waiting, elided=True)
    found = _Attempt(reading, start - 1, end, subject, waiting, start, fits).finding()
    return None if found is None else found._replace(quote=(min(subject.start, found.quote[0]), end))


def _read_unsaid(reading: Reading, start: int, end: int) -> Finding | None:
    """Read "sold my jeep", which only the speaker says of "my" jeep."""
    found = unsaid().match(reading.low, start, end)
    if found is None:
        return None
    fits = _fitting(reading, "UNSAID", found.start("did"), end, None)
    return _Attempt(reading, found.start("did"), end, Subject(*found.span("my"), "I"), None, start, fits).finding()


def _subject(reading: Reading, start: int, end: int) -> tuple[SubjectForm, int] | None:
    """Return the speaker or the person at the start, with the end of the word or name."""
    first = reading.low[start]
    if first == "i" and _FIRST.match(reading.low, start, end) is not None:
        return None if reading.text[start + 1] in _SHOUTED else ("I", start + 1)
    if first == "m" and (found := _MY.match(reading.low, start, end)) is not None:
        return "MY", found.end()
    name = _name_end(reading, start, end)
    return None if name is None else ("NAME", name)


def _name_end(reading: Reading, start: int, end: int) -> int | None:
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
    return stop


def _may_be_name(reading: Reading, written: str) -> bool:
    word = written.lower()
    if (
        word in word_list("names.never")
        or word in word_list("phrase.stops")
        or word in word_list("holders.in_ly")
        or _INDEFINITE.match(word)
    ):
        return False
    if word in places().regions or len(written) == 1:
        return False
    # "Coffee helps. I like coffee": a word that the message also writes small is no name.
    return not reading.writes(word)


Fit = tuple[Pattern, Head, re.Match[str]]


def _fitting(
    reading: Reading, form: SubjectForm, position: int, end: int, waiting: Finding | None, *, elided: bool = False
) -> list[Fit]:
    """Return the patterns whose heads begin the clause, in the order of the table."""
    heads = heads_of(form)
    behind = position if elided else position + heads.subject
    fits: list[Fit] = []
    for pattern, head in heads.among(reading.words_in(behind, end)):
        if pattern.after and (waiting is None or waiting.pattern.name not in pattern.after):
            continue
        expression = head.elided if elided else head.expression
        if expression is not None and (match := expression.match(reading.low, position, end)) is not None:
            fits.append((pattern, head, match))
    return fits


class _Attempt(NamedTuple):
    """One clause as the patterns that begin like it try it: from where, to where, about whom."""

    reading: Reading
    position: int
    end: int
    subject: Subject
    waiting: Finding | None
    first: int
    fits: list[Fit]

    def finding(self) -> Finding | None:
        """Return the finding of the first pattern that fits, in the order of the table."""
        for pattern, head, match in self.fits:
            found = self._complete(pattern, head, match)
            if found is not None:
                return found
        return None

    def tries(self) -> Iterator[Try]:
        """Yield every pattern whose head begins the clause, and how far it was read."""
        for pattern, head, match in self.fits:
            _, objects = self._objects(pattern, head, match)
            yield Try(pattern, match.end(), objects is not None, match.end() if objects is None else objects.end)

    def _objects(self, pattern: Pattern, head: Head, match: re.Match[str]) -> tuple[Verb | None, Objects | None]:
        verb = pattern_table().verb(pattern, head.form, match["verb"]) if head.has_verb else None
        place = Place(pattern, verb, self.subject.holder, match.end(), self.end, (self.first, self.position))
        return verb, read_objects(self.reading, place)

    def _complete(self, pattern: Pattern, head: Head, match: re.Match[str]) -> Finding | None:
        verb, objects = self._objects(pattern, head, match)
        if objects is None:
            return None
        tail = read_tail(self.reading.low, objects.end, self.end, _allowed_tails(pattern, verb))
        if tail is None or (head.needs_ended and tail.first("ended") is None):
            return None
        if objects.former is not None and tail.first("occasion") and _TAKEN_IN & set(objects.predicates or ()):
            # "I switched from meat to fish yesterday" may be about one meal.
            objects = objects._replace(former=None)
        if tail.pieces and not self._is_real(pattern, verb, tail):
            return None
        if verb is not None and verb.object == "duty" and pattern.momentary and tail.first("occasion") is not None:
            # "I stopped working on the parser today": to go home.
            return None
        if head.progressive and verb is not None and not _is_lasting(self.reading, verb, objects, tail):
            return None
        subject = self.subject if objects.holder is None else Subject.of(objects.holder)
        if objects.predicates is None and tail.first("years") is not None:
            objects = objects._replace(predicates=("age",))
        predicates = predicates_of(pattern, verb, objects, subject.holder, match["told"] if head.has_told else None)
        return self._finding(pattern, verb, subject, objects, tail, predicates)

    def _is_real(self, pattern: Pattern, verb: Verb | None, tail: Tail) -> bool:
        """Whether no adjunct puts the statement into a game, a family, a childhood or a part of the week."""
        taken = object_kind(pattern, verb)
        # "I live in York now instead of Leeds in the game".
        if taken in SITUATIONS and tail.first("instead") is not None and instead_of(self.reading, tail) is None:
            return False
        for kind, (start, end) in tail.pieces:
            opener, *rest = self.reading.low[start:end].split()
            if kind != "circumstance" or not rest:
                continue
            if opener in _UNREAL_AFTER and doubts.words("unreal.words") & set(rest):
                return False
            # "I live in Paris in The Sims": a place lies in no second one but a country, which goes with its name.
            if taken == "place" and opener == "in":
                return False
            # "I'm married to my work" is no marriage.
            if taken == "trait" and opener == "to":
                return False
            if taken in SITUATIONS and (opener in _DATING or doubts.words("unreal.times") & set(rest)):
                return False
        return True

    def _finding(
        self,
        pattern: Pattern,
        verb: Verb | None,
        subject: Subject,
        objects: Objects,
        tail: Tail,
        predicates: tuple[str, ...],
    ) -> Finding:
        start = min(self.first, self.position)
        says_now = not _NOWS.isdisjoint(self.reading.words) and bool(NOW.search(self.reading.low, start, self.end))
        former, intent = objects.former, pattern.intent
        # What a thing has one of is not the other value that it is said to have instead.
        is_other = pattern.single and tail.first("instead") is not None
        if pattern.polarity == "positive" and (says_now or is_other or intent == "update"):
            former, intent = former or self._given_up(pattern, predicates, objects, tail), "update"
            if former is None and (former := outdone(self.reading, verb, tail)) is not None:
                tail = Tail(tuple(piece for piece in tail.pieces if piece[0] not in {"over", "preferred_to"}))
        if pattern.after and self.waiting is not None:
            start = self.waiting.quote[0]
            if objects.phrases:
                former = self.waiting.objects.phrases[0]
                if pattern.takes == "detail" and predicates != self.waiting.predicates:
                    former = None
                elif pattern.takes == "value":
                    predicates = predicates_of(pattern, verb, objects._replace(former=former), subject.holder)
            else:
                objects, predicates, verb = self.waiting.objects, self.waiting.predicates, self.waiting.verb
        return Finding(
            pattern=pattern,
            subject=subject,
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

    def _given_up(self, pattern: Pattern, predicates: tuple[str, ...], objects: Objects, tail: Tail) -> Phrase | None:
        """Return what the clause says is no more, after "instead of"."""
        other = instead_of(self.reading, tail)
        if other is None or self.subject.holder is not None or not objects.phrases:
            return other
        # Who is "back to using tabs instead of spaces" turns to no other part of a program.
        if pattern.name == "back_to" and all(map(_is_one_of_many, (other, *objects.phrases))):
            return other
        is_over = all(may_give_up(self.reading, predicates, phrase, other) for phrase in objects.phrases)
        return other if is_over else None


def _is_one_of_many(phrase: Phrase) -> bool:
    return not phrase.opener and not phrase.capital and phrase.words[-1].endswith("s")


def _is_lasting(reading: Reading, verb: Verb, objects: Objects, tail: Tail) -> bool:
    if _LASTING & tail.kinds:
        return True
    # "I'm drinking coffee again" is a habit that is taken up.
    if any(kind == "now" and reading.low[start:end] == "again" for kind, (start, end) in tail.pieces):
        return True
    return verb.progressive and all(phrase.opener != "my" for phrase in objects.phrases)


def _allowed_tails(pattern: Pattern, verb: Verb | None) -> frozenset[str]:
    if verb is None or pattern.polarity == "negative" or "ago" in pattern.tails:
        return pattern.tails
    allowed = _TAILS_BY_OBJECT.get(verb.object, pattern.tails)
    return allowed | {"preferred_to"} if verb.predicate == "prefers" else allowed
