from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from prme import MemoryClient
from prme import ids as derived
from prme.errors import NodeNotFoundError
from prme.model.explanation import Retirement
from tests.engine.conversation import (
    COFFEE,
    DRINKS,
    NO_TEA,
    NOON,
    TEA,
    Scripted,
    SettableClock,
    claim,
    denial,
    extraction,
)

SAM = {"user_id": "sam", "first_person_owner": True}
MIXED = "I might drink milk. I drink wine."
SCRIPT = {
    **DRINKS,
    MIXED: extraction(
        claim("I", "drinks", "milk"),
        claim("I", "drinks", "wine"),
        claim("I", "drinks", "beer"),
        claim("I", "eats", "wine"),
    ),
    "broken": RuntimeError(),
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryClient]:
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        yield memory


def test_an_event_is_explained_with_its_plan_and_extractor(memory: MemoryClient):
    receipt = memory.ingest(TEA, **SAM)
    explanation = memory.explain(receipt.event_id)

    assert explanation.event == memory.get_event(receipt.event_id)
    assert (explanation.plan_id, explanation.plan_checksum) == (receipt.plan_id, receipt.plan_checksum)
    assert (explanation.policy, explanation.extractor.name, explanation.work) == ("speech_act_v14", "scripted", None)
    assert [line.kind for line in explanation.journal] == ["NOTE_STORED", "PLAN_PUBLISHED"]
    assert [explained.decision.reason for explained in explanation.claims] == ["not_an_update"]


def test_what_grounding_refused_is_explained_with_what_was_proposed(memory: MemoryClient):
    rejected = memory.explain(memory.ingest(MIXED, **SAM).event_id).rejected

    assert [(item.position, item.proposed.object) for item in rejected] == [(2, "beer")]
    assert all(item.reason for item in rejected)


def test_what_grounding_changed_is_explained(memory: MemoryClient):
    explained = memory.explain(memory.ingest(MIXED, **SAM).event_id).claims

    assert {item.node.object: item.node.epistemic_type for item in explained if item.node.predicate == "drinks"} == {
        "milk": "hypothetical",
        "wine": "asserted",
    }
    assert [bool(item.changes) for item in explained] == [True, False, False]


def test_a_correction_is_explained_with_what_it_retired(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM).claims[0]
    denied = memory.ingest(NO_TEA, **SAM)
    (explained,) = memory.explain(denied.event_id).claims

    assert [closed.claim.id for closed in explained.retired] == [tea]
    assert explained.decision == denied.decisions[0]
    assert explained.closed_by is None


def test_a_closed_claim_is_explained_with_what_closed_it(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM)
    denied = memory.ingest(NO_TEA, **SAM)
    explanation = memory.explain(tea.claims[0])
    (explained,) = explanation.claims

    assert explained.closed_by.correction.id == denied.claims[0]
    assert [line.kind for line in explanation.journal] == ["NOTE_STORED", "PLAN_PUBLISHED", "PLAN_PUBLISHED"]


def test_an_open_claim_is_explained_without_a_closing(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM)
    explanation = memory.explain(tea.claims[0])

    assert explanation.claims[0].closed_by is None
    assert [line.kind for line in explanation.journal] == ["NOTE_STORED", "PLAN_PUBLISHED"]


def test_a_confirming_claim_is_explained_with_what_it_confirms(memory: MemoryClient):
    first = memory.ingest(TEA, **SAM).claims[0]
    again = memory.ingest(TEA, **SAM).claims[0]

    assert memory.explain(again).claims[0].confirmed.id == first
    assert memory.explain(first).claims[0].confirmed is None


def test_a_denial_that_met_nothing_is_explained_with_its_near_misses(memory: MemoryClient):
    coffee = memory.ingest(COFFEE, **SAM).claims[0]
    (explained,) = memory.explain(memory.ingest(NO_TEA, **SAM).claims[0]).claims

    assert (explained.decision.outcome, explained.decision.reason) == ("none", "no_match")
    assert [(near.near_miss.test, near.node.id) for near in explained.near_misses] == [("object", coffee)]


def test_an_ambiguous_denial_is_explained_with_its_candidates(tmp_path: Path):
    road, mountain, neither = "I ride a road bike.", "I ride a mountain bike.", "I don't ride a bike anymore."
    script = {
        road: extraction(claim("I", "rides", "road bike")),
        mountain: extraction(claim("I", "rides", "mountain bike")),
        neither: extraction(claim("I", "rides", "bike", polarity="negative", temporal_intent="update")),
    }
    with MemoryClient(tmp_path / "bikes", extractor=Scripted(script), clock=SettableClock()) as memory:
        bikes = [memory.ingest(content, **SAM).claims[0] for content in (road, mountain)]
        (explained,) = memory.explain(memory.ingest(neither, **SAM).claims[0]).claims

    assert explained.decision.reason == "ambiguous"
    assert sorted(node.id for node in explained.candidates) == sorted(bikes)


def test_a_claim_is_explained_alone_and_its_event_whole(memory: MemoryClient):
    receipt = memory.ingest(MIXED, **SAM)

    assert [item.node.id for item in memory.explain(receipt.claims[1]).claims] == [receipt.claims[1]]
    assert list(memory.explain(receipt.claims[1]).rejected) == []
    assert [item.node.id for item in memory.explain(receipt.event_id).claims] == list(receipt.claims)


def test_a_note_is_explained_as_its_event(memory: MemoryClient):
    receipt = memory.ingest(TEA, **SAM)

    assert memory.explain(derived.note_id(receipt.event_id)) == memory.explain(receipt.event_id)


def test_a_stored_note_has_no_plan_and_no_work(memory: MemoryClient):
    explanation = memory.explain(memory.store("A note.", **SAM))

    assert (explanation.plan_id, explanation.work, list(explanation.claims)) == (None, None, [])
    assert [line.kind for line in explanation.journal] == ["NOTE_STORED"]


def test_a_failed_message_is_explained_with_its_reason(memory: MemoryClient):
    explanation = memory.explain(memory.ingest("broken", **SAM).event_id)

    assert (explanation.work, explanation.reason_code, explanation.plan_id) == ("failed", "extractor_error", None)
    assert [line.kind for line in explanation.journal] == ["NOTE_STORED", "EXTRACTION_FAILED"]


def test_a_decision_that_a_late_arrival_changed_is_explained_as_it_stands(memory: MemoryClient):
    denied = memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=1))
    tea = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=2))
    explanation = memory.explain(denied.claims[0])

    assert denied.decisions[0].reason == "no_match"
    assert [closed.claim.id for closed in explanation.claims[0].retired] == list(tea.claims)


def test_an_unknown_id_has_no_explanation(memory: MemoryClient):
    with pytest.raises(NodeNotFoundError):
        memory.explain("00000000-0000-0000-0000-000000000000")


def closing_of(memory: MemoryClient, claim_id: str) -> Retirement:
    (explained,) = memory.explain(claim_id).claims
    assert explained.closed_by is not None
    return explained.closed_by


def test_a_retirement_tells_the_sentence_the_rule_and_the_words(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM).claims
    denied = memory.ingest(NO_TEA, **SAM)
    closed = closing_of(memory, tea)

    assert (closed.correction.content, closed.event.id) == (NO_TEA, denied.event_id)
    assert (closed.rule.name, closed.rule.policy, closed.match, closed.via) == (
        "denial",
        "speech_act_v14",
        "exact",
        "same",
    )
    assert closed.trigger == denied.decisions[0].trigger
    assert NO_TEA[closed.trigger.start : closed.trigger.end] == closed.trigger.quote == "tea"
    assert closed.says == (
        "a denial that says something changed ends what it denies; both name the same object, with the same predicate"
    )


def test_a_retirement_tells_the_interval_before_and_after_and_that_of_the_correction(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=9)).claims
    memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=5))
    closed = closing_of(memory, tea)

    assert (closed.before.valid_from, closed.before.valid_to) == (NOON - timedelta(days=9), None)
    assert (closed.after.valid_from, closed.after.valid_to) == (NOON - timedelta(days=9), NOON - timedelta(days=5))
    assert (closed.correction.valid_from, closed.correction.valid_to) == (NOON - timedelta(days=5), None)


def test_the_correction_tells_the_same_retirement(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM).claims
    [denied] = memory.ingest(NO_TEA, **SAM).claims

    assert memory.explain(denied).claims[0].retired == (closing_of(memory, tea),)
    assert memory.explain(tea).claims[0].retired == ()


def test_a_claim_that_arrived_after_its_denial_has_no_interval_before(memory: MemoryClient):
    memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=5))
    [tea] = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=9)).claims

    assert closing_of(memory, tea).before is None


def test_a_retirement_that_moved_tells_what_was_said_before_this_correction(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=9)).claims
    memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=2))
    [earlier] = memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=5)).claims
    closed = closing_of(memory, tea)

    assert closed.correction.id == earlier
    assert (closed.before.valid_to, closed.after.valid_to) == (NOON - timedelta(days=2), NOON - timedelta(days=5))


def test_a_restatement_is_closed_by_what_closed_the_claim_that_it_confirms(memory: MemoryClient):
    [first] = memory.ingest(TEA, **SAM).claims
    [again] = memory.ingest(TEA, **SAM).claims
    memory.ingest(NO_TEA, **SAM)

    assert closing_of(memory, again) == closing_of(memory, first)


def test_a_decision_is_told_in_one_sentence(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM).claims
    [denied] = memory.ingest(NO_TEA, **SAM).claims

    assert memory.explain(denied).claims[0].says == "it retired 1 claim"
    assert memory.explain(tea).claims[0].says == (
        "it retired nothing: it states something and does not say that something changed; "
        "an update that names a former value could correct"
    )


def test_a_claim_with_authority_names_its_rule_and_another_has_none(memory: MemoryClient):
    [tea] = memory.ingest(TEA, **SAM).claims
    [denied] = memory.ingest(NO_TEA, **SAM).claims

    assert memory.explain(denied).claims[0].rule.name == "denial"
    assert memory.explain(tea).claims[0].rule is None


USES = {"subject": "I", "predicate": "uses", "obj": "kayak"}
NEAR = [
    ({"predicate": "owns"}, {}, "predicate", ("owns", "uses")),
    ({"obj": "canoe"}, {}, "object", ("canoe", "kayak")),
    ({"kind": "preference"}, {}, "kind", ("preference", "fact")),
    ({"epistemic_type": "inferred"}, {}, "state", ("inferred", "open and plainly stated")),
    ({"polarity": "negative"}, {}, "state", ("denied", "open and plainly stated")),
    ({"polarity": "unknown"}, {}, "state", ("of unknown polarity", "open and plainly stated")),
    ({"condition": "a kayak"}, {}, "state", ("conditional", "open and plainly stated")),
    ({}, {"days": 9}, "time", ("2031-04-10 12:00 UTC", "2031-04-02 12:00 UTC")),
]


@pytest.mark.parametrize(("fields", "later", "test", "found_and_needed"), NEAR)
def test_a_near_miss_tells_what_it_has_and_what_was_needed(fields, later, test: str, found_and_needed):
    said, denied = "I use a kayak or canoe.", "I don't use the kayak anymore."
    script = {said: extraction(claim(**{**USES, **fields})), denied: extraction(denial(**USES))}
    with MemoryClient(":memory:", extractor=Scripted(script), clock=SettableClock()) as memory:
        memory.ingest(said, **SAM, occurred_at=NOON + timedelta(**later))
        [correction] = memory.ingest(denied, **SAM, occurred_at=NOON + timedelta(days=1)).claims
        [miss] = memory.explain(correction).claims[0].near_misses

    assert (miss.near_miss.test, (miss.found, miss.needed)) == (test, found_and_needed)
    assert "would have" in miss.says
    assert found_and_needed[0] in miss.says


def test_a_near_miss_of_a_closed_claim_tells_when_it_was_closed(memory: MemoryClient):
    memory.ingest(TEA, **SAM)
    memory.ingest(NO_TEA, **SAM)
    [again] = memory.ingest(NO_TEA, **SAM, occurred_at=NOON + timedelta(days=1)).claims
    misses = memory.explain(again).claims[0].near_misses

    assert [miss.found for miss in misses if miss.node.polarity == "positive"] == ["closed on 2031-04-01 12:00 UTC"]


def test_a_near_miss_with_the_new_value_itself_says_so(memory: MemoryClient):
    said, again = "I use a kayak.", "I use a kayak, the new kayak."
    replaced = claim("I", "uses", "kayak", temporal_intent="update", replaces_object="kayak")
    script = {said: extraction(claim(**USES)), again: extraction(replaced)}
    with MemoryClient(":memory:", extractor=Scripted(script), clock=SettableClock()) as other:
        other.ingest(said, **SAM)
        [update] = other.ingest(again, **SAM).claims
        [miss] = other.explain(update).claims[0].near_misses

    assert miss.near_miss.test == "object"
    assert miss.says.startswith("it has the new value itself")


def test_what_grounding_did_is_told_in_words(memory: MemoryClient):
    explanation = memory.explain(memory.ingest(MIXED, **SAM).event_id)

    assert [(change.code, change.says) for change in explanation.claims[0].changes] == [
        ("modal", "kept as hypothetical: the sentence says what may, might or could be")
    ]
    assert [rejection.says for rejection in explanation.rejected] == ["the message does not mention the object there"]
