"""Everything that is passed over for speed says nothing: each shortcut is held against the plain way."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from prme_extractors.lexical import clauses, doubts, extract_text, extractor, reading
from prme_extractors.lexical.beginnings import first_words
from prme_extractors.lexical.clauses import split_clauses
from prme_extractors.lexical.holders import _may_open, read_holder
from prme_extractors.lexical.reading import Reading, read_message, without_signs
from prme_extractors.lexical.table import (
    Head,
    Pattern,
    SubjectForm,
    alternatives,
    heads_of,
    listed,
    pattern_table,
    phrases,
)
from prme_extractors.lexical.vocabulary import table, vocabulary

ROWS: list[tuple[Pattern, Head]] = [(pattern, head) for pattern in pattern_table().patterns for head in pattern.heads]
FORMS: list[SubjectForm] = sorted({head.form for _, head in ROWS})
EXAMPLES = [text for pattern in pattern_table().patterns for text in (pattern.example, pattern.counter)]
WORDS = st.sampled_from(
    sorted(
        {word for words in vocabulary().lists.values() for word in words}
        | {form for verb in vocabulary().verbs for form in (verb.base, verb.s, verb.ing)}
        | {form for verb in (*vocabulary().habits, *vocabulary().thing_verbs) for form in (verb.base, verb.s, verb.ing)}
    )
)
SUBJECTS = st.sampled_from(
    [
        "I",
        "I'm",
        "Im",
        "I've",
        "My desk",
        "The logo",
        "Ann",
        "Ann Lee's",
        "It",
        "They",
        "Ticket 12",
        "A",
        "that",
        "PR #8",
    ]
)
MARKS = st.sampled_from(
    [" ", " ", " ", " ", ", ", ". ", ": ", " - ", "; ", "...", " and ", " but ", "\n", "'", "-", "?", "!"]
)
TEXTS = st.tuples(SUBJECTS, st.lists(st.tuples(st.one_of(WORDS, SUBJECTS), MARKS), max_size=8)).map(
    lambda parts: parts[0] + " " + "".join(word + mark for word, mark in parts[1])
)
SIGNS = st.text(st.sampled_from("ab I,.:;()!-'\"\u2019\u2018\u201c\u2014\u2026\n5?"), max_size=14)


def matching(form: SubjectForm, low: str) -> list[Head]:
    return [head for _, head in ROWS if head.form == form and head.expression.match(low) is not None]


def found(form: SubjectForm, low: str) -> list[Head]:
    heads = heads_of(form)
    words = without_signs(low)[heads.subject :].split()
    return [head for _, head in heads.among(words) if head.expression.match(low) is not None]


@pytest.mark.parametrize("form", FORMS)
def test_the_heads_that_are_tried_are_all_that_match(form: SubjectForm) -> None:
    heads = [head for _, head in ROWS if head.form == form]

    @settings(max_examples=200)
    @given(st.one_of([st.from_regex(head.expression) for head in heads]), TEXTS)
    def check(begin: str, rest: str) -> None:
        for low in (begin, begin + rest.lower()):
            assert matching(form, low) == found(form, low)

    check()


@given(TEXTS)
def test_in_any_clause_the_heads_that_are_tried_are_all_that_match(text: str) -> None:
    low = text.lower()

    assert [matching(form, low) for form in FORMS] == [found(form, low) for form in FORMS]


@pytest.mark.parametrize("text", EXAMPLES)
def test_in_every_example_the_heads_that_are_tried_are_all_that_match(text: str) -> None:
    starts = [text[found.start() :].lower() for found in re.finditer(r"(?<!\w)\w|\s", text)]

    assert all(matching(form, low) == found(form, low) for form in FORMS for low in starts)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (r"\s+(?:use|like\s+to)(?!\w)", {"use", "like"}),
        (r"(?:'m|m|\s+am)\s+(?:(?:really|just)\s+){0,2}into", {"into"}),
        (r"\s+don't\s+eat", {"don"}),
        (r"\s+(?:now)?", None),
        (r"\s+\d+", None),
        (r"\s+uses?", None),
        (r"\s+(?=(?:a|an)\s+)", {"a", "an"}),
        (r"(?<=\s)(?!no)yes", {"yes"}),
    ],
)
def test_the_first_words_of_an_expression(expression: str, words: set[str] | None) -> None:
    assert words == first_words(expression, frozenset({"m", "am", "really", "just"}))


@given(st.lists(WORDS, min_size=1, max_size=30, unique=True), TEXTS)
def test_alternatives_match_what_the_list_matches(words: list[str], text: str) -> None:
    def spans(expression: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(expression, f"{text} {words[0]}s {words[-1]}")]

    assert spans(listed(words)) == spans(alternatives(words))


KEYS = ["vetoes.message", "vetoes.sentence", "clause.reports", "clause.strict_conditions"]
DOUBTS = ["frames.before", "frames.imperative", "takebacks.anywhere", "takebacks.near", "takebacks.gone"]
SAID = [phrase for key in KEYS for phrase in vocabulary()[key]] + [
    phrase for key in DOUBTS for phrase in table("doubts.toml")[key.split(".")[0]][key.split(".")[1]]
]


@given(st.lists(st.one_of(WORDS, st.sampled_from(SAID)), max_size=6).map(" ".join))
def test_a_phrase_is_found_by_its_telling_word(low: str) -> None:
    words = re.findall(r"\w+", low)
    lists = [*map(phrases, KEYS), *map(doubts.anywhere, DOUBTS), doubts.gone()]

    for told in lists:
        assert (told.expression.search(low) is None) == (told.search(words, low, 0, len(low)) is None)
    assert doubts.order().search(low) is None or doubts.anywhere("frames.imperative").may_stand_among(words)
    assert ":" in low or doubts.teller().search(low) is None or doubts.may_tell(frozenset(words))


@pytest.mark.parametrize("veto", sorted(vocabulary()["vetoes.message"]))
def test_every_message_that_is_taken_back_is_told(veto: str) -> None:
    assert read_message(f"I use Vim {veto}") is None


@given(st.one_of(SIGNS, TEXTS))
@example("a -- b")
def test_clauses_are_cut_where_the_expression_cuts(text: str) -> None:
    low = text.lower()
    cuts = [match.span() for match in clauses._PUNCTUATION.finditer(low)]
    looked_at = {place.start() for place in clauses._MARK.finditer(low)}

    assert {start for start, _ in cuts} <= looked_at
    assert all(start < cut[0] or cut[1] <= start for start, _, *_ in split_clauses(low, 0, len(low)) for cut in cuts)


@given(SIGNS)
def test_quotation_marks_are_seen_as_the_plain_expression_sees_them(text: str) -> None:
    plain = re.compile("[\"\u201c\u201d\u201e\u00ab\u00bb]|(?<!\\w)['\u2018\u2019]|['\u2019](?!\\w)")

    assert (plain.search(text) is None) == (reading._QUOTATION_MARK.search(text) is None)


@given(TEXTS)
@example("A's 3 it is")
def test_what_opens_no_thing_is_none_before_any_verb(text: str) -> None:
    read = read_message(text)
    assume(read is not None and not _may_open(read, 0, len(text)))

    assert isinstance(read, Reading)
    assert [None] == list({read_holder(read, 0, word.end()) for word in re.finditer(r"[\w']+(?=\s)|\Z", read.low)})


@given(TEXTS, st.sampled_from(["ann", "a-b", "logo", "it", "i"]))
@example("annann ann", "ann")
def test_a_word_is_written_where_it_stands_whole(text: str, word: str) -> None:
    text = f"{text} Ann anna a-b-c"
    read = read_message(text)
    assume(read is not None)

    assert isinstance(read, Reading)
    assert (re.search(rf"(?<!\w){word}(?!\w)", read.text) is not None) == read.writes(word)


@given(st.lists(TEXTS, min_size=1, max_size=3).map(" ".join))
def test_a_sentence_without_a_needed_word_says_nothing(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extractor, "_may_say", lambda *_: True)
        expected = extract_text(text)

    assert expected == extract_text(text)


@pytest.mark.parametrize("trait", sorted(vocabulary()["sets.diets"]))
def test_every_trait_is_read(trait: str) -> None:
    assert [trait] == [claim.object for claim in extract_text(f"I'm {trait}.").claims]


EMOJI = "\U0001f602\U0001f609\U0001f60f\U0001f61b-\U0001f61d\U0001f643\U0001f644\U0001f921\U0001f923\U0001f92a"
IRONY = (
    rf"(?<!\w)(?:[;:=8]-?[pdb](?![\w/])|;-?[)\]}}])|[{EMOJI}]"
    r"|(?<!\w)(?:s+u{2,}re+|ri{2,}ght|no{3,}t|yeah,? sure|yeah,? right)(?!\w)"
)
LAUGHTER = r"(?<!\w)(?:xd+|(?:ha){2,}h?|he(?:he)+|lol\w*|lmf?ao|rofl)(?!\w)"
SIGNS_OF_IRONY = [
    *";:=8-pdb)]}/ ,\nsurexhla",
    "\U0001f602",
    "\U0001f61c",
    "suuure",
    "ssuure",
    "riight",
    "nooot",
    "yeah, right",
]
SIGNS_OF_LAUGHTER = ["yeah sure", "xd", "haha", "hah", "hehehe", "lolz", "lmfao", "lmao", "rofl"]
LAUGHING = st.lists(st.sampled_from(SIGNS_OF_IRONY + SIGNS_OF_LAUGHTER), max_size=6).map("".join)


@given(LAUGHING)
def test_irony_and_laughter_are_found_where_the_plain_expressions_find_them(low: str) -> None:
    def spans(expression: str | re.Pattern[str]) -> list[tuple[int, int]]:
        return [found.span() for found in re.finditer(expression, low)]

    assert spans(IRONY) == spans(doubts.irony())
    assert spans(f"{IRONY}|{LAUGHTER}") == spans(doubts.amusement())
