"""A replay gives the state of the store that was exported, whatever the order of the records, and may be repeated."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.errors import ConflictError, StoreError
from prme.records.spool import _SCHEMA
from prme.replay.replay import check_sources, replay_sources
from prme.service import MemoryService
from prme.store.rows import TABLES
from tests.decisions.conversation import everything
from tests.engine.conversation import COFFEE, NO_TEA, NOON, TEA, Scripted, SettableClock
from tests.engine.random_messages import OWNERS, Sayings, sayings
from tests.replay.worlds import dying, exported, lines, opened, replayed, talk


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x"])
def test_a_replay_gives_the_same_state(tmp_path: Path, name: str):
    target, states = exported(tmp_path / name)

    report, found = replayed(target)

    assert (report.problems, report.notes, report.expected) == ((), (), states)
    assert states == found


def test_a_replay_in_several_processes_gives_the_same_state(tmp_path: Path):
    target, states = exported(tmp_path / "x.jsonl")

    report, found = replayed(target, jobs=2)

    assert (report.problems, states) == ((), found)


def test_an_export_of_a_replayed_store_is_the_same_bytes(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        memory.replay(target)
        memory.export_plans(tmp_path / "y.jsonl")

    assert target.read_bytes() == (tmp_path / "y.jsonl").read_bytes()


def tables(source: list[Path], jobs: int) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a store that was filled under a fixed clock and fixed random bytes."""
    numbers = itertools.count()
    service = MemoryService(
        ":memory:",
        extractor=Scripted(),
        clock=lambda: NOON + timedelta(days=99),
        entropy=lambda size: next(numbers).to_bytes(size),
    )
    try:
        replay_sources(source, service._writer, jobs=jobs)
        return {table: sorted(service._database.query(f"select * from {table}"), key=repr) for table in TABLES}
    finally:
        service.close()


def test_every_row_is_the_same_in_any_order_of_records_and_in_any_number_of_processes(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    (tmp_path / "y.jsonl").write_bytes(b"".join(reversed(lines(target))))

    assert tables([target], 1) == tables([tmp_path / "y.jsonl"], 2)
    assert tables([target], 1) == tables([tmp_path / "y.jsonl", target], 1)


def test_the_journal_tells_who_retired_what_as_it_did_before(tmp_path: Path):
    with opened() as memory, opened() as other:
        for content in (TEA, COFFEE, TEA, NO_TEA, TEA):
            memory.ingest(content, user_id="sam", first_person_owner=True)
        memory.store("A note.", user_id="sam")
        memory.export_plans(tmp_path / "x.jsonl")
        other.replay(tmp_path / "x.jsonl")
        told = [
            [change.model_copy(update={"recorded_at": NOON}) for change in one.changes(user_id="sam")]
            for one in (memory, other)
        ]

    assert told[0] == told[1]
    assert sum(len(change.retired) for change in told[0]) == 1


def test_what_a_replayed_store_explains_is_what_was_explained(tmp_path: Path):
    clock = SettableClock()
    with opened(clock=clock) as memory, opened() as other:
        talk(memory, clock)
        memory.export_plans(tmp_path / "x.jsonl")
        other.replay(tmp_path / "x.jsonl")
        for change in memory.changes(user_id="sam", limit=1000):
            if change.event_id is not None:
                before, after = (one.explain(change.event_id) for one in (memory, other))
                assert [claim.decision for claim in before.claims] == [claim.decision for claim in after.claims]
                assert [claim.node for claim in before.claims] == [claim.node for claim in after.claims]


def test_pending_and_failed_messages_can_be_taken_up_after_a_replay(tmp_path: Path):
    with opened() as memory:
        failed = memory.ingest("This one fails.", user_id="sam")
        assert failed.status == "failed"
        memory.export_plans(tmp_path / "x.jsonl")
    with MemoryClient(":memory:", extractor=Scripted()) as memory:
        memory.replay(tmp_path / "x.jsonl")

        assert memory.explain(failed.event_id).reason_code == "extractor_error"
        assert memory.retry(failed.event_id).status == "published"


def test_a_replayed_message_is_known_by_its_message_id(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        memory.replay(target)
        before = everything(memory)
        again = memory.ingest(
            "I drink coffee.", user_id="sam", first_person_owner=True, message_id="coffee", metadata={"a": [1, 2]}
        )

        assert (again.status, everything(memory)) == ("duplicate", before)


def test_a_second_replay_changes_nothing(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        first = memory.replay(target)
        before = everything(memory)
        second = memory.replay(target)

        assert (second.events, second.plans, second.decisions, second.problems) == (0, 0, 0, ())
        assert second.already_there == first.events + first.decisions
        assert before == everything(memory)


def test_records_that_stand_twice_are_counted_and_no_error(tmp_path: Path):
    target, states = exported(tmp_path / "x.jsonl")

    report, found = replayed([target, target])

    assert (report.problems, report.duplicates, found) == ((), report.events + report.decisions, states)


def test_a_plan_stands_for_an_older_record_of_its_event_without_one(tmp_path: Path):
    with opened() as memory:
        failed = memory.ingest("This one fails.", user_id="sam")
        memory.export_plans(tmp_path / "old.jsonl")
        memory._engine._service._queue._extractor._extractor = Scripted()
        memory.retry(failed.event_id)
        memory.export_plans(tmp_path / "new.jsonl")
        states = memory.verify().owners

    for names in (["old.jsonl", "new.jsonl"], ["new.jsonl", "old.jsonl"]):
        report, found = replayed([tmp_path / name for name in names])

        assert (report.problems, report.plans, report.duplicates) == ((), 1, 1)
        assert states == found == report.expected


def test_a_newer_export_brings_a_replayed_store_up_to_date(tmp_path: Path):
    clock = SettableClock()
    with opened(clock=clock) as memory:
        one, two = (memory.store(text, user_id="sam") for text in ("one", "two"))
        failed = memory.ingest("This one fails.", user_id="sam")
        nodes = [memory.get_event_nodes(event)[0].id for event in (one, two)]
        memory.export_plans(tmp_path / "old.jsonl")
        memory._engine._service._queue._extractor._extractor = Scripted()
        memory.retry(failed.event_id)
        memory.supersede(*nodes)
        memory._engine._service._queue._extractor._extractor = opened()._engine._service._extractor
        talk(memory, clock)
        memory.export_plans(tmp_path / "new.jsonl")
        states = memory.verify().owners
    with opened() as memory:
        memory.replay(tmp_path / "old.jsonl")
        report = memory.replay(tmp_path / "new.jsonl")

        assert (report.problems, report.already_there) == ((), 3 - 1)
        verified = memory.verify()
        assert (verified.differences, verified.owners) == ([], states)


def test_a_store_that_knows_more_than_the_records_keeps_it(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        memory.replay(target)
        memory.store("More.", user_id="sam")
        before = everything(memory)

        assert memory.replay(target).problems == ()
        assert everything(memory) == before


def test_two_histories_of_one_owner_are_not_merged(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened(clock=SettableClock(NOON + timedelta(days=9))) as memory:
        memory.store("A stranger.", user_id="sam")
        before = everything(memory)[1]["sam"]
        report = memory.replay(target)

        assert ["two histories are not merged" in problem.reason for problem in report.problems] == [True]
        assert everything(memory)[1]["sam"] == before
        assert (set(memory.verify().owners), memory.verify().ok) == ({"sam", "Zoë\u202e"}, True)


def test_another_message_under_the_same_id_is_reported(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        memory.store("A stranger.", user_id="sam")
        before = everything(memory)[1]["sam"]
        reasons = [problem.reason for problem in memory.replay(target).problems]

        assert ["the store holds another message under the id of this event"] == reasons[:1]
        assert everything(memory)[1]["sam"] == before


def test_a_store_can_be_told_more_after_a_replay(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    with opened() as memory:
        memory.replay(target)
        wine = [node for node in memory.claims(user_id="sam") if node.object == "wine"]
        new = memory.ingest("I drink milk.", user_id="sam", first_person_owner=True).claims[0]
        memory.supersede(wine[0].id, new, user_id="sam")

        assert memory.verify().ok


def test_the_recorded_times_are_those_of_the_replay(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    clock = SettableClock(NOON + timedelta(days=500))
    with opened(clock=clock) as memory:
        memory.replay(target)

        assert {change.recorded_at for change in memory.changes(limit=1000)} == {clock.moment}


def test_a_replayed_store_is_searched_like_the_first(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    clock = SettableClock()
    with opened(clock=clock) as memory, opened() as other:
        talk(memory, clock)
        other.retrieve("milk", user_id="sam")
        other.replay(target)
        found = [[hit.node.id for hit in one.retrieve("milk wine", user_id="sam")] for one in (memory, other)]

    assert found[0]
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_process_that_dies_ends_the_replay_with_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target, _ = exported(tmp_path / "x.jsonl")
    monkeypatch.setattr("prme.replay.tasks.prepare_task", dying)

    with opened() as memory, pytest.raises(StoreError, match="in fewer processes"):
        memory.replay(target, jobs=2)


def test_a_full_disk_ends_the_replay_with_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target, _ = exported(tmp_path / "x.jsonl")
    monkeypatch.setattr("prme.records.spool._SCHEMA", f"{_SCHEMA} pragma max_page_count = 8;")

    with opened() as memory, pytest.raises(StoreError, match="TMPDIR"):
        memory.replay(target)


@pytest.mark.parametrize("jobs", [0, -1, True, "2"])
def test_jobs_below_one_are_refused(tmp_path: Path, jobs: Any):
    with opened() as memory, pytest.raises(ValueError, match="at least 1"):
        memory.replay(tmp_path, jobs=jobs)


def tell(memory: MemoryClient, data: st.DataObject) -> None:
    """Hand in random messages, and decide random things about them; what is refused leaves no trace."""
    told = data.draw(st.lists(sayings(st.integers(0, 50)), min_size=1, max_size=10, unique_by=lambda one: one.number))
    memory._engine._service._extractor.learn(*told)  # type: ignore[attr-defined]
    for saying in told:
        memory.ingest(**saying.fields)
        if data.draw(st.booleans()):
            memory.store("A note.", user_id=saying.owner)
        for owner in OWNERS:
            events = [change.event_id for change in memory.changes(user_id=owner, limit=1000)]
            nodes = [node for event in sorted(filter(None, events)) for node in memory.get_event_nodes(event)]
            if len(nodes) > 1 and data.draw(st.booleans()):
                one, other = (data.draw(st.sampled_from(nodes)).id for _ in range(2))
                call = data.draw(st.sampled_from((memory.supersede, memory.contradict, memory.resolve_contradiction)))
                try:
                    call(one, other, user_id=owner)
                except ConflictError:
                    continue


@pytest.mark.slow
@settings(max_examples=20)
@given(data=st.data())
def test_random_conversations_replay_to_their_state_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    folder = tmp_path_factory.mktemp("random")
    with MemoryClient(":memory:", extractor=Sayings(), clock=SettableClock()) as memory:
        tell(memory, data)
        memory.export_plans(folder / "x.jsonl")
        states = memory.verify().owners
    records = data.draw(st.permutations(lines(folder / "x.jsonl")))
    cut = data.draw(st.integers(0, len(records)))
    for name, part in (("1.jsonl", records[:cut]), ("2.jsonl", records[cut:])):
        (folder / name).write_bytes(b"".join(part))

    report, found = replayed([folder / "1.jsonl", folder / "2.jsonl"])

    assert (report.problems, states) == ((), found)
    assert check_sources([folder]).problems == ()
    with opened() as memory:  # and in two portions: what the first lacks is reported, and nothing is left of that
        memory.replay(folder / "1.jsonl")
        memory.replay(folder)
        verified = memory.verify()
        assert (verified.differences, verified.owners) == ([], states)


GOLDEN = sorted((Path(__file__).parents[2] / "plans" / "golden").glob("*/plans.jsonl"))


def test_every_golden_plan_can_be_replayed(tmp_path: Path):
    assert len(GOLDEN) > 50
    assert [] == [(file.parent.name, problem) for file in GOLDEN for problem in check_sources([file]).problems]


def test_the_manifest_is_no_part_of_what_is_replayed(tmp_path: Path):
    target, states = exported(tmp_path / "x.jsonl")
    (tmp_path / "y.jsonl").write_bytes(b"".join(lines(target)[:-1]))

    report, found = replayed(tmp_path / "y.jsonl")

    assert (report.ok, report.expected, found) == (True, {}, states)
    assert ["no manifest" in note for note in report.notes] == [True]
    assert json.loads(lines(target)[-1])["format"] == "prme.manifest/1"
