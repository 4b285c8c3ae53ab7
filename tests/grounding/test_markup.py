"""Emphasis hides no word, struck-out text asserts nothing, and a quoted line is another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.cues import _URL, _words_of_the_sentence
from prme.grounding.markup import _blocks, _within, find_quoted_lines, find_struck, without_emphasis
from prme.grounding.sentences import split_paragraphs


@pytest.mark.parametrize("mark", ["_", "__", "___", "*", "**", "~"])
def test_a_word_between_marks_of_emphasis_is_found(mark: str, outcome) -> None:
    assert outcome(f"I {mark}might{mark} use Figma.") == "hypothetical modal"
    assert outcome(f"I {mark}really{mark} use Figma.") == "asserted"


@pytest.mark.parametrize(
    "content", ["I'm _going_ to use Figma.", "I'm going *to* use Figma.", "I _want to_ use Figma."]
)
def test_a_phrase_with_an_emphasised_word_is_found(content: str, outcome) -> None:
    assert outcome(content) == "hypothetical intention"
    assert outcome(content.replace("going", "happy").replace("want", "like")) == "asserted"


@pytest.mark.parametrize("name", ["my_might_var", "if_maybe", "a_might"])
def test_a_name_with_underscores_inside_stays_whole(name: str, outcome) -> None:
    assert outcome(f"I use {name} in Figma.") == "asserted"
    assert outcome(f"I use {name.replace('_', ' ')} in Figma.") != "asserted"
    assert without_emphasis(name) == name


def test_emphasis_becomes_stars_of_the_same_length() -> None:
    assert without_emphasis("_a_ __b__ c_d _e") == "*a* **b** c_d *e"


@pytest.mark.parametrize(
    ("struck", "kept"),
    [
        ("I ~~use Figma~~", "I use Figma"),
        ("~~I use Figma.~~", "I use Figma."),
        ("~~I~~ use Figma.", "I ~~do~~ use Figma."),
        ("I <s>use Figma</s>.", "I <b>use Figma</b>."),
        ("I <del>use Figma</del>.", "I use <del>Trello</del> Figma."),
        ("~~I said so.~~ ~~I use Figma.~~", "~~I said so.~~ I use Figma."),
    ],
)
def test_a_claim_that_is_struck_out_is_hypothetical(struck: str, kept: str, outcome) -> None:
    assert outcome(struck) == "hypothetical modal"
    assert outcome(kept) == "asserted"


def test_a_second_mention_that_is_not_struck_keeps_the_claim(outcome) -> None:
    assert outcome("I use ~~Figma~~ Figma.") == "asserted"
    assert outcome("I use ~~Figma~~ ~~Figma~~.") == "hypothetical modal"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("a ~~b~~ c ~~d~~", ["b", "d"]),
        ("a ~~b c", []),
        ("a ~~b\n\nc~~ d", []),
        ("a <s>b</s> </s> c <s>d</s>", ["b", "d"]),
    ],
)
def test_strike_marks_come_in_pairs_inside_a_paragraph(text: str, inside: list[str]) -> None:
    assert [text[start:end] for start, end in find_struck(text, split_paragraphs(text))] == inside


@pytest.mark.parametrize(
    ("quoted", "own"),
    [
        ("> I use Figma.", "I use Figma."),
        (">I use Figma.", ">_< I use Figma."),
        ("> > I use Figma.", "-> I use Figma."),
        ("  > I use Figma.", ">.< I use Figma."),
        ("Bo wrote.\n> I use\n> Figma.", "Bo wrote.\nI use\nFigma."),
        (">\n> I use Figma.", "x > y and I use Figma."),
        ("```\nI use Figma.\n```", "```\nx\n```\nI use Figma."),
        ("~~~ text\nI use Figma.\n~~~", "~~~ text\nx\n~~~\nI use Figma."),
        ("```\nI use Figma.", "```x``` I use Figma."),
        ("```\na\n\nI use Figma.\n\nb\n```", "```\na\n```\n\nI use Figma.\n\n```\nb\n```"),
        ("````\n```\nI use Figma.\n````", "```\n````\nI use Figma."),
        ("```\n``` x\nI use Figma.\n```", "```\n```\nI use Figma."),
    ],
)
def test_a_quoted_line_or_fenced_block_is_a_quotation(quoted: str, own: str, outcome) -> None:
    assert outcome(quoted) == "quotation"
    assert outcome(own) == "asserted"


def test_a_reply_below_a_quoted_line_is_a_claim(outcome) -> None:
    assert outcome("> Do you use it?\nI use Figma.") == "asserted"
    assert outcome("> I like Figma\nI use Figma.", evidence_quote="I use Figma.") == "asserted"
    assert outcome("> I use Figma.\nWell.") == "quotation"


def test_a_mention_outside_the_quoted_lines_is_no_quotation(outcome) -> None:
    assert outcome("I draw with\n> Figma") == "asserted"
    assert outcome("> I draw with\n> Figma") == "quotation"


@given(st.text(alphabet="> a`~_\n*<s/>"))
def test_blocks_and_strikes_stand_in_order_inside_the_text(text: str) -> None:
    paragraphs = split_paragraphs(text)

    for spans in (find_quoted_lines(text, paragraphs), find_struck(text, paragraphs)):
        assert list(spans) == sorted(spans)
        assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert len(without_emphasis(text)) == len(text)


# With only some of these signs in a text, nothing is sought in it.
pieces = st.lists(st.sampled_from(["> ", "\n", "``", "`", "~", "~~", "<s>", "</s>", "a", " ", "\n\n"]), max_size=12)


@given(pieces.map("".join))
def test_a_text_without_the_signs_is_as_empty_as_one_that_is_read(text: str) -> None:
    paragraphs = split_paragraphs(text)

    assert find_quoted_lines(text, paragraphs) == tuple(_within(paragraphs, _blocks(text)))
    # With a pair in a paragraph of its own nothing is passed over.
    paired = f"{text}\n\n~~a~~"
    apart = find_struck(paired, split_paragraphs(paired))
    assert find_struck(text, paragraphs) == apart[:-1]


@given(st.lists(st.sampled_from(["http", "s", "://", "www.", "a", " ", "."]), max_size=8).map("".join))
def test_a_url_is_sought_wherever_one_may_stand(text: str) -> None:
    assert _words_of_the_sentence(text) == _URL.sub(lambda match: "_" * len(match.group()), text)
