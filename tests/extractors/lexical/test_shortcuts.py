"""Everything that is passed over for speed says nothing: each shortcut is held against the plain way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from prme_extractors.lexical import (
    changes,
    claims,
    clauses,
    doings,
    doubts,
    extract_text,
    extractor,
    holders,
    reading,
    remainders,
    surroundings,
    values,
)
from prme_extractors.lexical.beginnings import first_words
from prme_extractors.lexical.clauses import split_clauses
from prme_extractors.lexical.holders import _may_open, read_holder
from prme_extractors.lexical.phrases import Phrase
from prme_extractors.lexical.reading import Reading, read_message, without_signs
from prme_extractors.lexical.splitting import cut_sentences
from prme_extractors.lexical.table import Head, Pattern, SubjectForm, heads_of, pattern_table
from prme_extractors.lexical.vocabulary import table, vocabulary
from prme_extractors.lexical.wordings import alternatives, listed, opening, phrases

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


MIXED = st.one_of(TEXTS, SIGNS, st.text(max_size=20), WORDS.map(str))


@given(MIXED)
@example("I\u00a0use\tVim\r\u2019tis \u0130 caf\u00e9_1")
def test_the_words_of_a_stretch_are_those_that_a_search_finds(text: str) -> None:
    read = read_message(text)
    assume(read is not None)

    assert isinstance(read, Reading)
    assert len(read.plain) == len(read.low) == len(read.text)
    for start in range(0, len(text), 3):
        assert re.findall(r"\w+", read.low[start:]) == read.words_in(start, len(read.low))


@given(MIXED)
@example("use`Vim\rnow\u2018x")
def test_a_text_is_flattened_as_a_table_of_characters_does_it(text: str) -> None:
    table = str.maketrans(reading._FLAT)

    assert reading._lower(text.translate(table)) == reading._lower(text)


@given(MIXED)
@example("I'm on Vim's team")
@example("it`s red!")
@example("red\rblue")
@example("red\u2028")
def test_a_bare_message_is_one_sentence_without_a_cut_or_a_quotation(text: str) -> None:
    read = read_message(text)
    assume(read is not None and read.is_bare)

    assert isinstance(read, Reading)
    end = len(read.text)
    assert cut_sentences(read.text) == [(0, end)]
    assert split_clauses(read.low, 0, end) == split_clauses(read.low, 0, end, is_bare=True)
    assert reading._merged(reading._unasserted(read.text)) == read.unasserted


@given(st.lists(st.one_of(WORDS, st.sampled_from(SAID)), max_size=6).map(" ".join))
def test_a_message_without_a_framing_word_has_no_frame(text: str) -> None:
    read = read_message(text)
    assume(read is not None)

    assert isinstance(read, Reading)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surroundings, "_framing", lambda: read.words)
        expected = surroundings._frame(read)
    assert expected == surroundings._frame(read)


@given(st.sampled_from(["clause.repairs", "clause.narrowing", "clause.qualifying", "clause.afterthoughts"]), TEXTS)
def test_what_a_clause_opens_with_is_told_by_its_first_word(key: str, text: str) -> None:
    for phrase in ("", *sorted(vocabulary()[key])):
        low = f"{phrase} {text}".lower()
        for clause in split_clauses(low, 0, len(low)):
            found = opening(key).expression.match(low, clause.start, clause.end)

            assert (found is not None) == clauses.opens_with(key, low, clause)


DATE_WORDS = ["the", "5", "5th", "12", "of", "may", "jan", "sept", "monday", "mondays", "tuesday,", "2031", "1/2/2031"]
CLOCK_WORDS = ["noon", "midnight", "9", "9am", "09:30", "pm", "utc", "h", "is", "x", "\u00b2", "2031-03-14"]
DATES = st.lists(st.sampled_from(DATE_WORDS + CLOCK_WORDS), min_size=1, max_size=4)


@given(DATES)
def test_dates_and_times_are_told_by_their_first_word(words: list[str]) -> None:
    phrase = Phrase(0, 0, tuple(words), "")
    is_time = values._CLOCK.fullmatch(phrase.key) is not None and (len(words) > 1 or not phrase.key.isdigit())

    assert (values._date().fullmatch(phrase.key) is not None) == values.is_date(phrase)
    assert is_time == values.is_clock(phrase)


@given(MIXED)
@example("a b\u00b2 c_d it's bosses' x# 5.a -a I J")
def test_the_words_of_a_thing_are_the_pieces_that_the_expression_reads(text: str) -> None:
    read = read_message(text)
    assume(read is not None)

    assert isinstance(read, Reading)
    pieces = [found and (*found.span(), found["owns"] is not None) for found in map(_piece_at(read), _starts(read.low))]
    is_read = 0 < len(pieces) <= 7 and None not in pieces and not read.low[0].isspace()

    assert (pieces if is_read else None) == holders._words(read, 0, len(text))
    for word in text.split():
        assert (holders._IDENTIFIER.match(word) is not None) == holders._is_identifier(word)


def _starts(low: str) -> list[int]:
    return [found.start() for found in re.finditer(r"\S+", low)]


def _piece_at(read: Reading) -> Callable[[int], re.Match[str] | None]:
    return lambda start: holders._PIECE.match(read.low, start)


@given(st.lists(st.one_of(WORDS, st.sampled_from(["now", "these days", "nowadays", "Again", "has died"])), max_size=5))
def test_now_and_losses_are_told_by_a_word(words: list[str]) -> None:
    low = " ".join(words).lower()
    told = frozenset(re.findall(r"\w+", low))

    assert changes.NOW.search(low) is None or not claims._NOWS.isdisjoint(told)
    assert doings._LOST.search(f" {low}") is None or not doings._LOSING.isdisjoint(told)


@pytest.mark.parametrize("end", ["", ".", "!", "?!", " ~", ", ok", " :)", " $", "... no", " too"])
def test_where_nothing_stands_beside_a_correction_nothing_undoes_it(end: str) -> None:
    texts = [pattern.example.rstrip(".") + end for pattern in pattern_table().patterns]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remainders, "has_words", lambda *_: True)
        expected = [extract_text(text) for text in texts]

    assert expected == [extract_text(text) for text in texts]
