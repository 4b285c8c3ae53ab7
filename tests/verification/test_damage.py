"""Whatever is changed in a table behind the store's back, verification finds it and names it."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from prme import MemoryClient, VerifyReport
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


NOTE = "(select event_id from events where kind = 'store')"
SAMS = "(select owner_key from owners where user_id = 'sam')"
BROKEN = "(select event_id from events where content = 'broken')"
FIRST_TEA = f"(select claim_id from claims where owner_key = {SAMS} and object = 'tea' order by effective_at limit 1)"
LYON = "(select claim_id from claims where object = 'Lyon')"
NO_TEAS = f"(select claim_id from claims where owner_key = {SAMS} and polarity = 'negative')"
OF_TEA = f"owner_key = {SAMS} and event_id = (select event_id from claims where claim_id = {FIRST_TEA})"
REVISED = (
    f"(select node_id from intervals where owner_key = {SAMS} group by node_id having count(*) > 1 order by 1 limit 1)"
)
OLDEST = (
    f"owner_key = {SAMS} and node_id = {REVISED} and seq = (select min(seq) from intervals where node_id = {REVISED})"
)
NEWEST_SEQ = f"(select max(seq) from journal where owner_key = {SAMS})"
EVENT_OF_TEA = f"(select event_id from claims where claim_id = {FIRST_TEA})"
NOTE_OF_TEA = f"(select node_id from intervals i join events e on e.owner_key = i.owner_key and e.seq = i.seq where e.event_id = {EVENT_OF_TEA} limit 1)"
LAST_COMMIT = "(select max(commit_no) from journal)"

# What is changed, the name of the difference, and its id (SQL, asked before the change).
DAMAGE = [
    # events
    ("update events set content = 'x' where kind = 'store'", "content_digest", NOTE),
    ("update events set content_digest = 'sha256:0' where kind = 'store'", "content_digest", NOTE),
    (
        "update events set content = 'x', content_digest = "
        "'sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' where kind = 'store'",
        "note",
        NOTE,
    ),
    ("update events set kind = 'ingest' where kind = 'store'", "note", NOTE),
    ("update events set received_at = received_at + 1 where kind = 'store'", "event_id", NOTE),
    ("update events set scope = 'work' where kind = 'store'", "event_id", NOTE),
    ("update events set message_id = 'm' where kind = 'store'", "event_id", NOTE),
    ("update events set event_id = '00000000-0000-0000-0000-000000000000' where kind = 'store'", "note", NOTE),
    ("update events set seq = 99 where kind = 'store'", "note", NOTE),
    ("delete from events where kind = 'store'", "note", NOTE),
    (
        f"insert into events select owner_key, 'x', 99, kind, scope, role, content, content_digest, session_id, "
        f"message_id, speaker, first_person_owner, occurred_at, received_at, metadata from events where event_id = {NOTE}",
        "event_id",
        "'x'",
    ),
    *(
        (f"update events set {change} where {OF_TEA}", "event", EVENT_OF_TEA)
        for change in (
            "content = 'x'",
            "role = 'tool'",
            "session_id = 'x'",
            "speaker = 'x'",
            "metadata = '{}'",
            "first_person_owner = false",
            "occurred_at = occurred_at + 1",
            "received_at = received_at + 1",
        )
    ),
    (f"delete from events where {OF_TEA}", "event", EVENT_OF_TEA),
    # owners
    ("update owners set user_id = 'eve' where user_id = 'sam'", "event_id", NOTE),
    ("update owners set owner_key = 99 where user_id = 'sam'", "owner", f"{SAMS}::text"),
    ("delete from owners where user_id = 'sam'", "owner", f"{SAMS}::text"),
    ("insert into owners values (99, 'eve')", "owner", "'99'"),
    ("insert into owners values (99, 'sam')", "owner", "'99'"),
    # plans
    (f"update plans set document = replace(document, 'tea', 'pea') where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = document || ' ' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = 'x' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = '' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set checksum = 'sha256:0' where {OF_TEA}", "plan_checksum", EVENT_OF_TEA),
    (f"update plans set plan_id = 'x' where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"update plans set policy = 'speech_act_v13' where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"update plans set seq = seq + 1 where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"delete from plans where {OF_TEA}", "plan", EVENT_OF_TEA),
    (
        # Another owner's plan, sound in itself, under this event.
        "update plans set document = o.document, checksum = o.checksum from "
        "(select document, checksum from plans where owner_key <> " + SAMS + f" limit 1) o where {OF_TEA}",
        "event",
        EVENT_OF_TEA,
    ),
    # extractions
    (f"update extractions set body = replace(body, 'tea', 'pea') where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set policy = 'speech_act_v13' where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set extractor_model = '2' where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set speaker_references = false where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"delete from extractions where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"insert into extractions select owner_key, 'x', seq, policy, extractor_name, extractor_model, prompt_digest, "
     f"speaker_references, body from extractions where {OF_TEA}", "extractions", "'x'"),
    # claims
    *(
        (f"update claims set {change} where claim_id = {LYON}", "claims", LYON)
        for change in (
            "object = 'Paris'",
            "subject = 'Maria'",
            "predicate = 'left'",
            "polarity = 'negative'",
            "polarity = 'neither'",
            "kind = 'preference'",
            "kind = 'rumour'",
            "policy = 'speech_act_v13'",
            "policy = 'speech_act_v99'",
            "scope = 'work'",
            "source_type = 'TOOL_OUTPUT'",
            "source_type = 'NOBODY'",
            "epistemic_type = 'hypothetical'",
            "epistemic_type = 'known'",
            "condition = 'if'",
            "temporal_intent = 'update'",
            "replaces_object = 'Rome'",
            "subject_id = null",
            "effective_at = effective_at + 1",
            "received_at = received_at + 1",
            "content = 'x'",
            "position = 7",
            "event_id = 'x'",
        )
    ),
    (f"update claims set claim_id = 'x' where claim_id = {LYON}", "claims", LYON),
    (f"delete from claims where claim_id = {LYON}", "claims", LYON),
    (f"insert into claims select owner_key, 'x', event_id, 9, policy, scope, source_type, kind, subject_id, subject, "
     f"predicate, object, polarity, epistemic_type, condition, temporal_intent, replaces_object, effective_at, "
     f"received_at, content from claims where claim_id = {LYON}", "claims", "'x'"),
    (f"insert into claims select owner_key, 'x', 'no event', 9, policy, scope, source_type, kind, subject_id, subject, "
     f"predicate, object, polarity, epistemic_type, condition, temporal_intent, replaces_object, effective_at, "
     f"received_at, content from claims where claim_id = {LYON}", "claims", "'x'"),
    # evidence
    (f"update evidence set quote = 'x' where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set span_start = span_start + 1 where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set span_end = span_end - 1 where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set event_id = 'x' where claim_id = {LYON}", "evidence", LYON),
    (f"delete from evidence where claim_id = {LYON}", "evidence", LYON),
    (f"insert into evidence values ({SAMS}, {LYON}, 9, {NOTE}, 0, 1, 'A')", "evidence", LYON),
    (f"insert into evidence values ({SAMS}, 'x', 0, 'no event', 0, 1, 'A')", "evidence", "'x'"),
    # entities
    ("update entities set name = 'x' where name = 'Lyon'", "entities", "(select entity_id from entities where name = 'Lyon')"),
    ("delete from entities where name = 'Lyon'", "entities", "(select entity_id from entities where name = 'Lyon')"),
    (f"insert into entities values ({SAMS}, 'x', 'no event', 'personal', 'person', 'Eve')", "entities", "'x'"),
    # intervals
    *(
        (
            f"update intervals set {change} where node_id = {FIRST_TEA} and status = 'superseded'",
            "interval",
            FIRST_TEA,
        )
        for change in (
            "valid_to = null",
            "valid_to = valid_to + 1",
            "valid_from = valid_from + 1",
            "status = 'current'",
            "status = 'closed'",
            "superseded_by = null",
            "superseded_by = 'x'",
            "confirms = 'x'",
        )
    ),
    (
        f"update intervals set valid_to = 9223372036854775807 where node_id = {FIRST_TEA} and status = 'superseded'",
        "interval_version",
        FIRST_TEA,
    ),
    (f"update intervals set valid_from = 1 where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"update intervals set status = 'superseded' where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"delete from intervals where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"delete from intervals where node_id = {LYON}", "interval", LYON),
    (f"delete from intervals where node_id = {FIRST_TEA} and status = 'superseded'", "interval", FIRST_TEA),
    (f"insert into intervals values ({SAMS}, 'x', 99, 0, 0, null, 'current', null, null)", "interval", "'x'"),
    (f"insert into intervals values ({SAMS}, {LYON}, 99, 0, 0, null, 'current', null, null)", "interval", LYON),
    (f"update intervals set valid_to = 5 where {OLDEST}", "interval_version", REVISED),
    (f"update intervals set recorded_from = 5 where {OLDEST}", "interval_version", REVISED),
    (f"delete from intervals where {OLDEST}", "interval_version", REVISED),
    # decisions
    (f"update decisions set body = replace(body, 'retired', 'none') where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (f"update decisions set body = 'x' where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (f"update decisions set body = replace(body, '\"near_misses\":[', '\"near_misses\":[{{\"claim_id\":\"x\",\"test\":\"object\"}}') where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (f"delete from decisions where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (f"insert into decisions select owner_key, 'x', seq, body from decisions where claim_id = {LYON}", "decision", "'x'"),
    # work
    (f"update work set state = 'pending' where event_id = {BROKEN}", "work", BROKEN),
    (f"update work set reason_code = 'x' where event_id = {BROKEN}", "work", BROKEN),
    (f"update work set policy = 'speech_act_v13' where event_id = {BROKEN}", "work", BROKEN),
    (f"delete from work where event_id = {BROKEN}", "work", BROKEN),
    (f"insert into work values ({SAMS}, {NOTE}, 99, 'pending', null, 'speech_act_v14')", "work", NOTE),
    # journal
    *(
        (f"update journal set {change} where owner_key = {SAMS} and seq = 2", what, "'2'")
        for change, what in (
            ("body = replace(body, 'e', 'f')", "journal_body"),
            ("body = null", "journal_body"),
            ("commitment_key = null", "journal_body"),
            ("commitment_key = repeat('00', 32)", "journal_body"),
            ("commitment_key = 'not hex'", "journal_body"),
            ("commitment = repeat('0', 64)", "journal_digest"),
            ("digest = repeat('0', 64)", "journal_digest"),
            ("previous = repeat('0', 64)", "journal_previous"),
            ("kind = 'PLAN_PUBLISHED'", "journal_digest"),
            ("event_id = 'x'", "journal_event"),
        )
    ),
    (f"update journal set seq = 99 where owner_key = {SAMS} and seq = 2", "journal_seq", "'3'"),
    (f"delete from journal where owner_key = {SAMS} and seq = 2", "journal_seq", "'3'"),
    (f"update journal set commit_digest = 'x' where owner_key = {SAMS} and seq = 2", "commit_digest", "'2'"),
    (f"update journal set commit_no = 99 where owner_key = {SAMS} and seq = 2", "commit_no", "'99'"),
    (f"delete from journal where commit_no = 1", "commit_no", "'2'"),
    # meta
    ("delete from meta where key = 'policy.14'", "policy", "'speech_act_v14'"),
]  # fmt: skip


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
