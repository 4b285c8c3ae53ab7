"""Snapshots of a memory: one text for each, and a difference that reads well."""

from __future__ import annotations

from pathlib import Path

import pytest

from prme.testing.snapshots import MemorySnapshotExtension

CHAT = """
from prme.testing import memory_outcome

def test_pump(memory, snapshot_memory):
    for text in ("I use an insulin pump.", "I don't use the pump anymore."):
        memory.ingest(text, user_id="sam", first_person_owner=True)
    assert memory_outcome(memory, user_id="sam") == snapshot_memory
"""
LEXICAL = "--prme-extractor=lexical"


@pytest.fixture
def kept(project: pytest.Pytester) -> Path:
    """The snapshot of the chat, as it was first written."""
    project.makepyfile(test_chat=CHAT)
    project.runpytest(LEXICAL, "--snapshot-update").assert_outcomes(passed=1)
    return project.path / "__snapshots__" / "test_chat" / "test_pump.txt"


def test_a_snapshot_is_one_readable_text(kept: Path):
    assert """\
memory of sam

m1  "I use an insulin pump." (2031-01-01 09:00, user, I is the owner)
  m1.c1  I | uses | insulin pump
    superseded by m2.c1
    in effect from m1 to m2
    closed by rule denial, words "pump"
    retired nothing: not_an_update

m2  "I don't use the pump anymore." (2031-01-01 09:00:00.000001, user, I is the owner)
  m2.c1  I | uses | pump (denied)
    current
    in effect since m2
    retired m1.c1 by rule denial, match short, via same, words "pump"
""" == kept.read_text(encoding="utf-8")


def test_an_unchanged_conversation_matches_its_snapshot(project: pytest.Pytester, kept: Path):
    project.runpytest(LEXICAL).assert_outcomes(passed=1)


def test_a_snapshot_that_was_never_written_fails(project: pytest.Pytester):
    project.makepyfile(test_chat=CHAT)

    project.runpytest(LEXICAL).assert_outcomes(failed=1)


def test_a_difference_shows_what_is_not_retired_any_more(project: pytest.Pytester, kept: Path):
    project.makepyfile(test_chat=CHAT.replace("use the pump", "use the scooter"))

    result = project.runpytest(LEXICAL, "-vv")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*  m1.c1  I | uses | insulin pump",
            "*+     current",
            "*-     superseded by m2.c1",
            '*+     retired nothing: no_match, rule denial, words "scooter"',
            '*-     retired m1.c1 by rule denial, match short, via same, words "pump"',
        ]
    )


def test_anything_but_text_is_refused():
    with pytest.raises(TypeError, match="compare memory_outcome"):
        MemorySnapshotExtension().serialize({"claims": []})
