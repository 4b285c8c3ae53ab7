"""Misspelt function words are read as they were meant; what a claim copies is what was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme import MemoryClient
from prme_extractors.lexical import explain, extract_text
from prme_extractors.lexical.mending import _meant, mend

TYPOS = sorted(_meant().items())


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("I use Slack.", "i dont use slack anymroe"),
        ("I use Slack.", "I nolonger use Slack."),
        ("I use Slack.", "I no  longr use Slack"),
        ("I use Slack.", "I stoped using Slack"),
        ("I use Slack.", "I Swiched frm Slack to Teams"),
        ("I live in Porto.", "I moved form Porto to Braga."),
        ("The logo is red.", "Teh logo is green nwo, not red."),
    ],
)
def test_a_misspelt_change_retires_what_it_names(before: str, message: str):
    with MemoryClient(":memory:") as memory:
        told = memory.ingest(before, user_id="sam", first_person_owner=True)
        receipt = memory.ingest(message, user_id="sam", first_person_owner=True)

        assert receipt.retired == told.claims


@pytest.mark.parametrize("message", ["I dont use slack anymroe, my form says", "I filled a form with teh date"])
def test_a_typo_makes_no_claim_where_the_word_would_make_none(message: str):
    assert not extract_text(message).claims


def test_every_text_of_a_claim_is_a_piece_of_the_message():
    message = "I swiched frm Trello to Linear, adn I dont use Slack anymroe."
    claims = extract_text(message).claims

    assert {claim.object for claim in claims if claim.predicate == "uses"} == {"Linear", "Slack"}
    assert all(claim.evidence_quote in message and claim.object in message for claim in claims)
    assert any("anymroe" in claim.evidence_quote for claim in claims)


def test_an_explanation_has_the_places_of_the_message():
    message = "I like tea. I dont use slack anymroe. I play chess."

    assert [message[clause.start : clause.end] for clause in explain(message).clauses] == [
        clause.text for clause in explain(message).clauses
    ]
    assert "anymroe" in explain(message).clauses[1].text


@pytest.mark.parametrize(("word", "meant"), TYPOS)
def test_a_misspelt_word_is_mended_and_stays_in_what_was_written(word: str, meant: str):
    text, written = mend(f"so {word}, then")

    assert text == f"so {meant}, then"
    assert written.between(0, len(text)) == f"so {word}, then"
    assert written.between(3, 3 + len(meant)) == word


@pytest.mark.parametrize("text", ["informs us", "then-form", "the adnoun", "don't", "anymore", "X'frm"])
def test_parts_of_words_and_right_words_are_left(text: str):
    assert mend(text)[0] == text


def test_no_misspelt_word_is_the_right_one_for_another():
    assert not {word for word, _ in TYPOS} & {meant for _, meant in TYPOS}


@given(st.lists(st.sampled_from([word for word, _ in TYPOS] + ["ok", "I", "\U0001f600", "  ", "\n"])), st.data())
def test_every_stretch_leads_back_to_the_message(words: list[str], data: st.DataObject):
    message = " ".join(words)
    text, written = mend(message)
    place = data.draw(st.integers(0, len(text)))

    assert written.between(0, place) + written.between(place, len(text)) == message
    assert 0 <= written.at(place) <= len(message)
