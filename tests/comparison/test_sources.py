"""Records come from files, folders, standard input and stores; what cannot be used is told, and the rest goes on."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import sys
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from prme import MemoryClient, ids
from prme.canonical import canonical_document, digest_bytes
from prme.clock import utc_text
from prme.comparison import Unread, compare_owners, gather, unread
from prme.comparison.sources import is_source, owner_records
from prme.errors import StoreError
from prme.model.decision import ExplicitDecision
from prme.model.extraction import ExtractedClaim, Extraction
from prme.model.plan import ExtractionPlan
from prme.plan.codec import encode_plan
from prme.plan.document import plan_document
from prme.records import sources
from prme.records.spool import Spool
from prme.records.writing import encode_record
from prme.store.opening import DATABASE_FILE
from tests.engine.conversation import NO_TEA, TEA, Scripted, SettableClock
from tests.plan.plans import OCCURRED_AT, RECEIVED_AT, event, prepared

KNOWN = "prme.decision/1, prme.event/1, prme.manifest/1, prme.plan/1"
V13, V14 = "speech_act_v13", "speech_act_v14"


def line(number: int, user_id: str = "sam", **fields: Any) -> bytes:
    """Return the saved plan of the message of that number."""
    of = event(
        "I use Vim.",
        user_id=user_id,
        message_id=f"m{number}",
        received_at=RECEIVED_AT + timedelta(minutes=number),
        occurred_at=OCCURRED_AT + timedelta(minutes=number),
    )
    claim = ExtractedClaim(subject="I", predicate="uses", object="Vim", polarity="positive")
    return prepared(of, Extraction(claims=[claim]), **fields).data


def decision(**changes: Any) -> dict[str, Any]:
    said = {
        "actor": "operator",
        "at": utc_text(OCCURRED_AT),
        "evidence_id": None,
        "format": "prme.decision/1",
        "kind": "supersede",
        "mark": utc_text(RECEIVED_AT),
        "new": "b",
        "number": 1,
        "old": "a",
        "user_id": "sam",
        **changes,
    }
    return {"operation_id": ids.operation_id(said["kind"], said["old"], said["new"]), **said}


def signed(document: dict[str, Any]) -> bytes:
    return encode_record(document)[0]


def lines(*records: bytes) -> bytes:
    return b"".join(record + b"\n" for record in records)


def gathered(spool: Spool, *names: str | Path, user_id: str | None = None, stdin: bytes = b"") -> list[Unread]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        return list(gather(map(str, names), spool, user_id=user_id))


def plans(spool: Spool, user_id: str) -> list[ExtractionPlan]:
    return owner_records(spool, user_id)[0]


def decisions(spool: Spool, user_id: str) -> list[ExplicitDecision]:
    return owner_records(spool, user_id)[1]


def held(spool: Spool) -> dict[str, list[str | None]]:
    """Return the messages of each owner."""
    return {owner: sorted(str(plan.event.message_id) for plan in plans(spool, owner)) for owner, _ in spool.owners()}


def reasons(found: Iterable[Unread]) -> list[tuple[str, int | None, str]]:
    """Return where each record stands that cannot be used, and the beginning of the reason."""
    return [(Path(unread.source).name, unread.line, unread.reason.partition(":")[0]) for unread in found]


@pytest.fixture
def spool():
    with Spool() as opened:
        yield opened


def test_a_file_has_one_record_a_line(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(lines(line(1), line(2), line(3, "ann")))

    assert gathered(spool, tmp_path / "plans.jsonl") == []
    assert held(spool) == {"ann": ["m3"], "sam": ["m1", "m2"]}


def test_a_file_named_gz_is_read_as_gzip(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.jsonl.gz").write_bytes(gzip.compress(lines(line(1))))

    assert gathered(spool, tmp_path / "plans.jsonl.gz") == []
    assert held(spool) == {"sam": ["m1"]}


def test_a_dash_is_standard_input(spool: Spool):
    assert gathered(spool, "-", stdin=lines(line(1))) == []
    assert held(spool) == {"sam": ["m1"]}


def test_a_folder_has_one_record_in_each_json_file_at_any_depth(spool: Spool, tmp_path: Path):
    (tmp_path / "owners" / "sam").mkdir(parents=True)
    (tmp_path / "owners" / "sam" / "1.json").write_bytes(line(1) + b"\n")
    (tmp_path / "2.json").write_bytes(line(2))
    (tmp_path / "notes.txt").write_bytes(b"not a record")

    assert gathered(spool, tmp_path) == []
    assert held(spool) == {"sam": ["m1", "m2"]}


def test_a_folder_of_anything_else_is_no_source(tmp_path: Path):
    (tmp_path / "notes.txt").touch()
    refused = is_source(str(tmp_path))
    (tmp_path / "1.json").touch()

    assert (refused, is_source(str(tmp_path))) == (False, True)


def test_only_the_owner_asked_for_is_gathered(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(lines(line(1), line(2, "ann"), signed(decision())))
    gathered(spool, tmp_path / "plans.jsonl", user_id="ann")

    assert held(spool) == {"ann": ["m2"]}
    assert decisions(spool, "sam") == []


def test_a_line_that_cannot_be_used_is_told_with_its_place_and_the_rest_goes_on(spool: Spool, tmp_path: Path):
    newer = signed({"format": "prme.plan/2"})
    damaged = line(2).replace(b"Vim", b"vim", 1)
    (tmp_path / "plans.jsonl").write_bytes(
        lines(line(1), b"{", b"", b"[]", b"\xff", b'{"format":"x"}', damaged, newer, b'{"a":' + b"[" * 100_000, line(9))
    )
    found = gathered(spool, tmp_path / "plans.jsonl")

    assert reasons(found) == [
        ("plans.jsonl", 2, "not JSON (column 2)"),
        ("plans.jsonl", 4, "not a JSON object"),
        ("plans.jsonl", 5, "not UTF-8"),
        ("plans.jsonl", 6, "the record names no format of prme"),
        ("plans.jsonl", 7, "the plan's bytes do not match its checksum"),
        ("plans.jsonl", 8, f"the record has format 'prme.plan/2', this release reads {KNOWN}"),
        ("plans.jsonl", 9, "not JSON that can be read"),
    ]
    assert held(spool) == {"sam": ["m1", "m9"]}
    assert list(unread(spool)) == found


def test_a_plan_of_an_unknown_policy_names_it(spool: Spool):
    plan = prepared().plan
    data, _ = encode_plan({**plan_document(plan), "policy": "speech_act_v98"})

    (found,) = gathered(spool, "-", stdin=lines(data))
    assert found.reason.startswith("policy 'speech_act_v98' is not known to this release")


def test_a_plan_that_is_written_in_another_form_is_told(spool: Spool):
    document = json.loads(line(1))
    del document["checksum"]
    body = json.dumps(document).encode("utf-8")
    signed_all_the_same = b'{"checksum":"' + digest_bytes(body).encode("ascii") + b'",' + body[1:]

    found = gathered(spool, "-", stdin=lines(body, signed_all_the_same))
    assert [unread.reason.partition(":")[0] for unread in found] == [
        "the plan does not begin with its checksum",
        "the plan is not in its canonical form",
    ]


def test_a_compressed_file_that_is_cut_off_is_told_and_what_came_before_counts(spool: Spool, tmp_path: Path):
    whole = gzip.compress(lines(line(1)))
    (tmp_path / "cut.gz").write_bytes(whole + gzip.compress(lines(line(2)))[:-20])
    (tmp_path / "after.jsonl").write_bytes(lines(line(3)))

    (found,) = gathered(spool, tmp_path / "cut.gz", tmp_path / "after.jsonl")
    assert (Path(found.source).name, found.line) == ("cut.gz", 2)
    assert held(spool) == {"sam": ["m1", "m3"]}


def test_what_a_file_is_named_does_not_say_whether_it_is_gzip(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.gz").write_bytes(lines(line(1)))
    (tmp_path / "plans.json").write_bytes(gzip.compress(lines(line(2), line(3))))

    assert gathered(spool, tmp_path / "plans.gz", tmp_path / "plans.json") == []
    assert held(spool) == {"sam": ["m1", "m2", "m3"]}


def test_white_space_and_a_byte_order_mark_are_no_part_of_a_record(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(b"\xef\xbb\xbf" + line(1) + b"\r\n \r\n" + line(2) + b" \r\n")

    assert gathered(spool, tmp_path / "plans.jsonl") == []
    assert held(spool) == {"sam": ["m1", "m2"]}


def test_a_file_that_is_not_there_is_told_and_the_rest_goes_on(spool: Spool, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(lines(line(1)))

    assert reasons(gathered(spool, tmp_path / "missing.jsonl", tmp_path / "plans.jsonl")) == [
        ("missing.jsonl", None, "the file cannot be read")
    ]
    assert held(spool) == {"sam": ["m1"]}


def test_a_line_that_is_too_long_is_passed_over(spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    longest = len(line(1)) + 10
    monkeypatch.setattr(sources, "MOST_RECORD_BYTES", longest)
    (tmp_path / "plans.jsonl").write_bytes(lines(line(1), b"x" * (3 * longest), line(2)))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.json").write_bytes(b"x" * (longest + 1))
    why = f"longer than {longest:,} bytes, which no record is"

    found = gathered(spool, tmp_path / "plans.jsonl", tmp_path / "folder")
    assert reasons(found) == [("plans.jsonl", 2, why), ("1.json", None, why)]
    assert held(spool) == {"sam": ["m1", "m2"]}


def test_a_plan_that_comes_again_counts_once_also_under_another_policy(spool: Spool):
    assert gathered(spool, "-", stdin=lines(line(1), line(1), line(1, policy=V13))) == []
    assert held(spool) == {"sam": ["m1"]}


def test_another_extraction_of_the_same_message_is_told_and_the_first_counts(spool: Spool, tmp_path: Path):
    (tmp_path / "first.jsonl").write_bytes(lines(line(1)))
    other = prepared(next_of := event(message_id="m1", user_id="sam"), Extraction())

    found = gathered(spool, tmp_path / "first.jsonl", "-", stdin=lines(other.data))
    assert found == [
        Unread(
            source="standard input",
            line=1,
            reason=f"event {next_of.id} has another recorded extraction in {tmp_path / 'first.jsonl'}, line 1, "
            "which was read first",
        )
    ]
    assert [len(plan.extraction.claims) for plan in plans(spool, "sam")] == [1]


def test_records_that_say_nothing_of_claims_are_passed_over(spool: Spool, tmp_path: Path):
    with MemoryClient(":memory:", extractor=Scripted(), clock=SettableClock()) as memory:
        memory.store("A note.", user_id="sam")
        memory.export_plans(tmp_path / "export.jsonl")

    assert (tmp_path / "export.jsonl").read_bytes().count(b"\n") == 2  # the note and the manifest
    assert gathered(spool, tmp_path / "export.jsonl") == []
    assert held(spool) == {}


@pytest.mark.parametrize("name", ["prme.event/1", "prme.manifest/1"])
def test_a_damaged_record_that_says_nothing_of_claims_is_told(spool: Spool, name: str):
    damaged = signed({"format": name}).replace(b"sha256:", b"sha256:0")

    assert reasons(gathered(spool, "-", stdin=lines(damaged))) == [
        ("standard input", 1, "the record does not match its checksum")
    ]


def test_decisions_come_in_the_order_in_which_they_were_made(spool: Spool):
    contradiction = decision(kind="contradict", number=3, at=None)
    given = [signed(decision(number=2)), signed(contradiction), signed(decision(number=1)), signed(decision(number=1))]

    assert gathered(spool, "-", stdin=lines(*given)) == []
    assert [(made.number, made.kind, made.at) for made in decisions(spool, "sam")] == [
        (1, "supersede", OCCURRED_AT),
        (2, "supersede", OCCURRED_AT),
        (3, "contradict", None),
    ]
    assert [made.mark for made in decisions(spool, "sam")] == [RECEIVED_AT] * 3


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (signed(decision()).replace(b'"a"', b'"c"'), "the record does not match its checksum"),
        (
            json.dumps({**decision(actor="\ud800"), "checksum": "sha256:0"}).encode("ascii"),
            "the record does not match its checksum",
        ),
        (canonical_document(decision()), "the record has no checksum"),
        (signed(decision(kind="erase")), "the record has a valid checksum but not the fields of its format"),
        (signed(decision(number=0)), "the decision has no number"),
        (signed(decision(mark="2031-04-01T09:00:00")), "the decision is not written as a decision is"),
        (signed(decision(mark="0001-01-01T00:00:00+14:00")), "the decision has a time that is none"),
        (
            signed(decision(at=None)),
            "a contradiction closes nothing, and every other decision says when",
        ),
    ],
)
def test_a_decision_that_cannot_be_used_is_told(spool: Spool, record: bytes, reason: str):
    assert reasons(gathered(spool, "-", stdin=lines(record))) == [("standard input", 1, reason)]


def test_another_decision_of_the_same_number_is_told(spool: Spool):
    told = [signed(decision()), signed(decision(new="c")), signed(decision()), signed(decision(actor="support"))]
    found = gathered(spool, "-", stdin=lines(*told))

    assert reasons(found) == [("standard input", 2, "another decision 1 of its owner was read first")]
    assert [made.new for made in decisions(spool, "sam")] == ["b"]


def test_a_store_gives_its_plans_and_the_decisions_made_by_hand(spool: Spool, tmp_path: Path):
    with MemoryClient(tmp_path / "memory", extractor=Scripted(), clock=SettableClock()) as memory:
        told = [memory.ingest(text, user_id="sam", first_person_owner=True) for text in (TEA, NO_TEA)]
        memory.store("A note.", user_id="sam")
        memory.ingest(TEA, user_id="ann", first_person_owner=True)
        note = memory.get_event_nodes(told[0].event_id)[0].id
        memory.supersede(note, told[1].claims[0])

    assert gathered(spool, tmp_path / "memory") == []
    assert {owner: len(plans(spool, owner)) for owner, _ in spool.owners()} == {"ann": 1, "sam": 2}
    assert [made.old for made in decisions(spool, "sam")] == [note]


def test_owners_are_compared_one_after_the_other_in_order(spool: Spool):
    gathered(spool, "-", stdin=lines(line(1, "zoe"), line(2, "ann"), line(3, "ann")))

    assert [
        [message.event.user_id for message in comparison.messages] for comparison in compare_owners(spool, V13, V14)
    ] == [["ann", "ann"], ["zoe"]]


def test_a_stored_plan_that_is_damaged_or_missing_is_told_by_its_message(spool: Spool, tmp_path: Path):
    with MemoryClient(tmp_path / "memory", extractor=Scripted(), clock=SettableClock()) as memory:
        events = [memory.ingest(text, user_id="sam").event_id for text in (TEA, NO_TEA, "I say more.")]
    with duckdb.connect(str(tmp_path / "memory" / DATABASE_FILE)) as connection:
        connection.execute("update plans set document = replace(document, 'tea', 'tee') where event_id = ?", events[:1])
        connection.execute("delete from plans where event_id = ?", events[1:2])

    found = gathered(spool, tmp_path / "memory")
    assert [(unread.line, unread.reason.partition(":")[0]) for unread in found] == [
        (None, f"the plan of event {events[0]}"),
        (None, f"the plan of event {events[1]} is missing"),
    ]
    assert [plan.event.id for plan in plans(spool, "sam")] == events[2:]


def test_a_temporary_folder_that_is_full_is_an_error_of_ours(spool: Spool, monkeypatch: pytest.MonkeyPatch):
    class Full:
        def execute(self, *_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        def close(self) -> None:
            pass

    monkeypatch.setattr(spool, "_connection", Full())

    with pytest.raises(StoreError, match="make room on the disk"):
        gathered(spool, "-", stdin=lines(line(1)))
