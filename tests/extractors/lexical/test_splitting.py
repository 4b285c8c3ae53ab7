"""Sentences are cut where the splitter would cut them, with and without asking it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syntok._segmentation_states import State

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical import splitting
from prme_extractors.lexical.splitting import cut_sentences
from prme_extractors.lexical.stops import cuts_at_stops
from prme_extractors.lexical.vocabulary import vocabulary

WORDS = st.sampled_from(
    ["I", "use", "Vim", "on", "May", "5", "2.5", "Dr", "etc", "no", "AWS", "B", "then", "The", "it's", "v2", "IV",
     "15th", "Q2", "Sun", "co", "node.js", "e.g", "don't", "Rust/Go", "x"]
)  # fmt: skip
MARKS = st.sampled_from([" ", " ", " ", ". ", "! ", "? ", "... ", ", ", "?! ", ".", "\n"])
TEXTS = st.lists(st.tuples(WORDS, MARKS), min_size=1, max_size=12).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)


@given(TEXTS)
def test_every_cut_is_the_splitters(text: str) -> None:
    assert list(split_sentences(text)) == list(cut_sentences(text))


@pytest.mark.parametrize(
    "text",
    [
        "I use Vim. It helps. Thanks!",
        "I use Vim! Do you? Ann does.",
        "I live in SF. My AWS bill is high.",
        "ok. so be it",
    ],
)
def test_a_clear_line_is_cut_without_the_splitter(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(split_sentences(text))
    monkeypatch.setattr(splitting, "split_sentences", lambda line: pytest.fail(f"asked about {line!r}"))

    assert expected == list(cut_sentences(text))


def test_a_smiley_stays_with_the_sentence_before_it() -> None:
    text = "I use Vim. :)"

    assert [text] == [text[start:end] for start, end in cut_sentences(text)]


PIECES = st.sampled_from(
    ["I", "use", "Vim", "May", "5", "2.5", "Dr", "Prof", "etc", "no", "No", "NO", "AWS", "B", "then", "The", "it's",
     "IV", "15th", "Q2", "co", "node.js", "e.g", "p.m", "U.S", "Rust/Go", "NeurIPS", "PhD", "$12M", "1,500", "2019",
     "11:45", "(like this)", "(no, etc.)", "(", ")", "'this", "that'", '"so', 'so"', "\u2014", "Gen", "Z", "That",
     "re-use", "Jan", "Abs", "ago", "o'clock", "#A29B", "50%", "\u00e9t\u00e9", "...so", "wow!bar", "Foo.Bar",
     "1)", "[?]", "a;b", "limit:", "3", "0", "x,", "Owner"]
)  # fmt: skip
LINES = st.lists(st.tuples(PIECES, st.one_of(MARKS, st.sampled_from(['." ', "!\u201d ", ".) ", " (", ". (", "., "]))))
DECIDED = LINES.map(lambda pairs: "".join(word + mark for word, mark in pairs).strip())


@given(DECIDED)
def test_every_stop_that_is_decided_is_decided_as_the_splitter_does(text: str) -> None:
    for line in text.splitlines():
        cuts = cuts_at_stops(line.strip())

        assert cuts is None or cuts == [start for start, _ in split_sentences(line.strip())][1:]


@pytest.mark.parametrize(
    "text",
    [
        "I work with Prof. Chen. He likes tea.",
        "It went from 0.71 to 0.76. The cost fell. 500K views came.",
        "Retry limit: 3. Owner: team Finch. I have 2. Ann has one.",
        "I target Gen Z. Right now I work from 11:45 on. Also at night.",
        "We use experts (MoE) now. I like the tools (babel, webpack, etc.) a lot.",
        "He said 'this is it' once. I use Next.js. Then I left at 9 p.m. because of rain.",
    ],
)
def test_a_line_with_decided_stops_is_cut_without_the_splitter(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(split_sentences(text))
    monkeypatch.setattr(splitting, "split_sentences", lambda line: pytest.fail(f"asked about {line!r}"))

    assert expected == list(cut_sentences(text))


def test_the_words_at_stops_are_the_splitters() -> None:
    lists = vocabulary()
    unclear = lists["splitting.unclear"] | lists["splitting.also_unclear"]

    assert {word.lower() for word in State.starters} == lists["splitting.starters"]
    assert all(word.istitle() for word in State.starters)
    assert {title.capitalize() for title in lists["splitting.titles"]} <= State.abbreviations
    assert {word.lower() for word in State.abbreviations | State.months if word.isascii()} <= unclear
