"""The same event and extraction always give the same bytes, and the bytes hold everything a replay needs (SPEC 7)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import dateparser
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from prme import ids
from prme.clock import utc_text
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction
from prme.model.plan import ExtractionPlan, ExtractorIdentity, PlanOptions
from prme.plan.codec import decode_plan
from prme.plan.document import PLAN_FORMAT
from prme.plan.rule_claims import rule_claims
from tests.plan.plans import ANSWER, FIGMA, OCCURRED_AT, RECEIVED_AT, event, prepared, texts

ROOT = Path(__file__).parents[2]


def document(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)
    return found


def extraction(**claim: Any) -> Extraction:
    return Extraction(claims=(FIGMA.model_copy(update=claim),))


def test_a_plan_has_exactly_these_parts():
    assert set(document(prepared().data)) == {
        "checksum",
        "claims",
        "entities",
        "event",
        "extraction",
        "extractor",
        "format",
        "options",
        "plan_id",
        "policy",
        "rejected",
    }


def test_the_checksum_sorts_before_every_other_part():
    assert min(set(ExtractionPlan.model_fields)) == "checksum"


def test_a_plan_names_its_format_policy_extractor_and_options():
    identity = ExtractorIdentity(name="anthropic", model="large", prompt_digest="sha256:00")

    plan = prepared(
        policy="speech_act_v13", extractor=identity, options=PlanOptions(enable_speaker_references=False)
    ).plan

    assert (plan.format, plan.policy, plan.extractor) == (PLAN_FORMAT, "speech_act_v13", identity)
    assert plan.options == PlanOptions(enable_speaker_references=False)


def test_ids_are_derived_from_event_policy_and_position():
    only_second = Extraction(claims=(ANSWER.claims[1], FIGMA))
    plan = prepared(extraction=only_second).plan

    assert plan.plan_id == ids.plan_id(event().id, "speech_act_v14")
    assert [(claim.id, claim.position) for claim in plan.claims] == [(ids.claim_id(event().id, 1), 1)]


def test_an_admitted_claim_holds_its_subject_evidence_and_time():
    [claim] = prepared().plan.claims

    assert claim.subject_id == ids.owner_identity("u1", "personal")
    assert [event().content[span.start : span.end] for span in claim.evidence] == [
        span.quote for span in claim.evidence
    ]
    assert {span.event_id for span in claim.evidence} == {event().id}
    assert claim.evidence[0].quote == claim.content == "I work with Figma \U0001f980."
    assert (claim.predicate, claim.effective_at) == ("works_with", OCCURRED_AT)


def test_a_rejected_claim_is_recorded_with_its_position_and_reason():
    [rejected] = prepared().plan.rejected

    assert (rejected.position, bool(rejected.reason)) == (1, True)


def test_the_extraction_is_kept_as_it_was_received():
    assert decode_plan(prepared().data).extraction == ANSWER


def test_the_entities_of_the_extraction_get_their_identities():
    [entity] = prepared().plan.entities

    assert (entity.id, entity.entity_type) == (ids.entity_id("u1", "personal", "tool", "Figma"), "tool")


def test_an_empty_extraction_is_a_plan_too():
    assert decode_plan(prepared(extraction=Extraction()).data) == prepared(extraction=Extraction()).plan


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        ("1E-7", "0.0000001"),
        ("0", "0"),
        ("1", "1"),
        ("1E+0", "1"),
        ("0.90", "0.90"),
        ("0.9", "0.9"),
        ("0.12345678901234567890", "0.12345678901234567890"),
    ],
)
def test_confidence_is_a_plain_decimal_string(confidence: str, text: str):
    plan = document(prepared(extraction=extraction(confidence=Decimal(confidence))).data)

    assert (plan["claims"][0]["confidence"], plan["extraction"]["claims"][0]["confidence"]) == (text, text)


def test_confidence_that_was_not_given_is_null():
    plan = document(prepared(extraction=extraction(confidence=None)).data)

    assert (plan["claims"][0]["confidence"], plan["extraction"]["claims"][0]["confidence"]) == (None, None)


def test_metadata_travels_as_one_canonical_string():
    plan = prepared(event(metadata={"b": 0.1, "a": 1e-7, "c": 1e21, "d": -0.0}))

    assert document(plan.data)["event"]["metadata_json"] == '{"a":1e-7,"b":0.1,"c":1e+21,"d":0}'
    assert decode_plan(plan.data).event.metadata == {"a": 1e-7, "b": 0.1, "c": 1e21, "d": 0}


def test_times_are_utc_text_with_six_digits():
    found = document(prepared().data)["event"]

    assert (found["occurred_at"], found["received_at"]) == (
        "2031-04-01T09:00:00.000000Z",
        "2031-04-01T10:00:00.000007Z",
    )


def test_an_instant_is_the_same_bytes_in_every_time_zone():
    elsewhere = timezone(timedelta(hours=5, minutes=45))
    local = event(occurred_at=OCCURRED_AT.astimezone(elsewhere), received_at=RECEIVED_AT.astimezone(elsewhere))

    assert prepared(local).data == prepared().data


def floats(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [found for each in value.values() for found in floats(each)]
    if isinstance(value, list):
        return [found for each in value for found in floats(each)]
    return [value] if isinstance(value, float) else []


def test_no_float_enters_the_document():
    plan = prepared(event(metadata={"share": 0.5}), extraction(confidence=Decimal("0.5")))

    assert floats(document(plan.data)) == []


claims = st.builds(
    ExtractedClaim,
    subject=st.sampled_from(["I", "Nadia"]),
    predicate=texts,
    object=texts,
    kind=st.sampled_from(["fact", "preference", "decision"]),
    polarity=st.sampled_from(["positive", "negative", "unknown"]),
    epistemic_type=st.sampled_from(["observed", "asserted", "inferred", "unverified"]),
    condition=st.none() | texts,
    replaces_object=st.none() | texts,
    evidence_quote=st.none() | texts,
    confidence=st.none() | st.decimals(0, 1, allow_nan=False),
    subject_entity_type=st.none() | texts,
)
extractions = st.builds(
    Extraction,
    entities=st.lists(st.builds(ExtractedEntity, name=texts, entity_type=texts), max_size=3).map(tuple),
    claims=st.lists(claims, max_size=3).map(tuple),
)
contents = st.lists(texts | st.sampled_from(["I use Figma. ", "Nadia "]), min_size=1).map("".join)
metadata = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(contents, extractions, st.none() | st.dictionaries(texts, metadata, max_size=3))
@settings(max_examples=150)
def test_any_plan_is_rfc_8785_and_reads_back(content: str, answer: Extraction, extra: dict[str, Any] | None):
    of = event(content, metadata=extra)
    # The object of the first claim stands in the message, so that some claims are admitted.
    for claim in answer.claims[:1]:
        of = event(f"{content} I {claim.object}.", metadata=extra)

    plan = prepared(of, answer)

    assert rfc8785.dumps(document(plan.data)) == plan.data
    assert decode_plan(plan.data) == plan.plan
    assert prepared(of, answer).data == plan.data


IN_ANOTHER_PROCESS = """
import sys
from tests.plan.plans import event, prepared
from tests.plan.test_prepare import extraction
of = event("Since two weeks ago I work with Figma.", metadata={"b": [1.5], "a": {"d": 1, "c": 2}})
sys.stdout.buffer.write(prepared(of, extraction(temporal_ref="two weeks ago")).data)
"""


def data_of_another_process(**environment: str) -> bytes:
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        check=True,
    ).stdout


def test_other_processes_give_the_same_bytes_whatever_their_hash_seed_and_time_zone():
    one = data_of_another_process(PYTHONHASHSEED="1", TZ="Asia/Kathmandu")
    other = data_of_another_process(PYTHONHASHSEED="2", TZ="America/St_Johns")

    assert decode_plan(one).claims[0].effective_at == OCCURRED_AT - timedelta(weeks=2)
    assert one == other


class AnyDatetime(type(datetime)):  # type: ignore[misc]
    """Lets the stand-in pass for the class of every datetime."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class ClockThatMoves(datetime, metaclass=AnyDatetime):
    """A datetime class whose "now" is another one on every call."""

    calls = 0

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return a time a year after the last one."""
        cls.calls += 1
        return datetime(2031 + cls.calls, 1, 1, tzinfo=tz)

    utcnow = today = now


@pytest.fixture
def moving_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the date library read another "now" on every call."""
    dateparser.parse("yesterday")  # imports what it needs
    for module in [module for name, module in sys.modules.items() if name.startswith("dateparser")]:
        if getattr(module, "datetime", None) is datetime:
            monkeypatch.setattr(module, "datetime", ClockThatMoves)


@pytest.mark.parametrize("reference", ["two weeks ago", "yesterday", "last month", "in March", "at noon", "April 3"])
def test_another_time_of_the_machine_gives_the_same_bytes(reference: str, request: pytest.FixtureRequest):
    of, answer = event(f"I work with Figma since {reference}."), extraction(temporal_ref=reference)
    first = prepared(of, answer).data
    request.getfixturevalue("moving_clock")

    assert prepared(of, answer).data == first


@pytest.mark.usefixtures("moving_clock")
def test_the_moving_clock_would_be_noticed():
    assert dateparser.parse("two weeks ago") != dateparser.parse("two weeks ago")


def test_another_event_is_other_bytes():
    assert prepared(event(received_at=RECEIVED_AT + timedelta(microseconds=1))).data != prepared().data


def test_a_plan_reads_the_claims_as_the_rules_see_them():
    answer = extraction(object="FIGMA", polarity="negative", temporal_intent="update", replaces_object=" Figma ")
    [claim] = rule_claims(prepared(extraction=answer).plan)

    assert (claim.object_key, claim.replaces_key, claim.policy, claim.scope) == (
        "figma",
        "figma",
        "speech_act_v14",
        "personal",
    )
    assert (claim.event_id, claim.position, claim.received_at) == (event().id, 0, RECEIVED_AT)


def test_a_time_with_no_fraction_still_has_six_digits():
    assert utc_text(datetime(2031, 4, 1, tzinfo=UTC)) == "2031-04-01T00:00:00.000000Z"
