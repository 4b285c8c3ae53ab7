from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from prme.errors import InvalidMessageError, PrmeError, ReservedMetadataError, SpeakerError
from tests.engine.conversation import NOON, TEA, Scripted, SettableClock, row_counts

PRIVATE = "private words"
OWNER_NAME = "owner-of-these-words"
BAD: dict[str, tuple[dict[str, Any], type[PrmeError]]] = {
    "empty": ({"content": ""}, InvalidMessageError),
    "blank": ({"content": " \n\t"}, InvalidMessageError),
    "only NULs": ({"content": "\0\0"}, InvalidMessageError),
    "too long": ({"content": "x" * 100_001}, InvalidMessageError),
    "surrogate": ({"content": PRIVATE + "\ud800"}, InvalidMessageError),
    "bytes": ({"content": b"x"}, InvalidMessageError),
    "blank owner": ({"user_id": " "}, InvalidMessageError),
    "long owner": ({"user_id": "x" * 257}, InvalidMessageError),
    "unknown role": ({"role": PRIVATE}, InvalidMessageError),
    "bad scope": ({"scope": PRIVATE}, InvalidMessageError),
    "blank session": ({"session_id": ""}, InvalidMessageError),
    "long message id": ({"message_id": "x" * 257}, InvalidMessageError),
    "naive time": ({"occurred_at": datetime(2031, 1, 1)}, InvalidMessageError),  # noqa: DTZ001
    "time as text": ({"occurred_at": "2031-01-01T00:00:00Z"}, InvalidMessageError),
    "speaker with a line break": ({"speaker": PRIVATE + "\u2028x"}, SpeakerError),
    "speaker and owner": ({"speaker": PRIVATE, "first_person_owner": True}, SpeakerError),
    "first person 1": ({"first_person_owner": 1}, SpeakerError),
    "first person yes": ({"first_person_owner": "yes"}, SpeakerError),
    "first person of a tool": ({"first_person_owner": True, "role": "tool"}, SpeakerError),
    "NaN": ({"metadata": {PRIVATE: float("nan")}}, InvalidMessageError),
    "large number": ({"metadata": {PRIVATE: 2**60}}, InvalidMessageError),
    "large metadata": ({"metadata": {PRIVATE: "x" * 70_000}}, InvalidMessageError),
    "reserved key": ({"metadata": {"prme_first_person_owner_v1": False, "x": PRIVATE}}, ReservedMetadataError),
    "metadata as text": ({"metadata": PRIVATE}, InvalidMessageError),
}
BAD_MESSAGE = pytest.mark.parametrize(("fields", "error"), list(BAD.values()), ids=list(BAD))


def message(fields: dict[str, Any]) -> dict[str, Any]:
    return {"content": PRIVATE, "user_id": OWNER_NAME, **fields}


@BAD_MESSAGE
@pytest.mark.parametrize("call", ["ingest", "store", "ingest_batch"])
def test_a_bad_message_is_refused_and_nothing_is_stored(
    tmp_path: Path, call: str, fields: dict[str, Any], error: type[PrmeError]
):
    extractor = Scripted()
    with MemoryClient(tmp_path, extractor=extractor, clock=SettableClock()) as memory:
        memory.store("An earlier message.", user_id="someone-else")
        before = memory.verify()
        refused = {
            "ingest": lambda: memory.ingest(**message(fields)),
            "store": lambda: memory.store(**message(fields)),
            "ingest_batch": lambda: memory.ingest_batch([message({}), message(fields)]),
        }[call]
        with pytest.raises(error) as caught:
            refused()

        assert type(caught.value) is error
        assert isinstance(caught.value, ValueError)
        assert memory.verify() == before
    assert (row_counts(tmp_path)["events"], extractor.requests) == (1, [])
    for hidden in (PRIVATE, OWNER_NAME, "someone-else", "select", "insert", str(tmp_path)):
        assert hidden not in str(caught.value)


def test_the_same_message_without_the_fault_is_stored(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        assert memory.ingest(**message({})).status == "published"


def test_the_longest_message_is_stored_whole(tmp_path: Path):
    content = "😀" * 100_000
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        receipt = memory.ingest(content, user_id="sam")

        assert memory.get_event(receipt.event_id).content == content
        assert memory.verify().ok


def test_nuls_are_removed_before_anything_is_derived(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        receipt = memory.ingest("\0I drink\0 tea.\0", user_id="sam", first_person_owner=True)

        assert memory.get_event(receipt.event_id).content == TEA
        assert [node.object for node in memory.claims(user_id="sam")] == ["tea"]


@pytest.mark.parametrize(
    "content",
    ["Ж" * 10, "مرحبا", "a\r\nb\u2028c", "\u202eabc", "'; drop table events; --", '{"a": 1}', "e\u0301", "\ufeffx"],
)
def test_strange_text_is_kept_as_it_is(tmp_path: Path, content: str):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        receipt = memory.ingest(content, user_id="sam", metadata={"text": content})
        event = memory.get_event(receipt.event_id)

        assert (event.content, event.metadata) == (content, {"text": content})
        assert memory.verify().ok


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_far_times_are_kept(tmp_path: Path, year: int):
    moment = NOON.replace(year=year)
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, user_id="sam", occurred_at=moment, first_person_owner=True)

        assert memory.get_event(receipt.event_id).occurred_at == moment
        assert memory.claims(user_id="sam")[0].valid_from == moment
        assert memory.verify().ok
