"""Whatever is changed in a table behind the store's back, verification finds it and names it."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from prme import MemoryClient, VerifyReport
from prme.errors import StoreCorruptError
from tests.engine.conversation import (
    COFFEE,
    DRINKS,
    NO_TEA,
    NOON,
    TEA,
    Scripted,
    SettableClock,
    claim,
    extraction,
    raw,
)
from tests.verification.damages import DAMAGE, EVENT_OF_TEA, FIRST_TEA, LYON, NOTE, OF_TEA

INES = "Ines drinks tea. Ines lives in Lyon."
SCRIPT = {
    **DRINKS,
    INES: extraction(
        claim("Ines", "drinks", "tea"), claim("Ines", "lives_in", "Lyon"), entities={"Ines": "person", "Lyon": "place"}
    ),
    "broken": RuntimeError(),
}
SAM = {"user_id": "sam", "first_person_owner": True}


def opened(directory: Path) -> MemoryClient:
    return MemoryClient(directory, extractor=Scripted(SCRIPT), clock=SettableClock())


def verified(directory: Path) -> VerifyReport:
    with opened(directory) as memory:
        return memory.verify()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a note, a failure, a confirmation, a retirement, a revision by a late arrival, and two owners."""
    directory = tmp_path_factory.mktemp("sound") / "store"
    with opened(directory) as memory:
        memory.store("A note.", user_id="sam", metadata={"a": 1}, session_id="s", speaker="Ines")
        for days, content in ((9, TEA), (2, TEA), (1, COFFEE), (5, NO_TEA)):
            memory.ingest(content, **SAM, occurred_at=NOON - timedelta(days=days))
        memory.ingest(INES, user_id="sam")
        memory.ingest("broken", user_id="sam")
        memory.ingest(TEA, user_id="ann", first_person_owner=True)
        memory.ingest(NO_TEA, user_id="ann", first_person_owner=True)
    return directory


@pytest.fixture
def store(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "store"))


NAMES = [f"{what}-{statement.split()[0]}-{number}" for number, (statement, what, _) in enumerate(DAMAGE)]


@pytest.mark.parametrize(("statement", "what", "wanted"), DAMAGE, ids=NAMES)
def test_damage_is_found_and_named(store: Path, statement: str, what: str, wanted: str):
    named = raw(store, f"select {wanted}")[0][0]
    raw(store, statement)

    report = verified(store)

    assert not report.ok
    assert (what, named) in [(difference.what, difference.id) for difference in report.differences]


def test_a_sound_store_has_no_differences(store: Path):
    report = verified(store)

    assert (report.ok, list(report.differences), sorted(report.owners)) == (True, [], ["ann", "sam"])


def test_a_difference_says_what_is_stored_and_what_is_expected(store: Path):
    wanted = raw(store, f"select {FIRST_TEA}")[0][0]
    raw(store, f"update intervals set status = 'current' where node_id = '{wanted}' and status = 'superseded'")

    difference = next(item for item in verified(store).differences if item.what == "interval")

    assert (difference.stored["status"], difference.expected["status"]) == ("current", "superseded")


def test_damage_of_one_owner_is_not_reported_for_another(store: Path):
    raw(store, f"update claims set object = 'Paris' where claim_id = {LYON}")

    with opened(store) as memory:
        assert (memory.verify(user_id="ann").ok, memory.verify(user_id="sam").ok) == (True, False)


def test_a_damaged_plan_is_one_difference_for_its_event(store: Path):
    event = raw(store, f"select {EVENT_OF_TEA}")[0][0]
    raw(store, f"update plans set document = replace(document, 'tea', 'pea') where {OF_TEA}")

    assert [("plan", event)] == [(item.what, item.id) for item in verified(store).differences]


def test_a_body_erased_together_with_its_key_is_no_damage(store: Path):
    note = raw(store, f"select {NOTE}")[0][0]
    raw(store, "update journal set body = null, commitment_key = null where event_id = ?", [note])

    assert verified(store).ok


def test_an_unknown_owner_has_an_empty_state_and_no_differences(store: Path):
    with opened(store) as memory:
        report = memory.verify(user_id="nobody")

    assert (report.ok, dict(report.owners)) == (True, {})


def test_the_state_digest_does_not_depend_on_when_it_was_recorded(tmp_path: Path):
    digests = []
    for days in (0, 30):
        clock = SettableClock()
        with MemoryClient(tmp_path / str(days), extractor=Scripted(), clock=clock) as memory:
            memory.ingest(TEA, **SAM, occurred_at=NOON, message_id="m")
            clock.advance(days=days)
            memory.ingest(NO_TEA, **SAM, occurred_at=NOON + timedelta(hours=1), message_id="n")
            digests.append(memory.verify().state_digest)

    assert digests[0] == digests[1]


def test_the_state_digest_changes_with_the_state(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        digests = [memory.verify(user_id="sam").state_digest]
        for content in (TEA, TEA, NO_TEA):
            memory.ingest(content, **SAM)
            digests.append(memory.verify(user_id="sam").state_digest)

    assert len(set(digests)) == 4


def test_a_file_that_cannot_be_read_is_no_difference_but_an_error(sound: Path, monkeypatch: pytest.MonkeyPatch):
    def unreadable(*_: object) -> None:
        raise StoreCorruptError("the database file is damaged")

    monkeypatch.setattr("prme.verification.verify.owner_nodes", unreadable)
    with opened(sound) as memory, pytest.raises(StoreCorruptError, match="file is damaged"):
        memory.verify()


def test_a_state_that_cannot_be_read_has_no_digest(store: Path):
    raw(store, f"update claims set kind = 'rumour' where claim_id = {LYON}")
    report = verified(store)

    assert (report.owners["sam"], report.owners["ann"].startswith("sha256:")) == ("unreadable", True)
