"""The table of patterns: `patterns.toml` compiled into anchored expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

from prme.model.extraction import Kind, TemporalIntent
from prme_extractors.lexical.beginnings import first_words
from prme_extractors.lexical.vocabulary import Verb, table, vocabulary
from prme_extractors.lexical.wordings import listed, spaced

SubjectForm = Literal[
    "I",
    "MY",
    "NAME",
    "BARE",
    "THING",
    "IT",
    "AGENT",
    "WHAT",
    "FRONT",
    "LABEL",
    "ME",
    "CARE",
    "PAIR",
    "UNSAID",
    "CONTRAST",
]

_FORMS: tuple[SubjectForm, ...] = (
    "CARE",
    "PAIR",
    "UNSAID",
    "CONTRAST",
    "THING",
    "AGENT",
    "LABEL",
    "NAME",
    "BARE",
    "WHAT",
    "FRONT",
    "ME",
    "MY",
    "IT",
    "I",
)
# Where the expression of a head starts: at the subject, or after it when the subject is read apart.
_NOBODY = (
    "(?:nobody|nothing|neither|none|no|noone|which|who|whoever|what|if|when|unless|until|never|not|you|anyone|anybody"
    "|maybe|perhaps)"
)
_SUBJECTS: dict[SubjectForm, str] = {
    "I": "i",
    "MY": "my",
    "NAME": "",
    "BARE": "",
    "PAIR": "",
    # "Sold my jeep.": who did it is the one whose jeep it was.
    "UNSAID": "",
    "CONTRAST": "",
    "THING": "",
    "LABEL": "",
    "IT": r"(?:it|they)",
    "AGENT": rf"(?!{_NOBODY}\b)(?:i|we|they|he|she|(?:the|my|our)\s+[\w-]+|[\w-]+)(?:'ve|\s+have|\s+has)?",
    # Who prescribes; what is done with the speaker follows.
    "CARE": r"(?:my|the|our)\s+[\w-]+(?:\s+(?:has|have|just|finally|recently|also))*",
    "FRONT": r"(?:is|are)\s+what\s+i",
    "ME": (
        r"(?:(?:please|just|you can)\s+)*(?:call|(?:everyone|everybody|people|they|friends|my\s+friends)\s+calls?)"
        r"\s+(?P<me>me)"
    ),
    "WHAT": r"(?:what|the\s+[\w-]+(?:\s+[\w-]+)?)\s+(?P<me>i)",
}
_AUXILIARIES = frozenset({"m", "am", "s", "is", "are", "ve", "have", "has"})
# A head ends with a word, or with the blank before the object that it looked at.
_WORD_END = r"(?:(?<=\s)|(?!\w))"


@dataclass(frozen=True, slots=True)
class Head:
    """One way a clause of a pattern begins; `elided` is the same without its subject ("... and live in Oslo").

    Wherever it matches, the first word behind the subject that is no adverb is one of the `firsts`, and the first that
    is no auxiliary either is one of the `cores`; any may be where there are none.
    """

    form: SubjectForm
    expression: re.Pattern[str]
    elided: re.Pattern[str] | None
    needs_ended: bool
    progressive: bool
    firsts: frozenset[str] | None
    cores: frozenset[str] | None
    has_verb: bool
    has_told: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of the table: which clauses make which claim (the columns are told in `patterns.toml`)."""

    name: str
    heads: tuple[Head, ...]
    takes: str
    predicates: tuple[str, ...]
    kind: Kind
    polarity: Literal["positive", "negative"]
    intent: TemporalIntent
    tails: frozenset[str]
    waits: bool
    after: frozenset[str]
    single: bool
    momentary: bool
    alone: bool
    example: str
    counter: str


@dataclass(frozen=True, slots=True)
class Table:
    """All patterns in the order in which they are tried, and the verbs by every form that a head may have matched."""

    patterns: tuple[Pattern, ...]
    verbs: dict[str, Verb]
    habits: dict[str, Verb]
    thing_verbs: dict[str, Verb]

    def verb(self, pattern: Pattern, form: SubjectForm, written: str) -> Verb:
        """Return the verb that a head of the pattern with that kind of subject has matched."""
        verbs = self.habits if pattern.takes == "activity" else self.verbs
        if form in {"THING", "IT"}:
            verbs = self.thing_verbs
        return verbs.get(written) or verbs[" ".join(written.split())]

    def heads(self, form: SubjectForm) -> Heads:
        """Return every head with that kind of subject, in order."""
        rows = tuple((pattern, head) for pattern in self.patterns for head in pattern.heads if head.form == form)
        cores = frozenset().union(*(told for _, head in rows for told in (head.firsts, head.cores) if told is not None))
        return Heads(
            subject=_subject_length(form) or 0,
            by_first={first: _with_first(rows, first, cores) for first in ("", *_AUXILIARIES)},
        )


Row = tuple[Pattern, Head]


class ByCore(NamedTuple):
    """The heads that begin with one auxiliary or with none, by the word that tells them apart."""

    rows: dict[str, tuple[Row, ...]]
    otherwise: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one kind of subject, by the auxiliary behind it; `subject` is how long that subject is."""

    subject: int
    by_first: dict[str, ByCore]

    def among(self, words: Iterable[str]) -> tuple[Row, ...]:
        """Return the heads that may go on with the words behind their subject, in the order of the table."""
        passed, by_first = _passed(), self.by_first
        begun = plain = by_first[""]
        for word in words:
            if word not in passed:
                return begun.rows.get(word, begun.otherwise)
            if begun is plain and word in by_first:
                begun = by_first[word]
        return begun.otherwise


def _with_first(rows: Sequence[Row], first: str, cores: frozenset[str]) -> ByCore:
    def fitting(core: str | None) -> tuple[Row, ...]:
        begin = first or core
        return tuple(
            (pattern, head)
            for pattern, head in rows
            if (head.firsts is None or begin in head.firsts) and (head.cores is None or core in head.cores)
        )

    return ByCore({core: fitting(core) for core in cores}, fitting(None))


@cache
def _passed() -> frozenset[str]:
    """Return the words that many heads begin with, and that tell few of them apart."""
    return _adverbs_before() | _AUXILIARIES


@cache
def _adverbs_before() -> frozenset[str]:
    words = vocabulary()
    return words["clause.adverbs"] | words["clause.past_adverbs"]


@cache
def pattern_table() -> Table:
    """Return the compiled table."""
    words = vocabulary()
    data = table("patterns.toml")
    patterns = tuple(_pattern(row, data["tails"]) for row in data["pattern"])
    return Table(patterns, _by_form(words.verbs), _by_form(words.habits), _by_form(words.thing_verbs))


def _by_form(verbs: Iterable[Verb]) -> dict[str, Verb]:
    return {form: verb for verb in verbs for form in (verb.base, verb.s, verb.ing)}


@cache
def heads_of(form: SubjectForm) -> Heads:
    """Return the table's heads for one kind of subject."""
    return pattern_table().heads(form)


def _pattern(row: dict[str, Any], tails: dict[str, list[str]]) -> Pattern:
    return Pattern(
        name=row["name"],
        heads=tuple(_head(head, row.get("ended", False)) for head in row["heads"]),
        takes=row["takes"],
        predicates=tuple(row.get("predicate", "").split("|")) if "predicate" in row else (),
        kind=row.get("kind", "fact"),
        polarity=row["polarity"],
        intent=row.get("intent", "assertion"),
        tails=frozenset(tails[row["tails"]]),
        waits=row.get("waits", False),
        after=frozenset(row.get("after", ())),
        single=row.get("single", False),
        momentary=row.get("momentary", False),
        alone=row.get("alone", False),
        example=row["example"],
        counter=row["counter"],
    )


def _head(text: str, ended: bool) -> Head:
    form = next(form for form in _FORMS if text.startswith(form))
    rest = text[len(form) :]
    classes = _word_classes(form)
    # A class such as <adv> brings its own trailing blank; one blank of the row stands for any white space.
    body = spaced(re.sub(r"<(\w+)>", lambda match: classes[match.group(1)], rest))
    # An auxiliary glued to the subject ("I'm") cannot be left out; a verb after a blank can ("... and live in Oslo").
    # Such a body begins with that blank.
    bare = body if text.startswith(("I ", "I<past>", "NAME ", "NAME<past>")) else None
    return Head(
        form=form,
        expression=re.compile(_SUBJECTS[form] + body + _WORD_END),
        elided=None if bare is None else re.compile(bare + _WORD_END),
        needs_ended=ended and "no longer" not in text,
        progressive="<be> <adv><ongoing>" in text,
        firsts=None if _subject_length(form) is None else first_words(body, _adverbs_before()),
        cores=None if _subject_length(form) is None else first_words(body, _passed()),
        has_verb="(?P<verb>" in body,
        has_told="(?P<told>" in body,
    )


def _subject_length(form: SubjectForm) -> int | None:
    """Return how long that kind of subject is written in a head, or None where it may be one word or another."""
    subject = _SUBJECTS[form]
    return len(subject) if subject == "" or subject.isalpha() else None


@cache
def _word_classes(form: SubjectForm) -> dict[str, str]:
    words = vocabulary()
    verbs = [verb for verb in words.verbs if verb.third] if form == "NAME" else list(words.verbs)
    have = r"(?:'s| has)" if form == "NAME" else r"(?:'ve|ve| have)"
    return {
        "adv": _adverbs(words["clause.adverbs"]),
        "thing_adv": _adverbs(words["clause.adverbs"] - {"just", "only", "simply"}),
        "not_adv": r"(?:currently |actually |personally )?",
        "do": r"(?:do )?",
        "be": r"(?:'s| is)" if form == "NAME" else r"(?:'m|m| am)",
        "have": have,
        "past": rf"(?:{have})?(?: {listed(words['clause.past_adverbs'])}){{0,2}}",
        # Without "just", which may tell of a minute ago.
        "left": rf"(?:{have})?(?: (?:finally|recently|officially|completely|fully|eventually|since)){{0,2}}",
        "dont": r"(?:do not|don't|dont)",
        "doesnt": r"(?:does not|doesn't|doesnt)",
        "base": _verb_group(verb.base for verb in verbs),
        "s": _verb_group(verb.s for verb in verbs),
        "ing": _verb_group(verb.ing for verb in verbs),
        "ongoing": _verb_group(verb.ing for verb in verbs if verb.ongoing),
        "planned": f"(?P<told>{listed(words['sets.planned'] | {verb.base for verb in verbs})})",
        "partnered": r"(?P<told>married to|engaged to|dating)",
        "stopped": r"(?:stopped|quit|ceased|gave up|given up)",
        "gave_up": r"(?:quit|gave up|given up)",
        "switched": (
            r"(?:switched|changed|swapped|migrated|transitioned|upgraded|converted)(?: over| back){0,2}"
            r"(?= (?:from|to) )"
        ),
        "moved": r"(?:moved|relocated)(?: back| over| out| here){0,2}(?= (?:from|to) )",
        "act": _verb_group(verb.s if form == "NAME" else verb.base for verb in words.habits),
        "act_base": _verb_group(verb.base for verb in words.habits),
        "acting": _verb_group(verb.ing for verb in words.habits),
        "is": r"(?:'s| is| are)",
        "isnt": r"(?: is not| isn't| isnt| are not| aren't| arent|'s not)",
        "does": _verb_group(form for verb in words.thing_verbs for form in (verb.base, verb.s)),
        "doesnt_do": (
            r"(?:does not|doesn't|doesnt|do not|don't|dont) " + _verb_group(verb.base for verb in words.thing_verbs)
        ),
        "doing": _verb_group(verb.ing for verb in words.thing_verbs),
        "open": "(?P<told>open)",
        "milestone": f"(?P<told>{listed(words['sets.milestones'])} (?:in|on))",
        "where": f"(?P<told>{listed(words['things.where'])})",
        "done": f"(?P<told>{listed(words['things.done'])})",
        "deed": f"(?P<told>{listed(words['deeds.verbs'])})",
        "did": f"(?P<told>{listed(words['things.did'])})",
        "did_too": f"(?P<told>{listed(words['things.did_too'])})",
        "happened": f"(?P<told>{listed(words['things.happened'])} (?:on|in|at))",
        "became": (
            r"(?: has| have)?(?: been| was| were| got)?(?: just| now| recently| since)? "
            rf"(?P<told>{listed(words['things.changed'])})(?: over| back)?(?= (?:from|to) )"
        ),
        "made": (
            r"(?: just| now| recently| finally| also)*"
            rf"(?: {listed(words['things.made'])})(?= (?:my|the|our) )"
        ),
        "just": r"(?: just| now| recently| finally| also)*",
    }


def _adverbs(words: frozenset[str]) -> str:
    return f"(?:{listed(words)} ){{0,2}}"


def _verb_group(forms: Iterable[str]) -> str:
    # A quotation that begins or ends right behind a verb is no object.
    return f"(?P<verb>{listed(forms)})(?!')"
