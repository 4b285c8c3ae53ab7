"""A decision is one journal entry with complete snapshots, and verification notices any change to it (003-10)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from tests.decisions.conversation import COFFEE, TEA, noted, opened, said
from tests.engine.conversation import raw


def body(directory: Path) -> dict[str, Any]:
    [[text]] = raw(directory, "select body from journal where kind = 'SUPERSEDENCE_APPLIED'")
    return json.loads(text)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """Leave a closed store in which one claim replaced another one; return their ids."""
    with opened(tmp_path) as memory:
        tea, coffee = said(memory, TEA), said(memory, COFFEE)
        memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id, user_id="sam", actor_id="nurse")
    return tea.id, coffee.id


def test_the_entry_holds_both_nodes_before_and_after(tmp_path: Path, pair: tuple[str, str]):
    found = body(tmp_path)

    assert [node["id"] for node in found["before"]] == [node["id"] for node in found["after"]] == list(pair)
    assert [(node["status"], node["superseded_by"]) for node in found["before"]] == [("current", None)] * 2
    assert [(node["status"], node["superseded_by"]) for node in found["after"]] == [
        ("superseded", pair[1]),
        ("current", None),
    ]
    assert [node["content"] for node in found["before"]] == [TEA, COFFEE]


def test_the_entry_says_who_decided_what_on_which_evidence(tmp_path: Path, pair: tuple[str, str]):
    found = body(tmp_path)

    assert (found["actor"], found["old"], found["new"], found["kind"]) == ("nurse", *pair, "supersede")
    assert (found["retired"], found["number"]) == ([pair[0]], 1)
    assert found["evidence_id"] is not None


@pytest.mark.parametrize(
    "statement",
    [
        "update explicit_decisions set new_id = old_id",
        "update explicit_decisions set actor = 'somebody'",
        "update explicit_decisions set evidence_id = null",
        "update explicit_decisions set effective_at = effective_at + 1",
        "update explicit_decisions set mark = mark + 1",
        "update explicit_decisions set kind = 'resolve'",
        "update explicit_decisions set number = 2",
        "delete from explicit_decisions",
        "delete from intervals where seq = 5",
        "update journal set body = replace(body, 'nurse', 'night') where kind = 'SUPERSEDENCE_APPLIED'",
    ],
)
def test_verification_notices_a_changed_decision(tmp_path: Path, pair: tuple[str, str], statement: str):
    raw(tmp_path, statement)

    with opened(tmp_path) as memory:
        assert not memory.verify().ok


def test_an_untouched_decision_verifies(tmp_path: Path, pair: tuple[str, str]):
    with opened(tmp_path) as memory:
        assert memory.verify().ok


def test_a_contradiction_and_its_resolution_are_entries_of_their_own(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    first = memory.contradict(one.id, two.id)
    second = memory.resolve_contradiction(one.id, two.id)

    last = memory.changes(user_id="sam")[-2:]

    assert [(change.kind, change.operation_id) for change in last] == [
        ("CONTRADICTION_NOTED", first.operation_id),
        ("CONTRADICTION_RESOLVED", second.operation_id),
    ]
