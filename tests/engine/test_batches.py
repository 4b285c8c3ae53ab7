from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient, Message
from prme.errors import InvalidMessageError, MessageConflictError, SpeakerError
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Remote, Scripted, SettableClock, row_counts


def message(content: str = TEA, **fields: Any) -> dict[str, Any]:
    return {"content": content, "user_id": "sam", **fields}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryClient]:
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        yield memory


def test_receipts_come_in_the_order_of_the_messages(memory: MemoryClient):
    contents = [TEA, COFFEE, NO_TEA, TEA]
    receipts = memory.ingest_batch([message(content) for content in contents])

    assert contents == [memory.get_event(receipt.event_id).content for receipt in receipts]


def test_an_empty_batch_has_no_receipts(memory: MemoryClient):
    assert memory.ingest_batch([]) == []


def test_messages_may_be_objects(memory: MemoryClient):
    receipts = memory.ingest_batch([Message(content=TEA, user_id="sam"), message(COFFEE)])

    assert [receipt.status for receipt in receipts] == ["published", "published"]


def test_a_batch_may_hold_several_owners(memory: MemoryClient):
    memory.ingest_batch([message(user_id="ann"), message(user_id="sam"), message(user_id="ann")])

    assert list(memory.verify().owners) == ["ann", "sam"]
    assert memory.verify().ok


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (message(""), InvalidMessageError),
        ({"content": TEA}, InvalidMessageError),
        (message(colour="red"), InvalidMessageError),
        (message(first_person_owner=1), SpeakerError),
        (TEA, InvalidMessageError),
    ],
    ids=["blank", "no owner", "unknown field", "not a boolean", "not a mapping"],
)
def test_one_bad_message_refuses_the_batch_and_names_the_position(
    memory: MemoryClient, tmp_path: Path, bad: Any, kind: type[Exception]
):
    with pytest.raises(kind, match=r"^messages\[3\]: ") as caught:
        memory.ingest_batch([message(), message(), message(), bad, message()])

    assert "tea" not in str(caught.value)
    memory.close()
    assert set(row_counts(tmp_path).values()) == {0}


def test_a_message_id_taken_in_the_store_refuses_the_batch(memory: MemoryClient, tmp_path: Path):
    memory.ingest(COFFEE, user_id="sam", message_id="m")

    with pytest.raises(MessageConflictError, match=r"^messages\[1\]: .*content"):
        memory.ingest_batch([message(), message(message_id="m"), message()])

    memory.close()
    assert row_counts(tmp_path)["events"] == 1


def test_a_message_id_used_twice_for_different_messages_refuses_the_batch(memory: MemoryClient, tmp_path: Path):
    with pytest.raises(MessageConflictError, match=r"^messages\[2\]: .*twice.*content"):
        memory.ingest_batch([message(message_id="m"), message(), message(COFFEE, message_id="m")])

    memory.close()
    assert set(row_counts(tmp_path).values()) == {0}


@pytest.mark.parametrize("extractor", [Scripted, Remote])
def test_the_same_message_twice_in_a_batch_is_stored_once(tmp_path: Path, extractor: type[Scripted]):
    with MemoryClient(tmp_path, extractor=extractor(), clock=SettableClock()) as memory:
        first, second = memory.ingest_batch([message(message_id="m"), message(message_id="m")])

    assert (first.status, second.status) == ("published", "duplicate")
    assert second == first.model_copy(update={"status": "duplicate"})
    assert row_counts(tmp_path)["events"] == 1


def test_the_same_message_id_of_two_owners_is_no_conflict(memory: MemoryClient):
    batch = [message(message_id="m"), message(COFFEE, message_id="m", user_id="ann")]

    assert [receipt.status for receipt in memory.ingest_batch(batch)] == ["published", "published"]


def test_a_batch_repeated_after_a_restart_is_all_duplicates(tmp_path: Path):
    batch = [message(content, message_id=str(place)) for place, content in enumerate((TEA, COFFEE, NO_TEA))]
    statuses = []
    for _ in range(2):
        with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
            statuses.append({receipt.status for receipt in memory.ingest_batch(batch)})

    assert statuses == [{"published"}, {"duplicate"}]
    assert row_counts(tmp_path)["events"] == 3


def test_one_failing_extraction_does_not_stop_the_batch(tmp_path: Path):
    script = {TEA: RuntimeError(), COFFEE: Scripted().script[COFFEE]}
    for extractor in (Scripted(script), Remote(script)):
        with MemoryClient(tmp_path / type(extractor).__name__, extractor=extractor, clock=SettableClock()) as memory:
            receipts = memory.ingest_batch([message(TEA), message(COFFEE)])

        assert [receipt.status for receipt in receipts] == ["failed", "published"]


def test_a_batch_gives_what_single_calls_give(tmp_path: Path):
    batch = [message(content, message_id=str(place)) for place, content in enumerate((TEA, COFFEE, NO_TEA, TEA) * 3)]
    digests = []
    for kind in ("batch", "single"):
        with MemoryClient(tmp_path / kind, extractor=Scripted(), clock=SettableClock()) as memory:
            if kind == "batch":
                memory.ingest_batch(batch)
            else:
                for entry in batch:
                    memory.ingest(**entry)
            digests.append(memory.verify().state_digest)

    assert digests[0] == digests[1]
