"""Sentences are cut where the splitter would cut them, with and without asking it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical import splitting
from prme_extractors.lexical.splitting import cut_sentences

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
