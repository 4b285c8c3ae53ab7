"""The table of patterns: `patterns.toml` compiled into anchored expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from prme.model.extraction import Kind, TemporalIntent
from prme_extractors.lexical.vocabulary import Verb, Vocabulary, table, vocabulary

SubjectForm = Literal["I", "MY", "NAME", "BARE", "THING", "IT", "AGENT", "WHAT", "FRONT", "LABEL", "ME", "CARE"]

_FORMS: tuple[SubjectForm, ...] = (
    "CARE",
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
_FIRST_WORD = re.compile(r"\w+")
# A head ends with a word, or with the blank before the object that it looked at.
_WORD_END = r"(?:(?<=\s)|(?!\w))"


@dataclass(frozen=True, slots=True)
class Head:
    """One way a clause of a pattern begins; `elided` is the same without its subject ("... and live in Oslo").

    A clause that holds none of the `keys` cannot match; without keys any may.
    """

    form: SubjectForm
    expression: re.Pattern[str]
    elided: re.Pattern[str] | None
    needs_ended: bool
    progressive: bool
    keys: frozenset[str]


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
    thing_verbs: dict[str, Verb]

    def verb(self, form: SubjectForm, written: str) -> Verb:
        """Return the verb that a head with that kind of subject has matched."""
        return (self.thing_verbs if form in {"THING", "IT"} else self.verbs)[" ".join(written.split())]

    def heads(self, form: SubjectForm) -> Heads:
        """Return every head with that kind of subject, in order."""
        rows = [(pattern, head) for pattern in self.patterns for head in pattern.heads if head.form == form]
        by_key: dict[str, list[int]] = {}
        for number, (_, head) in enumerate(rows):
            for key in head.keys:
                by_key.setdefault(key, []).append(number)
        always = frozenset(number for number, (_, head) in enumerate(rows) if not head.keys)
        return Heads(tuple(rows), always, {key: frozenset(numbers) for key, numbers in by_key.items()})


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one kind of subject, found by a word that they need."""

    rows: tuple[tuple[Pattern, Head], ...]
    always: frozenset[int]
    by_key: dict[str, frozenset[int]]

    def among(self, words: Iterable[str]) -> list[tuple[Pattern, Head]]:
        """Return the heads that a clause of these words may begin with, in the order of the table."""
        numbers = self.always.union(*(self.by_key[word] for word in words if word in self.by_key))
        return [self.rows[number] for number in sorted(numbers)]


@cache
def pattern_table() -> Table:
    """Return the compiled table."""
    words = vocabulary()
    data = table("patterns.toml")
    patterns = tuple(_pattern(row, data["tails"], words) for row in data["pattern"])
    return Table(patterns, _by_form((*words.verbs, *words.habits)), _by_form(words.thing_verbs))


def _by_form(verbs: Iterable[Verb]) -> dict[str, Verb]:
    return {form: verb for verb in verbs for form in (verb.base, verb.s, verb.ing)}


@cache
def heads_of(form: SubjectForm) -> Heads:
    """Return the table's heads for one kind of subject."""
    return pattern_table().heads(form)


def alternatives(words: Iterable[str]) -> str:
    """Return an expression for any of the words, longest first, blanks in them as white space."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(spaced(re.escape(word)) for word in ordered) + ")"


@dataclass(frozen=True, slots=True)
class Opening:
    """Phrases that may stand at the beginning of a clause, told by their first word before they are compared whole."""

    firsts: frozenset[str]
    expression: re.Pattern[str]

    def match(self, low: str, start: int, end: int) -> re.Match[str] | None:
        """Return the match at the start of `[start, end)`."""
        first = _FIRST_WORD.match(low, start, end)
        return self.expression.match(low, start, end) if first is not None and first.group() in self.firsts else None


@cache
def opening(key: str) -> Opening:
    """Return the phrases of one list of `words.toml`, as a clause may open with them."""
    phrases = vocabulary()[key]
    firsts = frozenset(found.group() for phrase in phrases if (found := _FIRST_WORD.match(phrase)))
    return Opening(firsts, re.compile(rf"{alternatives(phrases)}(?!\w)"))


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
        after=frozenset(row.get("after", ())),
        single=row.get("single", False),
        momentary=row.get("momentary", False),
        alone=row.get("alone", False),
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
        keys=_keys(form, rest, words),
    )


def _keys(form: SubjectForm, head: str, words: Vocabulary) -> frozenset[str]:
    """Return the smallest set of words of which every clause with this head holds one; none where there is no such."""
    classes = _first_words(form, words)
    needed = [classes[name] for name in re.findall(r"<(\w+)>", head) if name in classes]
    needed += [ways for ways in _ways(re.sub(r"<\w+>", " ", head)) if ways]
    return min(needed, key=len, default=frozenset())


def _ways(head: str) -> Iterator[frozenset[str]]:
    """Yield, for every word and group of a head that cannot be left out, the words that it may begin with."""
    for piece in re.finditer(r"(\((?:[^()]|\([^()]*\))*\)\??)|([a-z]+)", head):
        group, word = piece.groups()
        if word:
            yield frozenset({word})
        elif group.startswith("(?:") and not group.endswith("?"):
            ways = re.sub(r"\(.*?\)\??", "", group[3:-1]).split("|")
            yield frozenset(way.split()[0] for way in ways if way.split()) if all(map(str.strip, ways)) else frozenset()


def _first_words(form: SubjectForm, words: Vocabulary) -> dict[str, frozenset[str]]:
    """Return the first words of the word classes that cannot be left out."""

    def first(forms: Iterable[str]) -> frozenset[str]:
        return frozenset(written.split()[0] for written in forms)

    verbs = [verb for verb in words.verbs if verb.third] if form == "NAME" else list(words.verbs)
    return {
        "base": first(verb.base for verb in verbs if not verb.same_past),
        "s": first(verb.s for verb in verbs),
        "ing": first(verb.ing for verb in verbs),
        "ongoing": first(verb.ing for verb in verbs if verb.ongoing),
        "stopped": frozenset({"stopped", "quit", "ceased", "gave", "given"}),
        "gave_up": frozenset({"quit", "gave", "given"}),
        "moved": frozenset({"moved", "relocated"}),
        "act": first(verb.s if form == "NAME" else verb.base for verb in words.habits),
        "act_base": first(verb.base for verb in words.habits),
        "does": first(written for verb in words.thing_verbs for written in (verb.base, verb.s)),
        "doesnt_do": first(verb.base for verb in words.thing_verbs),
        "doing": first(verb.ing for verb in words.thing_verbs),
        "done": first(words["things.done"]),
        "did": first(words["things.did"]),
        "happened": first(words["things.happened"]),
        "became": first(words["things.changed"]),
        "made": first(words["things.made"]),
    }


def _adverbs(words: frozenset[str]) -> str:
    return f"(?:{alternatives(words)} ){{0,2}}"


def _word_classes(form: SubjectForm, words: Vocabulary) -> dict[str, str]:
    verbs = [verb for verb in words.verbs if verb.third] if form == "NAME" else list(words.verbs)
    have = r"(?:'s| has)" if form == "NAME" else r"(?:'ve|ve| have)"
    return {
        "adv": _adverbs(words["clause.adverbs"]),
        "thing_adv": _adverbs(words["clause.adverbs"] - {"just", "only", "simply"}),
        "not_adv": r"(?:currently |actually |personally )?",
        "do": r"(?:do )?",
        "be": r"(?:'s| is)" if form == "NAME" else r"(?:'m|m| am)",
        "have": have,
        "past": rf"(?:{have})?(?: {alternatives(words['clause.past_adverbs'])}){{0,2}}",
        "dont": r"(?:do not|don't|dont)",
        "doesnt": r"(?:does not|doesn't|doesnt)",
        "base": _verb_group(verb.base for verb in verbs if not verb.same_past),
        "s": _verb_group(verb.s for verb in verbs),
        "ing": _verb_group(verb.ing for verb in verbs),
        "ongoing": _verb_group(verb.ing for verb in verbs if verb.ongoing),
        "planned": f"(?P<told>{alternatives(words['sets.planned'] | {verb.base for verb in verbs})})",
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
        "where": f"(?P<told>{alternatives(words['things.where'])})",
        "done": f"(?P<told>{alternatives(words['things.done'])})",
        "did": f"(?P<told>{alternatives(words['things.did'])})",
        "happened": f"(?P<told>{alternatives(words['things.happened'])} (?:on|in|at))",
        "became": (
            r"(?: has| have)?(?: been| was| were| got)?(?: just| now| recently| since)? "
            rf"(?P<told>{alternatives(words['things.changed'])})(?: over| back)?(?= (?:from|to) )"
        ),
        "made": (
            r"(?: just| now| recently| finally| also)*"
            rf"(?: {alternatives(words['things.made'])})(?= (?:my|the|our) )"
        ),
        "just": r"(?: just| now| recently| finally| also)*",
    }


def _verb_group(forms: Iterable[str]) -> str:
    return f"(?P<verb>{alternatives(forms)})"
