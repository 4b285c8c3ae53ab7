"""The words of the lexical extractor, read once from its data files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from prme.model.extraction import Kind

ObjectKind = Literal[
    "thing",
    "place",
    "employer",
    "occupation",
    "language",
    "field",
    "proper",
    "liking",
    "somebody",
    "workfield",
    "service",
    "goods",
    "kept",
    "pursuit",
    "duty",
    "street",
    "named",
    "wish",
]

_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its forms, the predicate it stands for, and which objects it may take."""

    predicate: str
    base: str
    s: str
    ing: str
    kind: Kind
    object: ObjectKind
    ongoing: bool
    progressive: bool
    third: bool
    indefinite: bool
    same_past: bool
    brands: bool
    only: frozenset[str]
    refuse: frozenset[str]


@dataclass(frozen=True, slots=True)
class Places:
    """Known places in lower case: countries and regions apart from towns."""

    regions: frozenset[str]
    towns: frozenset[str]

    def __contains__(self, name: str) -> bool:
        return name in self.regions or name in self.towns


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every word list of `words.toml`; `lists` is keyed `section.name`."""

    verbs: tuple[Verb, ...]
    habits: tuple[Verb, ...]
    thing_verbs: tuple[Verb, ...]
    habit_nouns: dict[str, str]
    lists: dict[str, frozenset[str]]
    ordered: dict[str, tuple[str, ...]]
    max_words: int

    def __getitem__(self, key: str) -> frozenset[str]:
        return self.lists[key]


def _data(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _verb(row: dict[str, Any]) -> Verb:
    return Verb(
        predicate=row["predicate"],
        base=row["base"],
        s=row["s"],
        ing=row["ing"],
        kind=row.get("kind", "fact"),
        object=row.get("object", "thing"),
        ongoing=row.get("ongoing", False),
        progressive=row.get("progressive", False),
        third=row.get("third", False),
        indefinite=row.get("indefinite", False),
        same_past=row.get("same_past", False),
        brands=row.get("brands", False),
        only=frozenset(row.get("only", ())),
        refuse=frozenset(row.get("refuse", ())),
    )


def _regular_verb(base: str, spelling: dict[str, list[str]]) -> Verb:
    """Return a verb of which only the base is listed; its predicate is its form in the third person."""
    verb, *rest = base.split()
    particle = "".join(f" {word}" for word in rest)
    s = _third_person(verb) + particle
    ing = _gerund(verb, spelling) + particle
    return _verb({"predicate": s.replace(" ", "_"), "base": base, "s": s, "ing": ing, "third": True, "ongoing": True})


def _verbs(data: dict[str, Any], everyday: dict[str, Any], spelling: dict[str, list[str]]) -> Iterator[Verb]:
    """Yield the verbs of both files, with what `verbs.toml` adds to what they take and refuse."""
    also, refuse = everyday["also"], everyday["refuse"]
    regular = (
        replace(_regular_verb(base, spelling), object=group["object"], progressive=group.get("lasting", False))
        for group in everyday["everyday"]
        for base in group["verbs"]
    )
    for verb in (*map(_verb, data["verb"]), *map(_verb, everyday["verb"]), *regular):
        more, less = also.get(verb.predicate, ()), refuse.get(verb.predicate, ())
        yield replace(verb, only=verb.only.union(more), refuse=verb.refuse.union(less)) if more or less else verb


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb[-1] == "y" and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _gerund(verb: str, spelling: dict[str, list[str]]) -> str:
    if verb in spelling["doubled"]:
        return verb + verb[-1] + "ing"
    return (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + "ing"


def table(name: str) -> dict[str, Any]:
    """Return one of the extractor's TOML files as plain data."""
    return tomllib.loads(_data(name))


@cache
def vocabulary() -> Vocabulary:
    """Return the words of `words.toml` and the verbs of `verbs.toml`."""
    data, everyday = table("words.toml"), table("verbs.toml")
    spelling = {"doubled": [*data["spelling"]["doubled"], *everyday["spelling"]["doubled"]]}
    ordered = {
        f"{section}.{name}": tuple(words)
        for section, lists in data.items()
        if section not in {"verb", "habit_nouns", "spelling"}
        for name, words in lists.items()
        if isinstance(words, list)
    }
    ordered["everyday.refuse"] = tuple(everyday["refuse"]["any"])
    ordered |= {
        f"{section}.{name}": tuple(words)
        for section in ("deeds", "disciplines", "had", "homes", "values")
        for name, words in everyday[section].items()
    }
    does = dict.fromkeys((*data["things"]["does"], *everyday["things"]["does"]))
    habits = (*data["habits"]["verbs"], *everyday["habits"]["verbs"])
    # Each of these adds to a list of the same name.
    for key in ("habits.not_settings", "names.never"):
        section, name = key.split(".")
        ordered[key] += tuple(everyday[section][name])
    return Vocabulary(
        verbs=tuple(_verbs(data, everyday, spelling)),
        habits=tuple(_regular_verb(base, spelling) for base in habits),
        thing_verbs=tuple(_regular_verb(base, spelling) for base in does),
        habit_nouns={
            noun: predicate
            for lists in (data["habit_nouns"], everyday["habit_nouns"])
            for predicate, nouns in lists.items()
            for noun in nouns
        },
        lists={key: frozenset(words) for key, words in ordered.items()},
        ordered=ordered,
        max_words=data["phrase"]["max_words"],
    )


@cache
def word_list(key: str) -> frozenset[str]:
    """Return one list of `words.toml`."""
    return vocabulary().lists[key]


def first_words(*keys: str) -> frozenset[str]:
    """Return the first word of every phrase of some lists of `words.toml`."""
    return frozenset(phrase.split()[0] for key in keys for phrase in word_list(key))


@cache
def verbs_of_things() -> frozenset[str]:
    """Return the first words of what a thing does."""
    return frozenset(form.split()[0] for verb in vocabulary().thing_verbs for form in (verb.base, verb.s))


@cache
def places() -> Places:
    """Return the place names of `places.txt`."""
    head, towns = _data("places.txt").split("[towns]\n")
    regions = head.split("[regions]\n")[1]
    return Places(frozenset(regions.splitlines()), frozenset(towns.splitlines()))
