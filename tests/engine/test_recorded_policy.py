from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from prme import MemoryClient, MemoryEngine
from prme.errors import PlanCorruptError, PlanNotFoundError, StoreVersionError, UnsupportedPlanError
from tests.engine.conversation import NO_TEA, TEA, Remote, Scripted, SettableClock, Stalled, raw

OWNER = {"user_id": "sam", "first_person_owner": True}


def leave_pending(directory: Path, *contents: str, policy: str) -> list[str]:
    async def session() -> list[str]:
        async with MemoryEngine(directory, extractor=Stalled(), clock=SettableClock(), policy=policy) as engine:
            receipts = [await engine.ingest(content, **OWNER, wait_for_extraction=False) for content in contents]
            return [receipt.event_id for receipt in receipts]

    return asyncio.run(session())


@pytest.mark.parametrize(("policy", "retires"), [("speech_act_v13", 0), ("speech_act_v14", 1)])
def test_pending_messages_are_published_under_the_policy_they_were_noted_under(
    tmp_path: Path, policy: str, retires: int
):
    events = leave_pending(tmp_path, TEA, NO_TEA, policy=policy)
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        receipts = memory.process_pending()
        newest = memory.ingest(TEA, **OWNER)

        assert [memory.get_plan(event).policy for event in events] == [policy, policy]
        assert len(receipts[1].retired) == retires
        assert memory.get_plan(newest.event_id).policy == "speech_act_v14"
        assert memory.verify().ok


def test_a_failed_message_is_retried_under_the_policy_it_failed_under(tmp_path: Path):
    broken = Remote({TEA: RuntimeError()})
    with MemoryClient(tmp_path, extractor=broken, clock=SettableClock(), policy="speech_act_v13") as memory:
        event = memory.ingest(TEA, **OWNER).event_id
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        memory.retry(event)

        assert memory.get_plan(event).policy == "speech_act_v13"


@pytest.mark.parametrize("references", [True, False])
def test_a_failed_message_is_retried_with_the_speaker_references_it_failed_with(tmp_path: Path, references: bool):
    broken = Remote({TEA: RuntimeError()})
    with MemoryClient(
        tmp_path, extractor=broken, clock=SettableClock(), enable_speaker_references=references
    ) as memory:
        event = memory.ingest(TEA, user_id="sam", speaker="Ines").event_id
    with MemoryClient(
        tmp_path, extractor=Remote(), clock=SettableClock(), enable_speaker_references=not references
    ) as memory:
        memory.retry(event)

        assert memory.get_plan(event).options.enable_speaker_references is references
        assert memory.verify().ok


def test_the_store_remembers_every_policy_it_holds_plans_of(tmp_path: Path):
    for policy in ("speech_act_v14", "speech_act_v13", "speech_act_v14"):
        with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock(), policy=policy) as memory:
            memory.ingest_batch([{"content": TEA, **OWNER}] * 3)

    assert raw(tmp_path, "select key, value from meta where key <> 'format' order by key") == [
        ("policy.13", "speech_act_v13"),
        ("policy.14", "speech_act_v14"),
    ]


def test_a_store_without_plans_remembers_no_policy(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        memory.store(TEA, user_id="sam")

    assert raw(tmp_path, "select count(*) from meta where key <> 'format'") == [(0,)]


def test_a_store_with_plans_of_a_newer_policy_is_refused(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        memory.ingest(TEA, **OWNER)
    raw(tmp_path, "insert into meta values ('policy.99', 'speech_act_v99')")

    with pytest.raises(StoreVersionError, match=r"speech_act_v99.*upgrade prme"):
        MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock())


def test_an_unknown_policy_is_refused_before_anything_is_opened(tmp_path: Path):
    with pytest.raises(UnsupportedPlanError, match="speech_act_v99"):
        MemoryClient(tmp_path / "store", extractor=Scripted(), policy="speech_act_v99")

    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("policy", ["speech_act_v13", "speech_act_v14"])
@pytest.mark.parametrize("references", [True, False])
def test_a_missing_plan_is_prepared_again_with_the_same_bytes(tmp_path: Path, policy: str, references: bool):
    with MemoryClient(
        tmp_path, extractor=Scripted(), clock=SettableClock(), policy=policy, enable_speaker_references=references
    ) as memory:
        event = memory.ingest(TEA, user_id="sam", speaker="Ines").event_id
        saved = memory.get_plan_data(event)
    raw(tmp_path, "delete from plans")

    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        assert memory.get_plan_data(event) == saved
        assert memory.get_plan(event).policy == policy
        assert [(item.what, item.id) for item in memory.verify().differences] == [("plan", event)]


@pytest.mark.parametrize(
    "damage",
    ["update extractions set policy = 'speech_act_v13'", "update events set content = content || ' '"],
)
def test_a_missing_plan_is_not_replaced_by_another_one(tmp_path: Path, damage: str):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        event = memory.ingest(TEA, **OWNER).event_id
    raw(tmp_path, "delete from plans")
    raw(tmp_path, damage)

    with (
        MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory,
        pytest.raises(PlanCorruptError, match="restore"),
    ):
        memory.get_plan(event)


def test_without_plan_and_extraction_there_is_no_plan(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        event = memory.ingest(TEA, **OWNER).event_id
    raw(tmp_path, "delete from plans")
    raw(tmp_path, "delete from extractions")

    with (
        MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory,
        pytest.raises(PlanNotFoundError),
    ):
        memory.get_plan(event)


def test_a_later_message_leaves_a_saved_plan_as_it_was(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock(), policy="speech_act_v13") as memory:
        event = memory.ingest(TEA, **OWNER).event_id
        saved = memory.get_plan_data(event)
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        memory.ingest(NO_TEA, **OWNER)

        assert memory.get_plan_data(event) == saved


def test_one_pending_message_of_an_unknown_policy_does_not_block_the_others(tmp_path: Path):
    first, second = leave_pending(tmp_path, TEA, NO_TEA, policy="speech_act_v14")
    raw(tmp_path, "update work set policy = 'speech_act_v99' where event_id = ?", [first])

    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        with pytest.raises(UnsupportedPlanError, match="speech_act_v99"):
            memory.process_pending()

        assert memory.get_plan(second).policy == "speech_act_v14"
        with pytest.raises(PlanNotFoundError):
            memory.get_plan(first)
