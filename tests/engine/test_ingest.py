from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from prme import Extraction, IngestReceipt, MemoryClient, NodeType, RetiredTarget
from prme import ids as derived
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
    raw,
)

OWNER = {"user_id": "sam", "first_person_owner": True}
LATE_TEA = "Back in March I said: I drink tea."


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(tmp_path: Path, clock: SettableClock):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=clock) as memory:
        yield memory


def test_a_receipt_names_the_plan_and_the_claims(memory: MemoryClient):
    receipt = memory.ingest(TEA, **OWNER)
    plan = memory.get_plan(receipt.event_id)

    assert (receipt.status, receipt.reason_code) == ("published", None)
    assert (receipt.plan_id, receipt.plan_checksum) == (plan.plan_id, plan.checksum)
    assert list(receipt.claims) == [derived.claim_id(receipt.event_id, 0)]
    assert [decision.reason for decision in receipt.decisions] == ["not_an_update"]


def test_a_receipt_names_what_it_retired_and_by_which_match(memory: MemoryClient):
    first = memory.ingest(TEA, **OWNER)
    second = memory.ingest(NO_TEA, **OWNER)

    target = RetiredTarget(claim_id=first.claims[0], match="exact", via="same")
    assert (list(second.retired), list(second.reopened), list(second.revised)) == (list(first.claims), [], [])
    assert [list(decision.targets) for decision in second.decisions] == [[target]]


def test_a_denial_of_something_else_retires_nothing_and_says_why(memory: MemoryClient):
    memory.ingest(COFFEE, **OWNER)
    second = memory.ingest(NO_TEA, **OWNER)

    assert (list(second.retired), second.decisions[0].reason) == ([], "no_match")
    assert [near.test for near in second.decisions[0].near_misses] == ["object"]


def test_a_message_without_claims_is_published_with_an_empty_plan(memory: MemoryClient):
    receipt = memory.ingest("Hello there.", **OWNER)

    assert (receipt.status, list(receipt.claims), list(receipt.decisions)) == ("published", [], [])
    assert [node.node_type for node in memory.get_event_nodes(receipt.event_id)] == [NodeType.NOTE]


def test_a_late_denial_closes_what_began_before_it_and_is_reported(memory: MemoryClient, clock: SettableClock):
    early = memory.ingest(TEA, **OWNER, occurred_at=NOON - timedelta(days=9))
    memory.ingest(TEA, **OWNER, occurred_at=NOON - timedelta(days=1))
    late = memory.ingest(NO_TEA, **OWNER, occurred_at=NOON - timedelta(days=5))

    assert list(late.retired) == list(early.claims)
    assert memory.get_node(early.claims[0], include_superseded=True).valid_to == NOON - timedelta(days=5)


def test_a_claim_that_confirmed_a_claim_closed_late_opens_by_itself(memory: MemoryClient):
    memory.ingest(TEA, **OWNER, occurred_at=NOON - timedelta(days=9))
    again = memory.ingest(TEA, **OWNER, occurred_at=NOON - timedelta(days=1))
    assert memory.get_node(again.claims[0]).status == "confirming"

    late = memory.ingest(NO_TEA, **OWNER, occurred_at=NOON - timedelta(days=5))

    assert list(late.revised) == list(again.claims)
    assert memory.get_node(again.claims[0]).status == "current"


def test_a_late_claim_that_makes_a_denial_ambiguous_reopens_what_it_had_closed(tmp_path: Path):
    road, mountain, no_bike = "I ride a road bike.", "I ride a mountain bike.", "I don't ride a bike anymore."
    script = {
        road: extraction(claim("I", "rides", "road bike")),
        mountain: extraction(claim("I", "rides", "mountain bike")),
        no_bike: extraction(denial("I", "rides", "bike")),
    }
    with MemoryClient(tmp_path / "bikes", extractor=Scripted(script), clock=SettableClock()) as memory:
        first = memory.ingest(road, **OWNER, occurred_at=NOON - timedelta(days=9))
        denied = memory.ingest(no_bike, **OWNER, occurred_at=NOON - timedelta(days=1))
        late = memory.ingest(mountain, **OWNER, occurred_at=NOON - timedelta(days=5))

        assert (list(denied.retired), list(late.reopened)) == (list(first.claims), list(first.claims))
        assert memory.ingest("x", **OWNER).status == "published"
        assert memory.explain(denied.claims[0]).claims[0].decision.reason == "ambiguous"
        assert memory.verify().ok


def test_the_time_of_receipt_is_when_it_was_said_unless_the_caller_knows_better(memory: MemoryClient):
    event = memory.get_event(memory.ingest(TEA, **OWNER).event_id)
    said = datetime(2031, 3, 1, 9, 0, tzinfo=timezone(timedelta(hours=2)))
    other = memory.get_event(memory.ingest(TEA, **OWNER, occurred_at=said).event_id)

    assert (event.occurred_at, event.received_at) == (NOON, NOON)
    assert (other.occurred_at, other.occurred_at.tzinfo) == (datetime(2031, 3, 1, 7, 0, tzinfo=UTC), UTC)


def received(memory: MemoryClient, *receipts: IngestReceipt) -> list[timedelta]:
    return [memory.get_event(receipt.event_id).received_at - NOON for receipt in receipts]


def test_times_of_receipt_increase_while_the_clock_stands_still(memory: MemoryClient):
    receipts = [memory.ingest(TEA, **OWNER) for _ in range(3)]

    assert received(memory, *receipts) == [timedelta(microseconds=step) for step in range(3)]


def test_times_of_receipt_increase_while_the_clock_goes_backwards(memory: MemoryClient, clock: SettableClock):
    first = memory.ingest(TEA, **OWNER)
    clock.advance(hours=-1)
    second = memory.ingest(TEA, **OWNER)

    assert received(memory, first, second) == [timedelta(0), timedelta(microseconds=1)]


def test_the_clock_counts_again_once_it_is_ahead(memory: MemoryClient, clock: SettableClock):
    first = memory.ingest(TEA, **OWNER)
    clock.advance(seconds=5)
    second = memory.ingest(TEA, **OWNER)

    assert received(memory, first, second) == [timedelta(0), timedelta(seconds=5)]


def test_times_of_receipt_increase_within_an_owner_only(memory: MemoryClient):
    first = memory.ingest(TEA, user_id="ann")
    second = memory.ingest(TEA, user_id="sam")

    assert received(memory, first, second) == [timedelta(0), timedelta(0)]


def test_times_of_receipt_increase_across_a_restart_with_an_older_clock(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        memory.store(TEA, user_id="sam")
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock(NOON - timedelta(days=1))) as memory:
        receipt = memory.ingest(TEA, **OWNER)

        assert received(memory, receipt) == [timedelta(microseconds=1)]
        assert memory.verify().ok


def test_a_batch_is_stamped_in_the_order_of_the_list(memory: MemoryClient):
    receipts = memory.ingest_batch([{"content": content, **OWNER} for content in (TEA, COFFEE, NO_TEA)])

    assert received(memory, *receipts) == [timedelta(microseconds=step) for step in range(3)]
    assert list(receipts[2].retired) == list(receipts[0].claims)


def test_notes_and_ingested_messages_share_one_order(memory: MemoryClient):
    note = memory.store("A note.", user_id="sam")
    receipt = memory.ingest(TEA, **OWNER)

    assert memory.get_event(note).received_at == NOON
    assert received(memory, receipt) == [timedelta(microseconds=1)]


def test_a_clock_in_another_zone_gives_utc(tmp_path: Path):
    zone = timezone(timedelta(hours=5))
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock(NOON.astimezone(zone))) as memory:
        event = memory.get_event(memory.store(TEA, user_id="sam"))

    assert (event.received_at, event.received_at.tzinfo) == (NOON, UTC)


def test_every_field_of_a_message_is_kept(memory: MemoryClient):
    receipt = memory.ingest(
        TEA,
        user_id="sam",
        role="HUMAN",
        scope="work",
        session_id="s1",
        message_id="m1",
        speaker=" Ines ",
        occurred_at=NOON,
        metadata={"b": [1, None], "a": "x"},
    )
    event = memory.get_event(receipt.event_id)

    assert (event.user_id, event.role, event.scope, event.session_id) == ("sam", "human", "work", "s1")
    assert (event.message_id, event.speaker, event.first_person_owner) == ("m1", "Ines", False)
    assert (event.content, event.metadata) == (TEA, {"a": "x", "b": [1, None]})


def test_a_plan_published_is_read_back_byte_for_byte(memory: MemoryClient):
    receipt = memory.ingest(TEA, **OWNER)
    data = memory.get_plan_data(receipt.event_id)

    assert memory.get_plan(receipt.event_id).checksum == receipt.plan_checksum
    assert data.startswith(b'{"checksum":"' + receipt.plan_checksum.encode())


@pytest.mark.parametrize(
    ("role", "source"), [("user", "USER_STATED"), ("assistant", "SYSTEM_INFERRED"), ("tool", "TOOL_OUTPUT")]
)
def test_a_denial_retires_only_what_the_same_kind_of_source_said(tmp_path: Path, role: str, source: str):
    content = "Ines drinks tea."
    no_more = "Ines drinks no tea anymore."
    script = {
        content: extraction(claim("Ines", "drinks", "tea"), entities={"Ines": "person"}),
        no_more: extraction(denial("Ines", "drinks", "tea"), entities={"Ines": "person"}),
    }
    with MemoryClient(tmp_path / "roles", extractor=Scripted(script), clock=SettableClock()) as memory:
        first = memory.ingest(content, user_id="sam", role=role)
        node = memory.get_node(first.claims[0])
        second = memory.ingest(no_more, user_id="sam", role="user")

    assert node.source_type == source
    assert list(second.retired) == (list(first.claims) if role == "user" else [])


@pytest.mark.parametrize(("scope", "retires"), [("personal", True), ("work", False)])
def test_a_denial_never_crosses_its_scope(memory: MemoryClient, scope: str, retires: bool):
    memory.ingest(TEA, **OWNER)

    assert bool(memory.ingest(NO_TEA, **OWNER, scope=scope).retired) is retires


def test_without_speaker_references_a_named_speaker_is_somebody_of_this_event_only(tmp_path: Path):
    retired = {}
    for enabled in (True, False):
        with MemoryClient(
            tmp_path / str(enabled), extractor=Scripted(), clock=SettableClock(), enable_speaker_references=enabled
        ) as memory:
            memory.ingest(TEA, user_id="sam", speaker="Ines")
            retired[enabled] = len(memory.ingest(NO_TEA, user_id="sam", speaker="Ines").retired)

    assert retired == {True: 1, False: 0}


def test_the_extractor_is_given_the_message_and_the_policy(tmp_path: Path):
    extractor = Scripted()
    with MemoryClient(tmp_path, extractor=extractor, policy="speech_act_v13", clock=SettableClock()) as memory:
        memory.ingest(TEA, user_id="sam", role="User", session_id="s")

    request = extractor.requests[0]
    assert (request.policy, request.message.content, request.message.role) == ("speech_act_v13", TEA, "user")
    assert (request.message.occurred_at, request.validation_error) == (None, None)


def test_a_rejected_claim_does_not_take_its_siblings_along(tmp_path: Path):
    two = extraction(claim("I", "drinks", "tea"), claim("I", "drinks", "wine"))
    with MemoryClient(tmp_path, extractor=Scripted({TEA: two}), clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, **OWNER)

        assert [node.object for node in memory.claims(user_id="sam")] == ["tea"]
        assert list(receipt.claims) == [derived.claim_id(receipt.event_id, 0)]
        assert [item.position for item in memory.get_plan(receipt.event_id).rejected] == [1]


def test_nothing_is_ever_updated_or_deleted(tmp_path: Path):
    tables = ("events", "plans", "claims", "intervals", "journal", "decisions")
    seen: dict[str, set[tuple[object, ...]]] = {table: set() for table in tables}
    for content in (TEA, NO_TEA, TEA, COFFEE):
        with MemoryClient(tmp_path, extractor=Scripted(DRINKS), clock=SettableClock()) as memory:
            memory.ingest(content, **OWNER)
        for table in tables:
            rows = set(raw(tmp_path, f"select * from {table}"))
            assert seen[table] <= rows
            seen[table] = rows

    assert len(seen["events"]) == 4


def test_an_unknown_answer_type_is_a_failure_not_a_crash(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted({TEA: "tea"}), clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, **OWNER)

    assert (receipt.status, receipt.reason_code) == ("failed", "invalid_extraction")
    assert Extraction() == Extraction(claims=[])
