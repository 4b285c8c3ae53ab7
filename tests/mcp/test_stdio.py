"""Every tool, over the standard streams of `prme mcp` as a process of its own: what it answers and what it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from prme.cli.streams import READER_GONE
from tests.mcp.speaking import ACTOR, Speaking, command, speaking, started

UNKNOWN = "3f2b8a1e-0000-5000-8000-000000000000"
PUMP = "I use an insulin pump."
NO_PUMP = "I don't use an insulin pump anymore."
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def sam(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Speaking]:
    """One process for this page; each test speaks of things of its own."""
    with speaking(command(tmp_path_factory.mktemp("mcp") / "memory", "--user-id", "sam")) as session:
        yield session


def said(session: Speaking, content: str) -> str:
    """Ingest a message of the owner's and return the id of its one claim."""
    (claim,) = session.data("memory_ingest", content=content, first_person_owner=True)["claims"]
    return str(claim)


def test_a_denial_retires_what_was_said_before(sam: Speaking):
    claim = said(sam, PUMP)
    receipt = sam.data("memory_ingest", content=NO_PUMP, first_person_owner=True)

    assert ("published", [claim]) == (receipt["status"], receipt["retired"])


def test_a_message_that_breaks_a_rule_is_refused_with_the_rule(sam: Speaking):
    refused = sam.refusal("memory_ingest", content="I use Vim.", first_person_owner=True, speaker="Ines")

    assert refused.startswith("SpeakerError: first_person_owner and speaker exclude each other")


def test_a_time_without_a_zone_is_refused_and_one_with_a_zone_is_not(sam: Speaking):
    refused = sam.refusal("memory_ingest", content="I like tea.", occurred_at="2031-04-01T09:00:00")

    assert "occurred_at: Input should have timezone info" in refused
    assert sam.data("memory_ingest", content="I like tea.", occurred_at="2031-04-01T09:00:00Z")


def test_a_note_is_stored_and_both_its_ids_can_be_used(sam: Speaking):
    stored = sam.data("memory_store", content="The printer is in room 12.")
    decided = sam.data(
        "memory_supersede",
        old_id=sam.data("memory_store", content="The printer is in room 11.")["note_id"],
        new_id=stored["note_id"],
        evidence_id=stored["event_id"],
    )

    assert (stored["note_id"], stored["event_id"]) == (decided["new_id"], decided["evidence_id"])


def test_a_blank_note_is_refused(sam: Speaking):
    assert sam.refusal("memory_store", content=" ").startswith("InvalidMessageError: content is blank")


def test_recall_gives_ids_and_the_guide(sam: Speaking):
    claim = said(sam, "I ride a unicycle.")
    found = sam.data("memory_retrieve", query="unicycle", exclude_node_types=["NOTE"])

    assert [claim] == [hit["node"]["id"] for hit in found["hits"]]
    assert "Never leave a memory that you know to be false" in found["guide"]


def test_recall_tells_stale_from_never_said(sam: Speaking):
    said(sam, "I play the cello.")
    said(sam, "I don't play the cello anymore.")
    note_free = {"exclude_node_types": ["NOTE"], "source_types": ["USER_STATED"]}

    assert 1 == sam.data("memory_retrieve", query="cello", **note_free)["excluded"]["superseded"]
    assert {} == sam.data("memory_retrieve", query="bassoon", **note_free)["excluded"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"query": "x", "limit": 0}, "limit: Input should be greater than or equal to 1"),
        ({"query": "x", "limit": "10"}, "limit: Input should be a valid integer"),
        ({"query": "x", "scope": "Not A Scope"}, "InvalidMessageError: scope must be"),
        ({"query": "x", "exclude_node_types": ["CAT"]}, "ValueError: exclude_node_types holds something unknown"),
        ({"query": "x", "colour": "red"}, "colour: Extra inputs are not permitted"),
        ({}, "query: Field required"),
    ],
)
def test_a_search_that_cannot_be_meant_is_refused(sam: Speaking, arguments: dict[str, Any], says: str):
    assert says in sam.refusal("memory_retrieve", **arguments)


def test_a_correction_by_hand_is_the_clients(sam: Speaking):
    old, new = said(sam, "I live in Bern."), said(sam, "I live in Rome.")
    decided = sam.data("memory_supersede", old_id=old, new_id=new)
    again = sam.data("memory_supersede", old_id=old, new_id=new)

    assert ("applied", "duplicate") == (decided["status"], again["status"])
    assert ACTOR == decided["actor"]


def test_a_correction_with_an_unknown_id_is_refused(sam: Speaking):
    claim = said(sam, "I own a kayak.")

    assert sam.refusal("memory_supersede", old_id=claim, new_id=UNKNOWN).startswith("NodeNotFoundError: ")


def test_a_correction_without_evidence_that_exists_is_refused(sam: Speaking):
    old, new = said(sam, "I own a sledge."), said(sam, "I own a bobsleigh.")
    refused = sam.refusal("memory_supersede", old_id=old, new_id=new, evidence_id=UNKNOWN)

    assert "ValueError: Evidence event is not available in the node owner and scope" == refused


def test_a_contradiction_is_noted_and_resolved(sam: Speaking):
    a, b = said(sam, "I work at Acme."), said(sam, "I work at Initech.")
    noted = sam.data("memory_contradict", a=a, b=b)
    contested = sam.data("memory_get_assertion_state", subject="I", predicate="works_at")
    resolved = sam.data("memory_resolve_contradiction", winner=b, loser=a)
    state = sam.data("memory_get_assertion_state", subject="I", predicate="employed_by")

    assert (ACTOR, ACTOR) == (noted["actor"], resolved["actor"])
    assert ("contested", "single") == (contested["status"], state["status"])
    assert [b] == [claim["id"] for claim in state["claims"]]


@pytest.mark.parametrize(
    ("tool", "names"), [("memory_contradict", ("a", "b")), ("memory_resolve_contradiction", ("winner", "loser"))]
)
def test_a_claim_cannot_contradict_itself(sam: Speaking, tool: str, names: tuple[str, str]):
    claim = said(sam, f"I like {tool[7:10]}tea.")

    assert sam.refusal(tool, **dict.fromkeys(names, claim)).startswith("ConflictError: ")


def test_a_state_needs_a_subject(sam: Speaking):
    assert sam.refusal("memory_get_assertion_state", subject=" ", predicate="uses").startswith("ValueError: ")


def test_history_tells_what_was_said_before_and_who_changed_it(sam: Speaking):
    old, new = said(sam, "I use a Fiat."), said(sam, "I use a Skoda.")
    sam.data("memory_supersede", old_id=old, new_id=new)
    told = sam.data("memory_history", node_id=old)

    assert ["current", "superseded"] == [version["status"] for version in told["versions"]]
    assert [new] == [node["id"] for node in told["successors"]]
    assert ACTOR in json.dumps(told["relations"])


def test_an_explanation_names_the_rule(sam: Speaking):
    claim = said(sam, "I use a sextant.")
    said(sam, "I don't use a sextant anymore.")
    (explained,) = sam.data("memory_explain", id=claim)["claims"]

    assert "denial" == explained["closed_by"]["rule"]["name"]


@pytest.mark.parametrize(("tool", "name"), [("memory_history", "node_id"), ("memory_explain", "id")])
@pytest.mark.parametrize("wanted", [UNKNOWN, "no id"])
def test_unknown_and_malformed_ids_read_the_same(sam: Speaking, tool: str, name: str, wanted: str):
    refused = sam.refusal(tool, **{name: wanted})

    assert refused.startswith("NodeNotFoundError: ")
    assert refused == sam.refusal(tool, **{name: UNKNOWN})


def test_nothing_but_the_protocol_is_written_to_standard_output(tmp_path: Path):
    with started(tmp_path / "memory", "--user-id", "sam") as process:
        write(process, INITIALIZE, {"jsonrpc": "2.0", "id": 2, "method": "nonsense"})
        answered = [read(process)["id"] for _ in range(2)]
        rest, _ = process.communicate()

    assert ([1, 2], b"", 0) == (answered, rest, process.returncode)


def test_the_end_of_the_input_closes_the_store(tmp_path: Path):
    call = {"name": "memory_store", "arguments": {"content": "The key is under the mat."}}
    with started(tmp_path / "memory", "--user-id", "sam") as process:
        write(process, INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        read(process)
        write(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
        stored = read(process)["result"]["structuredContent"]
        process.stdin.close()
        process.wait(10)
    with MemoryClient(tmp_path / "memory") as memory:
        event = memory.get_event(stored["event_id"], user_id="sam")

    assert (0, "The key is under the mat.") == (process.returncode, event and event.content)
    assert not (tmp_path / "memory" / "memory.duckdb.wal").exists()


def test_a_signal_ends_it_although_the_client_is_silent(tmp_path: Path):
    with started(tmp_path / "memory") as process:
        write(process, INITIALIZE)
        read(process)
        process.send_signal(signal.SIGTERM)

        assert 0 == process.wait(10)


def test_a_client_that_does_not_read_any_more_ends_it_quietly(tmp_path: Path):
    with started(tmp_path / "memory") as process:
        write(process, INITIALIZE)
        read(process)
        process.stdout.close()
        speak_until_it_ends(process)

        assert READER_GONE == process.wait(10)
        assert b"" == process.stderr.read()


def test_a_store_that_is_open_elsewhere_is_a_clear_error(tmp_path: Path):
    with MemoryClient(tmp_path / "memory"), started(tmp_path / "memory") as process:
        answers, errors = process.communicate()

    assert (1, b"") == (process.returncode, answers)
    assert b"Error: another process holds the store" in errors


def speak_until_it_ends(process: subprocess.Popen[bytes]) -> None:
    with suppress(BrokenPipeError):
        for number in range(2, 2_000):
            write(process, {"jsonrpc": "2.0", "id": number, "method": "ping"})
            time.sleep(0.01)


def lines(*messages: dict[str, Any]) -> bytes:
    return "".join(json.dumps(message) + "\n" for message in messages).encode()


def write(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    process.stdin.write(lines(*messages))
    process.stdin.flush()


def read(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    return dict(json.loads(process.stdout.readline()))
