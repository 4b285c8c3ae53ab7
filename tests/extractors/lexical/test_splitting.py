"""Sentences are cut where the splitter would cut them, with and without asking it, and behind a small letter too."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from syntok._segmentation_states import State

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical import extract_text, splitting
from prme_extractors.lexical.splitting import _with_capitals, cut_sentences
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
    assert list(split_sentences(_with_capitals(text))) == list(cut_sentences(text))


@pytest.mark.parametrize(
    "text",
    [
        "I use Vim. It helps. Thanks!",
        "I use Vim! Do you? Ann does.",
        "I live in SF. My AWS bill is high.",
        "ok. for now it is",
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


# What may stand in one message, each beginning with a word that opens a sentence in small letters too.
STATEMENTS = st.sampled_from(
    ["I use Vim", "I stopped using Notion", "I no longer use Slack", "I switched from Figma to Penpot", "I like tea",
     "I don't use Slack anymore", "I'm off metformin", "I've been off metformin since Monday", "My dog died last year",
     "My logo is green", "My editor is Vim", "My favourite food is salad", "I don't eat pasta anymore",
     "The scan is on Friday", "The palette is not teal", "The demo is on floor 5, not floor 2", "It's coral",
     "It is on floor 3", "He died last year", "She said I don't use Slack", "They moved out", "But I do at work",
     "But only at home", "So I use Emacs", "Now I use Emacs", "Also I use Slack", "Then I came back", "This is a lie",
     "That's not true", "There is no Slack here", "No, I use Emacs", "No", "Yes", "Yeah right", "Not really", "Not Vim",
     "Not anymore", "Actually, I use Emacs", "Actually no", "Wait, I meant Slack", "Sorry, I use Emacs", "Thanks",
     "And Slack", "And I use Slack", "Just kidding", "Still using it", "I think", "I used to use Emacs",
     "We dropped Quillset from the crawler", "It was time", "Lol", "Because it broke", "I forgot"]
)  # fmt: skip
STOPS = st.sampled_from([". ", ". ", ". ", "! ", "... ", "? ", ".  ", ".\n"])
MESSAGES = st.lists(st.tuples(STATEMENTS, STOPS), min_size=2, max_size=4)


@given(MESSAGES)
@example([("I stopped using Notion", ". "), ("I use Vim", ". ")])
@example([("I no longer use Slack", ". "), ("But I do at work", ". ")])
def test_a_sentence_in_small_letters_says_what_it_says_with_a_capital(message: list[tuple[str, str]]) -> None:
    first, *later = message
    capital = "".join(sentence + stop for sentence, stop in message)
    small = "".join((*first, *(sentence[0].lower() + sentence[1:] + stop for sentence, stop in later)))

    assert list(cut_sentences(capital)) == list(cut_sentences(small))
    assert claimed(capital) == claimed(small)


def claimed(text: str) -> set[str]:
    return {claim.model_dump_json().lower() for claim in extract_text(text).claims}


@pytest.mark.parametrize("word", sorted(vocabulary()["splitting.openings"]))
def test_a_statement_may_begin_with_a_small_letter(word: str) -> None:
    text = f"I like tea. {word} whatever"

    assert ["I like tea.", f"{word} whatever"] == [text[start:end] for start, end in cut_sentences(text)]


@pytest.mark.parametrize("before", [*sorted(vocabulary()["splitting.abbreviations"]), "b"])
def test_behind_an_abbreviation_a_small_letter_opens_nothing(before: str) -> None:
    text = f"I like tea {before}. i use Vim"

    assert [(0, len(text))] == list(cut_sentences(text))


def test_another_word_in_small_letters_opens_nothing() -> None:
    assert extract_text("i like tea. sometimes").claims == []
    assert [claim.object for claim in extract_text("i like tea. i use vim").claims] == ["tea", "vim"]
