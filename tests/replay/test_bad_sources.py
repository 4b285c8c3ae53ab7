"""What cannot be used is reported with its place and the reason, and everything else goes on."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme.plan.codec import encode_plan
from prme.records import sources
from prme.records.writing import encode_record
from prme.replay import tally
from prme.replay.replay import check_sources
from tests.replay.worlds import exported, lines, opened, replayed


def problems(source: Path) -> list[tuple[int | None, str]]:
    report, _ = replayed(source)
    assert {problem.file for problem in report.problems} <= {str(source), None}
    return [(problem.line, problem.reason) for problem in report.problems]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return exported(tmp_path_factory.mktemp("export") / "x.jsonl")[0].read_bytes()


@pytest.fixture
def records(export: bytes) -> list[bytes]:
    """The records without the manifest, so that only the bad one is reported."""
    return export.splitlines(keepends=True)[:-1]


def place_of(records: list[bytes], kind: str) -> int:
    return next(place for place, line in enumerate(records) if f'"format":"prme.{kind}/1"'.encode() in line)


def changed(line: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a record that says something else, with a checksum that holds."""
    document = json.loads(line)
    del document["checksum"]
    change(document)
    encode = encode_plan if document.get("format", "").startswith("prme.plan/") else encode_record
    return encode(document)[0] + b"\n"


@pytest.mark.parametrize("kind", ["plan", "event", "decision"])
def test_a_changed_byte_is_reported_with_its_line(tmp_path: Path, records: list[bytes], kind: str):
    place = place_of(records, kind)
    records[place] = records[place].replace(b"sam", b"san").replace(b'"Zo', b'"Zu')
    (tmp_path / "x.jsonl").write_bytes(b"".join(records))

    found = problems(tmp_path / "x.jsonl")

    assert found[0][0] == place + 1
    assert "checksum" in found[0][1]


CHANGES: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("plan", lambda d: d.update(plan_id=d["event"]["id"]), "plan has another id"),
    ("plan", lambda d: d.update(format="prme.plan/2"), "upgrade prme"),
    ("plan", lambda d: d.update(policy="speech_act_v99"), "speech_act_v99"),
    ("plan", lambda d: d.pop("rejected"), "not the fields of prme.plan/1: rejected"),
    ("plan", lambda d: d["claims"][0].update(id=d["plan_id"]), "claim has another id"),
    ("plan", lambda d: d["claims"][0].update(effective_at="2031-04-01T12:00:00.000000"), "not UTC"),
    ("plan", lambda d: d["claims"][0]["evidence"][0].update(quote="tea"), "evidence"),
    ("plan", lambda d: d["claims"][0].update(evidence=[]), "no evidence"),
    ("plan", lambda d: d["claims"][0].update(object="\u2003"), "blank"),
    ("plan", lambda d: d["claims"].append(d["claims"][0]), "one position"),
    ("event", lambda d: d["event"].update(content="x"), "content"),
    ("event", lambda d: d["event"].update(scope="other"), "event has another id"),
    ("event", lambda d: d["event"].update(received_at="2031-04-01T12:00:00.000000"), "not UTC"),
    ("event", lambda d: d["event"].update(role="nobody"), "not the fields of its format: event.role"),
    ("event", lambda d: d.update(kind="ingest"), "stored note waits"),
    ("event", lambda d: d.update(more=1), "fields of its format: more"),
    ("event", lambda d: d.update(format="prme.event/2"), "upgrade prme"),
    ("event", lambda d: d.update(format="other"), "no record of an export"),
    ("event", lambda d: d["event"].update(id="x"), "no id"),
    ("event", lambda d: d["event"].update(user_id=" "), "names no owner"),
    ("decision", lambda d: d.update(operation_id=d["old"]), "operation has another id"),
    ("decision", lambda d: d.update(at=None), "contradiction closes nothing"),
    ("decision", lambda d: d.update(at="yesterday"), "time that is none"),
    ("decision", lambda d: d.update(mark="2031-04-01T12:00:00Z"), "not written as"),
    ("decision", lambda d: d.update(number=0), "no number"),
    ("decision", lambda d: d.update(kind="erase"), "fields of its format: kind"),
]


@pytest.mark.parametrize(("kind", "change", "reason"), CHANGES)
def test_a_record_that_belies_itself_is_reported(
    tmp_path: Path,
    records: list[bytes],
    kind: str,
    change: Callable[[dict[str, Any]], object],
    reason: str,
):
    place = place_of(records, kind)
    records[place] = changed(records[place], change)
    (tmp_path / "x.jsonl").write_bytes(b"".join(records))

    report = check_sources([tmp_path / "x.jsonl"])

    assert reason in {problem.line: problem.reason for problem in report.problems}[place + 1]
    assert report.events >= len(records) // 2


@pytest.mark.parametrize("kind", ["plan", "event", "decision"])
def test_a_record_written_anew_without_a_change_is_no_problem(tmp_path: Path, records: list[bytes], kind: str):
    place = place_of(records, kind)
    records[place] = changed(records[place], lambda document: None)
    (tmp_path / "x.jsonl").write_bytes(b"".join(records))

    assert check_sources([tmp_path / "x.jsonl"]).problems == ()


@pytest.mark.parametrize(
    "line", [b"no json\n", b"[]\n", b"{}\n", b'{"format":"prme.event/1"}\n', b"\xff\n", b"[" * 9999]
)
def test_what_is_no_record_is_reported(tmp_path: Path, records: list[bytes], line: bytes):
    (tmp_path / "x.jsonl").write_bytes(b"".join([records[0], line]))

    assert [number for number, _ in problems(tmp_path / "x.jsonl")] == [2]


def test_an_empty_line_is_no_problem(tmp_path: Path, records: list[bytes]):
    (tmp_path / "x.jsonl").write_bytes(b"\n".join([records[0], records[1].rstrip()]))

    assert problems(tmp_path / "x.jsonl") == []


def test_two_plans_of_one_event_are_both_left_out_whatever_their_order(tmp_path: Path, records: list[bytes]):
    other = changed(records[0], lambda d: d["extractor"].update(model="2"))
    told = []
    for name, order in (("x.jsonl", [other, *records]), ("y.jsonl", [*records, other])):
        (tmp_path / name).write_bytes(b"".join(order))
        report, found = replayed(tmp_path / name)
        assert {problem.reason[:14] for problem in report.problems} >= {"another record"}
        told.append(found)

    assert told[0] == told[1]


def test_two_events_received_at_one_time_are_both_left_out(tmp_path: Path):
    for name in ("1.jsonl", "2.jsonl"):
        with opened() as memory:
            memory.store("A note.", user_id="sam", message_id=name)
            memory.export_plans(tmp_path / name)

    report, found = replayed([tmp_path / "1.jsonl", tmp_path / "2.jsonl"])

    assert ["very same time" in problem.reason for problem in report.problems] == [True, True, False]
    assert found == {}


def test_a_decision_about_an_event_that_is_missing_is_not_carried_out(tmp_path: Path, records: list[bytes]):
    place = place_of(records, "decision")
    old = json.loads(records[place])["old"]
    kept = [line for line in records if f'"{old}"'.encode() not in line or b"decision/1" in line]
    notes = [line for line in records if b'"kind":"store"' in line]
    (tmp_path / "x.jsonl").write_bytes(b"".join(line for line in kept if line not in notes))

    assert any("no usable record holds" in reason for _, reason in problems(tmp_path / "x.jsonl"))


def test_a_decision_whose_evidence_is_missing_is_not_carried_out(tmp_path: Path):
    with opened() as memory:
        events = [memory.store(text, user_id="sam") for text in ("one", "two", "three")]
        nodes = [memory.get_event_nodes(event)[0].id for event in events]
        memory.supersede(nodes[0], nodes[1], evidence_id=events[2])
        memory.export_plans(tmp_path / "x.jsonl")
    one, two, three, decision, _ = lines(tmp_path / "x.jsonl")
    (tmp_path / "all.jsonl").write_bytes(one + two + three + decision)
    (tmp_path / "less.jsonl").write_bytes(one + two + decision)

    assert problems(tmp_path / "all.jsonl") == []
    assert ["evidence" in reason for _, reason in problems(tmp_path / "less.jsonl")] == [True]


def test_a_record_that_is_missing_is_noticed_by_the_manifest(tmp_path: Path, export: bytes):
    (tmp_path / "x.jsonl").write_bytes(b"".join(export.splitlines(keepends=True)[1:]))

    assert any("not those that the manifest lists" in reason for _, reason in problems(tmp_path / "x.jsonl"))


def test_an_owner_that_is_missing_is_noticed_by_the_manifest(tmp_path: Path, export: bytes):
    kept = [line for line in export.splitlines(keepends=True) if b'"user_id":"sam"' not in line or b"manifest" in line]
    (tmp_path / "x.jsonl").write_bytes(b"".join(kept))

    assert [(None, "the manifest lists the owner 'sam', of whom no record was read")] == problems(tmp_path / "x.jsonl")


def test_an_owner_whom_no_manifest_lists_is_noticed(tmp_path: Path, export: bytes):
    with opened() as memory:
        memory.store("A note.", user_id="zoe")
        memory.export_plans(tmp_path / "y.jsonl")
    (tmp_path / "x.jsonl").write_bytes(export + lines(tmp_path / "y.jsonl")[0])

    assert ["'zoe'" in reason for _, reason in problems(tmp_path / "x.jsonl")] == [True]


def test_a_state_that_the_records_do_not_lead_to_is_noticed(tmp_path: Path, export: bytes):
    *records, manifest = export.splitlines(keepends=True)
    forged = changed(manifest, lambda d: d["owners"][1].update(state_digest="sha256:0"))
    (tmp_path / "x.jsonl").write_bytes(b"".join([*records, forged]))

    assert ["lead to the state" in problem.reason for problem in check_sources([tmp_path / "x.jsonl"]).problems] == [
        True
    ]


def test_a_manifest_of_another_shape_is_reported(tmp_path: Path, export: bytes):
    *records, manifest = export.splitlines(keepends=True)
    (tmp_path / "x.jsonl").write_bytes(b"".join([*records, changed(manifest, lambda d: d.pop("owners"))]))

    assert [(len(records) + 1, "the manifest has not the fields of prme.manifest/1")] == problems(tmp_path / "x.jsonl")


@pytest.mark.parametrize("rest", [0, 1, 20, 700])
def test_gzip_data_that_ends_too_early_is_reported(tmp_path: Path, export: bytes, rest: int):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(export)[: -8 - rest])

    assert any("ends too early" in reason for _, reason in problems(tmp_path / "x.jsonl.gz"))


def test_gzip_data_that_is_damaged_is_reported(tmp_path: Path, export: bytes):
    packed = bytearray(gzip.compress(export))
    packed[-6] ^= 1
    (tmp_path / "x.jsonl.gz").write_bytes(packed)

    assert any("is damaged" in reason for _, reason in problems(tmp_path / "x.jsonl.gz"))


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, records: list[bytes], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "MOST_RECORD_BYTES", 20_000)
    (tmp_path / "x.jsonl").write_bytes(b"".join([b"x" * 3_000_000 + b"\n", *records]))

    found = problems(tmp_path / "x.jsonl")

    assert [(1, True)] == [(number, "longer than" in reason) for number, reason in found]


def test_a_file_of_one_record_that_is_too_long_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "MOST_RECORD_BYTES", 20_000)
    (tmp_path / "x.json").write_bytes(b"x" * 20_001)

    assert ["longer than" in reason for _, reason in problems(tmp_path / "x.json")] == [
        True,
    ]


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.json"])
def test_a_file_that_is_not_there_is_reported(tmp_path: Path, name: str):
    assert ["cannot be read" in reason for _, reason in problems(tmp_path / name)] == [True]


def test_an_empty_directory_and_an_empty_file_are_reported(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.jsonl").write_bytes(b"")

    assert [(None, "the directory holds no file of records")] == problems(tmp_path / "empty")
    assert [(None, tally.NOTHING_READ)] == problems(tmp_path / "x.jsonl")


def test_an_export_of_nobody_is_no_problem(tmp_path: Path):
    with opened() as memory:
        memory.export_plans(tmp_path / "x.jsonl")

    assert problems(tmp_path / "x.jsonl") == []


def test_problems_beyond_a_thousand_are_counted(tmp_path: Path):
    (tmp_path / "x.jsonl").write_bytes(b"x\n" * 1_003)

    report = check_sources([tmp_path / "x.jsonl"])

    assert (len(report.problems), report.unlisted_problems) == (1_000, 3)


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch, export: bytes):
    for data in (export, gzip.compress(export)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

        assert check_sources(["-"]).problems == ()


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_anywhere_is_reported(tmp_path: Path, export: bytes, data: st.DataObject):
    place, byte = data.draw(st.integers(0, len(export) - 1)), data.draw(st.integers(0, 255))
    (tmp_path / "x.jsonl").write_bytes(export[:place] + bytes([byte]) + export[place + 1 :])

    report = check_sources([tmp_path / "x.jsonl"])

    # The last line break is no part of a record, and a line break more or less between records says nothing.
    assert report.problems or report.notes or export[place] == byte or export[place : place + 1] == b"\n"


def test_no_reason_repeats_a_message(tmp_path: Path, records: list[bytes]):
    (tmp_path / "x.jsonl").write_bytes(b"".join(line.replace(b"drink", b"drank") for line in records))

    reasons = [reason for _, reason in problems(tmp_path / "x.jsonl")]

    assert reasons
    assert not any("drank" in reason or "drink" in reason for reason in reasons)
