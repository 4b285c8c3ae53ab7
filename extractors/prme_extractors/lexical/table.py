"""The table of patterns: `patterns.toml` compiled into anchored expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from prme.model.extraction import Kind, TemporalIntent
from prme_extractors.lexical.vocabulary import Verb, Vocabulary, table, vocabulary

SubjectForm = Literal["I", "MY", "NAME", "BARE"]

_FORMS: tuple[SubjectForm, ...] = ("NAME", "BARE", "MY", "I")
# Where the expression of a head starts: at the subject, or after it when the subject is read apart.
_SUBJECTS: dict[SubjectForm, str] = {"I": "i", "MY": "my", "NAME": "", "BARE": ""}
# A head ends with a word, or with the blank before the object that it looked at.
_WORD_END = r"(?:(?<=\s)|(?!\w))"


@dataclass(frozen=True, slots=True)
class Head:
    """One way a clause of a pattern begins; `elided` is the same without its subject ("... and live in Oslo")."""

    form: SubjectForm
    expression: re.Pattern[str]
    elided: re.Pattern[str] | None
    needs_ended: bool
    progressive: bool


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
    after: str | None
    single: bool
    momentary: bool
    example: str
    counter: str


@dataclass(frozen=True, slots=True)
class Table:
    """All patterns in the order in which they are tried, and the verbs by every form that a head may have matched."""

    patterns: tuple[Pattern, ...]
    verbs: dict[str, Verb]

    def heads(self, form: SubjectForm) -> tuple[tuple[Pattern, Head], ...]:
        """Return every head with that kind of subject, in order."""
        return tuple((pattern, head) for pattern in self.patterns for head in pattern.heads if head.form == form)


@cache
def pattern_table() -> Table:
    """Return the compiled table."""
    words = vocabulary()
    data = table("patterns.toml")
    patterns = tuple(_pattern(row, data["tails"], words) for row in data["pattern"])
    verbs = {form: verb for verb in words.verbs for form in (verb.base, verb.s, verb.ing)}
    return Table(patterns, verbs)


@cache
def heads_of(form: SubjectForm) -> tuple[tuple[Pattern, Head], ...]:
    """Return the table's heads for one kind of subject."""
    return pattern_table().heads(form)


def alternatives(words: Iterable[str]) -> str:
    """Return an expression for any of the words, longest first, blanks in them as white space."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(spaced(re.escape(word)) for word in ordered) + ")"


def spaced(expression: str) -> str:
    """Return the expression with every blank standing for any white space; " ?" stands for an optional one."""
    return expression.replace("\\ ", " ").replace(" ?", r"\s*").replace(" ", r"\s+")


def _pattern(row: dict[str, Any], tails: dict[str, list[str]], words: Vocabulary) -> Pattern:
    return Pattern(
        name=row["name"],
        heads=tuple(_head(head, row.get("ended", False), words) for head in row["heads"]),
        takes=row["takes"],
        predicates=tuple(row.get("predicate", "").split("|")) if "predicate" in row else (),
        kind=row.get("kind", "fact"),
        polarity=row["polarity"],
        intent=row.get("intent", "assertion"),
        tails=frozenset(tails[row["tails"]]),
        waits=row.get("waits", False),
        after=row.get("after"),
        single=row.get("single", False),
        momentary=row.get("momentary", False),
        example=row["example"],
        counter=row["counter"],
    )


def _head(text: str, ended: bool, words: Vocabulary) -> Head:
    form = next(form for form in _FORMS if text.startswith(form))
    rest = text[len(form) :]
    classes = _word_classes(form, words)
    body = re.sub(r"<(\w+)>", lambda match: classes[match.group(1)], rest)
    # A class such as <adv> brings its own trailing blank; one blank of the row stands for any white space.
    body = spaced(body)
    # An auxiliary glued to the subject ("I'm") cannot be left out; a verb after a blank can ("... and live in Oslo").
    # Such a body begins with that blank.
    bare = body if text.startswith(("I ", "I<past>", "NAME ", "NAME<past>")) else None
    return Head(
        form=form,
        expression=re.compile(_SUBJECTS[form] + body + _WORD_END),
        elided=None if bare is None else re.compile(bare + _WORD_END),
        needs_ended=ended and "no longer" not in text,
        progressive="<be> <adv><ongoing>" in text,
    )


def _adverbs(words: frozenset[str]) -> str:
    return f"(?:{alternatives(words)} ){{0,2}}"


def _word_classes(form: SubjectForm, words: Vocabulary) -> dict[str, str]:
    verbs = [verb for verb in words.verbs if verb.third] if form == "NAME" else list(words.verbs)
    have = r"(?:'s| has)" if form == "NAME" else r"(?:'ve|ve| have)"
    attributes = words["attributes.open"] | words["attributes.proper"]
    return {
        "adv": _adverbs(words["clause.adverbs"]),
        "not_adv": r"(?:currently |actually |personally )?",
        "do": r"(?:do )?",
        "be": r"(?:'s| is)" if form == "NAME" else r"(?:'m|m| am)",
        "have": have,
        "past": rf"(?:{have})?(?: {alternatives(words['clause.past_adverbs'])}){{0,2}}",
        "dont": r"(?:do not|don't|dont)",
        "doesnt": r"(?:does not|doesn't|doesnt)",
        "base": _verb_group(verb.base for verb in verbs),
        "s": _verb_group(verb.s for verb in verbs),
        "ing": _verb_group(verb.ing for verb in verbs),
        "ongoing": _verb_group(verb.ing for verb in verbs if verb.ongoing),
        "stopped": r"(?:stopped|quit|ceased|gave up|given up)",
        "gave_up": r"(?:quit|gave up|given up)",
        "switched": r"(?:switched|changed|swapped|migrated|transitioned|upgraded|converted)(?: over)?(?= (?:from|to) )",
        "moved": r"(?:moved|relocated)(?: back| over| out| here){0,2}(?= (?:from|to) )",
        "attribute": rf"(?P<attribute>(?:[\w-]+ ){{0,2}}?{alternatives(attributes)}"
        rf"|{alternatives(words['attributes.favourite'])}(?: [\w-]+){{1,3}}?)",
    }


def _verb_group(forms: Iterable[str]) -> str:
    return f"(?P<verb>{alternatives(forms)})"
