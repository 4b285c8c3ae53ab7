"""What the gate admits, what it changes and what it records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding import ground
from prme.model.extraction import ExtractedClaim, Extraction
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

SAID_AT = datetime(2031, 4, 1, 9, 0, tzinfo=UTC)


# --- membership --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["subject", "predicate", "object"])
def test_a_blank_part_rejects_the_claim(field: str, outcome) -> None:
    assert outcome("I use Figma.", **{field: " \n"}) == f"{field}_blank"


def test_a_predicate_of_separators_is_blank(outcome) -> None:
    assert outcome("I use Figma.", predicate="_-_") == "predicate_blank"


def test_subject_and_object_must_be_mentioned(outcome) -> None:
    assert outcome("Nadia uses Figma.") == "subject_not_mentioned"
    assert outcome("I use Penpot.") == "object_not_mentioned"
    assert outcome("Nobody here.") == "subject_not_mentioned"
    assert outcome("I use Figma.") == "asserted"


@pytest.mark.parametrize("quote", ["", "  ", "\n"])
def test_a_blank_quote_rejects_the_claim(quote: str, outcome) -> None:
    assert outcome("I use Figma.", evidence_quote=quote) == "quote_blank"


def test_an_invented_quote_rejects_the_claim(outcome) -> None:
    assert outcome("I use Figma.", evidence_quote="I always use Figma.") == "quote_not_found"
    assert outcome("I use Figma.", evidence_quote="I use Figma.") == "asserted"


def test_marks_case_and_blanks_of_a_quote_may_differ(outcome) -> None:
    assert outcome("I like  “Maus”\n a lot.", object="Maus", evidence_quote="i like 'MAUS' a lot") == "asserted"


def test_a_quote_found_once_limits_the_passage_to_its_paragraph(outcome) -> None:
    content = "I am here.\n\nFigma is used daily.\n\nFigma again."

    assert outcome(content, evidence_quote="Figma is used daily.") == "subject_not_mentioned"
    assert outcome(content) == "asserted"
    assert outcome(content, evidence_quote="I am here. Figma is used daily.") == "asserted"


def test_a_quote_found_twice_leaves_the_whole_content(outcome) -> None:
    assert outcome("I am here.\n\nFigma.\n\nFigma.", evidence_quote="Figma.") == "asserted"


def test_a_mention_that_leaves_the_passage_is_none(outcome) -> None:
    content = "I saw New\n\nYork."

    assert outcome(content, object="New York", evidence_quote="I saw New") == "object_not_mentioned"
    assert outcome(content, object="New York") == "asserted"


def test_a_rejected_claim_leaves_its_siblings() -> None:
    claims = tuple(ExtractedClaim(subject="I", predicate="uses", object=value) for value in ("Figma", "Elm", "Vim"))
    grounding = ground("I use Figma and Vim.", SAID_AT, Extraction(claims=claims), SPEECH_ACT_WORDS_V14)

    assert [claim.position for claim in grounding.admitted] == [0, 2]
    assert [(claim.position, claim.reason) for claim in grounding.rejected] == [(1, "object_not_mentioned")]


def test_no_claims_ground_to_nothing() -> None:
    grounding = ground("Hello.", SAID_AT, Extraction(), SPEECH_ACT_WORDS_V14)

    assert (grounding.admitted, grounding.rejected) == ((), ())


# --- own sentences -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("Hi. I use Figma. Bye.", "I use Figma."),
        ("I draw. With Figma. Bye.", "I draw. With Figma."),
        ("I am. So it is. Figma. I use Figma.", "I use Figma."),
        ("I use Figma. Yes, I use Figma.", "I use Figma."),
        ("Figma! Hm. I do. Figma.", "I do. Figma."),
        ("- I use Figma\n- I use Vim", "- I use Figma"),
        ("I use\nFigma now", "I use\nFigma now"),
    ],
)
def test_the_own_sentences_are_the_shortest_run_with_both_mentions(content: str, own: str, ground_one) -> None:
    assert ground_one(content).content == own


def test_of_several_shortest_runs_the_one_on_the_quote_is_taken(ground_one) -> None:
    content = "I use Figma. Also, I use Figma daily. And I use Figma."

    assert ground_one(content, evidence_quote="Figma daily").content == "Also, I use Figma daily."
    assert ground_one(content).content == "I use Figma."


def test_a_shorter_run_wins_over_a_longer_one_on_the_quote(ground_one) -> None:
    content = "I use Figma. Figma, Figma. So I say hello."

    assert ground_one(content, evidence_quote="Figma, Figma.").content == "I use Figma."


def test_an_object_may_run_over_a_line_break(ground_one) -> None:
    claim = ground_one("Hi.\nI live in New\nYork now.\nBye.", predicate="lives_in", object="New York")

    assert claim.content == "I live in New\nYork now."


def test_spans_slice_to_the_content(ground_one) -> None:
    content = "ﬁne.  \n I like cafe\u0301 “Straße” ½ a lot.  İt is."
    claim = ground_one(content, predicate="likes", object="CAFÉ 'strasse'")

    assert [content[span.start : span.end] for span in claim.spans] == [claim.content]
    assert claim.content == "I like cafe\u0301 “Straße” ½ a lot."


# --- changes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicate", "stored", "changes"),
    [
        ("works_at", "works_at", ()),
        (" works_at ", "works_at", ()),
        ("Works at", "works_at", ("predicate_normalised",)),
        ("works-at", "works_at", ("predicate_normalised",)),
        ("WORKS_AT", "works_at", ("predicate_normalised",)),
    ],
)
def test_a_predicate_is_stored_in_snake_case(predicate: str, stored: str, changes: tuple[str, ...], ground_one) -> None:
    claim = ground_one("I use Figma.", predicate=predicate)

    assert (claim.predicate, claim.changes) == (stored, changes)


def test_a_former_value_must_stand_in_the_passage(ground_one) -> None:
    content = "Penpot was fine.\n\nI switched to Figma from Sketch."
    quote = "I switched to Figma from Sketch."
    kept = ground_one(content, replaces_object="sketch", evidence_quote=quote)
    dropped = ground_one(content, replaces_object="Penpot", evidence_quote=quote)

    assert (kept.replaces_object, kept.changes) == ("sketch", ())
    assert (dropped.replaces_object, dropped.changes) == (None, ("replaces_object_unsupported",))


def test_a_condition_must_be_a_span_of_the_passage(ground_one) -> None:
    content = "If approved, I use Figma."
    supported = ground_one(content, condition="IF approved")
    invented = ground_one(content, condition="if the moon is full")
    blank = ground_one("I use Figma.", condition=" ")

    assert (supported.condition_supported, supported.changes) == (True, ())
    assert (invented.condition, invented.condition_supported) == ("if the moon is full", False)
    assert (invented.epistemic_type, invented.changes) == ("asserted", ("condition_unsupported",))
    assert (blank.condition_supported, blank.changes) == (False, ("condition_unsupported",))
    assert ground_one("I use Figma.").condition_supported is None


def test_a_conditional_label_needs_a_supported_condition(ground_one) -> None:
    content = "If approved, I use Figma."
    supported = ground_one(content, condition="If approved", epistemic_type="conditional")
    invented = ground_one(content, condition="if it rains", epistemic_type="conditional")

    assert (supported.epistemic_type, supported.changes) == ("conditional", ())
    assert invented.epistemic_type == "hypothetical"
    assert invented.changes == ("condition_unsupported", "conditional_without_support")


@pytest.mark.parametrize(
    ("temporal_ref", "effective_at", "changes"),
    [
        (None, SAID_AT, ()),
        ("two weeks ago", datetime(2031, 3, 18, 9, tzinfo=UTC), ()),
        ("TWO  weeks ago", datetime(2031, 3, 18, 9, tzinfo=UTC), ()),
        ("three weeks ago", SAID_AT, ("temporal_ref_unsupported",)),
        (" ", SAID_AT, ("temporal_ref_unsupported",)),
        ("Figma", SAID_AT, ("temporal_ref_unparsed",)),
        ("two weeks ago" + " " * 88, SAID_AT, ("temporal_ref_too_long",)),
        ("two weeks ago" + " " * 87, datetime(2031, 3, 18, 9, tzinfo=UTC), ()),
    ],
)
def test_the_effective_time_follows_the_words_or_the_message(
    temporal_ref: str | None, effective_at: datetime, changes: tuple[str, ...], ground_one
) -> None:
    claim = ground_one("I dropped Figma two weeks ago.", temporal_ref=temporal_ref)

    assert (claim.effective_at, claim.changes, claim.epistemic_type) == (effective_at, changes, "asserted")


def test_a_future_time_is_not_taken(ground_one) -> None:
    future = ground_one("I stop using Figma next week.", temporal_ref="next week")
    past = ground_one("I stopped using Figma last week.", temporal_ref="last week")

    assert (future.effective_at, future.epistemic_type) == (SAID_AT, "hypothetical")
    assert future.changes == ("temporal_ref_future",)
    assert (past.effective_at, past.epistemic_type) == (SAID_AT - timedelta(weeks=1), "asserted")


def test_the_effective_time_is_utc() -> None:
    said_at = datetime(2031, 4, 1, 9, 0, tzinfo=timezone(timedelta(hours=2)))
    extraction = Extraction(claims=(ExtractedClaim(subject="I", predicate="uses", object="Figma"),))
    (claim,) = ground("I use Figma.", said_at, extraction, SPEECH_ACT_WORDS_V14).admitted

    assert claim.effective_at.isoformat() == "2031-04-01T07:00:00+00:00"


def test_the_other_fields_pass_as_they_came(ground_one) -> None:
    fields = {
        "kind": "preference",
        "polarity": "negative",
        "temporal_intent": "update",
        "confidence": Decimal("0.7"),
        "subject_entity_type": "person",
        "object_entity_type": "tool",
    }
    claim = ground_one("I use Figma.", subject=" i", object="FIGMA ", **fields)

    assert {name: getattr(claim, name) for name in fields} == fields
    assert (claim.subject, claim.object) == (" i", "FIGMA ")


# --- any input ---------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("I", "Figma", "if", "might", "says", "Bo", "heard", "that", "going to", "see if", "but", "let me", "to"),
        *("?", ".", ",", "\n", "\n\n", "'", '"', "“", "”", " ", "\u2028", "next week"),
        *("ﬁ", "İ", "½", "e\u0301", "\u0301", "我", "\u00a8"),
    ]
)
CONTENTS = (
    st.lists(PIECES, min_size=1, max_size=15).map(" ".join) | st.lists(PIECES, min_size=1).map("".join) | st.text()
)
CLAIMS = st.builds(
    ExtractedClaim,
    subject=PIECES | st.text(max_size=3),
    predicate=st.sampled_from(["uses", "Works At", "says", "_"]),
    object=PIECES | st.text(max_size=3),
    epistemic_type=st.sampled_from(["asserted", "observed", "conditional", "inferred"]),
    condition=st.none() | PIECES,
    replaces_object=st.none() | PIECES,
    temporal_ref=st.none() | PIECES,
    evidence_quote=st.none() | PIECES,
)


@given(CONTENTS, st.lists(CLAIMS, max_size=4))
def test_every_claim_is_admitted_or_rejected_and_every_span_slices_back(
    content: str, claims: list[ExtractedClaim]
) -> None:
    grounding = ground(content, SAID_AT, Extraction(claims=tuple(claims)), SPEECH_ACT_WORDS_V14)
    positions = [claim.position for claim in (*grounding.admitted, *grounding.rejected)]

    assert sorted(positions) == list(range(len(claims)))
    for claim in grounding.admitted:
        assert [content[span.start : span.end] for span in claim.spans] == [claim.content]
        assert claim.content == claim.content.strip() != ""
        assert claim.effective_at <= SAID_AT


@given(CONTENTS, st.lists(CLAIMS, max_size=3))
def test_grounding_twice_gives_the_same(content: str, claims: list[ExtractedClaim]) -> None:
    extraction = Extraction(claims=tuple(claims))

    assert ground(content, SAID_AT, extraction, SPEECH_ACT_WORDS_V14) == ground(
        content, SAID_AT, extraction, SPEECH_ACT_WORDS_V14
    )
