from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from prme.errors import MessageConflictError
from tests.engine.conversation import COFFEE, NO_TEA, NOON, TEA, Remote, Scripted, SettableClock, row_counts

FULL: dict[str, Any] = {
    "content": TEA,
    "user_id": "sam",
    "role": "user",
    "scope": "personal",
    "session_id": "s1",
    "message_id": "m1",
    "speaker": "Ines",
    "first_person_owner": False,
    "occurred_at": NOON - timedelta(days=1),
    "metadata": {"a": 1},
}


@pytest.fixture
def extractor() -> Scripted:
    return Scripted()


@pytest.fixture
def memory(tmp_path: Path, extractor: Scripted) -> Iterator[MemoryClient]:
    with MemoryClient(tmp_path, extractor=extractor, clock=SettableClock()) as memory:
        yield memory


def same_but_for_the_status(first: Any, second: Any) -> bool:
    return first.model_copy(update={"status": "duplicate"}) == second


def test_the_same_message_again_changes_nothing_and_returns_the_same_receipt(memory: MemoryClient, tmp_path: Path):
    first = memory.ingest(**FULL)
    second = memory.ingest(**FULL)
    memory.close()

    assert second.status == "duplicate"
    assert same_but_for_the_status(first, second)
    assert row_counts(tmp_path)["events"] == 1


def test_the_same_message_without_a_message_id_is_another_message(memory: MemoryClient):
    first = memory.ingest(**{**FULL, "message_id": None})
    second = memory.ingest(**{**FULL, "message_id": None})

    assert (second.status, first.event_id == second.event_id) == ("published", False)


def test_a_known_message_is_answered_before_any_extractor_runs(memory: MemoryClient, extractor: Scripted):
    memory.ingest(**FULL)
    memory.ingest(**FULL)

    assert len(extractor.requests) == 1


def test_the_same_message_after_a_restart_is_a_duplicate(tmp_path: Path):
    receipts = []
    for _ in range(2):
        with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
            receipts.append(memory.ingest(**FULL))

    assert same_but_for_the_status(*receipts)


@pytest.mark.parametrize("field", ["session_id", "speaker", "occurred_at", "metadata"])
def test_a_field_left_out_of_the_repetition_does_not_contradict(memory: MemoryClient, field: str):
    memory.ingest(**FULL)

    assert memory.ingest(**{**FULL, field: None}).status == "duplicate"


def test_equal_means_equal_after_normalisation(memory: MemoryClient):
    memory.ingest(**FULL)
    again = {**FULL, "content": TEA + "\0", "role": "USER", "speaker": " Ines ", "metadata": {"a": 1.0}}

    assert memory.ingest(**again).status == "duplicate"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", COFFEE),
        ("role", "human"),
        ("session_id", "s2"),
        ("speaker", "Maria"),
        ("occurred_at", NOON),
        ("metadata", {"a": 2}),
        ("metadata", {}),
    ],
)
def test_a_message_that_differs_in_one_field_is_a_conflict_that_names_it(
    memory: MemoryClient, tmp_path: Path, field: str, value: object
):
    memory.ingest(**FULL)

    with pytest.raises(MessageConflictError, match=field) as caught:
        memory.ingest(**{**FULL, field: value})

    assert "tea" not in str(caught.value)
    memory.close()
    assert row_counts(tmp_path)["events"] == 1


def test_another_declaration_of_the_first_person_is_a_conflict(memory: MemoryClient):
    memory.ingest(TEA, user_id="sam", message_id="m1")

    with pytest.raises(MessageConflictError, match="first_person_owner"):
        memory.ingest(TEA, user_id="sam", message_id="m1", first_person_owner=True)


@pytest.mark.parametrize(("field", "value"), [("user_id", "ann"), ("scope", "work"), ("message_id", "M1")])
def test_a_message_id_counts_within_owner_and_scope_and_by_its_exact_text(
    memory: MemoryClient, field: str, value: object
):
    memory.ingest(**FULL)

    assert memory.ingest(**{**FULL, field: value}).status == "published"


def test_store_with_a_known_message_id_returns_the_same_event(memory: MemoryClient):
    first = memory.store(**FULL)

    assert first == memory.store(**FULL)


def test_store_and_ingest_cannot_share_a_message_id(memory: MemoryClient, tmp_path: Path):
    memory.store(**FULL)
    memory.ingest(**{**FULL, "message_id": "m2"})

    with pytest.raises(MessageConflictError, match=r"used by store\(\) and cannot be used by ingest\(\)"):
        memory.ingest(**FULL)
    with pytest.raises(MessageConflictError, match=r"used by ingest\(\) and cannot be used by store\(\)"):
        memory.store(**{**FULL, "message_id": "m2"})
    memory.close()
    assert row_counts(tmp_path)["events"] == 2


def test_the_repetition_of_a_pending_message_is_a_duplicate_without_a_plan(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        memory.store("keeps the loop busy", user_id="sam")
        memory.ingest(**FULL, wait_for_extraction=False)
        again = memory.ingest(**FULL, wait_for_extraction=False)

    assert again.status == "duplicate"


def test_the_repetition_of_a_failed_message_says_why_it_failed(tmp_path: Path):
    extractor = Scripted({TEA: RuntimeError("provider text")})
    with MemoryClient(tmp_path, extractor=extractor, clock=SettableClock()) as memory:
        first = memory.ingest(**FULL)
        again = memory.ingest(**FULL)

    assert (first.status, again.status) == ("failed", "duplicate")
    assert (again.reason_code, again.plan_id) == ("extractor_error", None)


def test_the_receipt_of_a_repetition_stands_as_the_rules_see_it_now(memory: MemoryClient):
    # A late claim changes what the denial did: the repetition tells the newest decision.
    owner = {"user_id": "sam", "first_person_owner": True}
    denial = {"content": NO_TEA, "message_id": "no", "occurred_at": NOON - timedelta(days=1), **owner}
    assert memory.ingest(**denial).decisions[0].outcome == "none"
    memory.ingest(TEA, **owner, occurred_at=NOON - timedelta(days=2))

    assert memory.ingest(**denial).decisions[0].outcome == "retired"
    assert memory.verify().ok
