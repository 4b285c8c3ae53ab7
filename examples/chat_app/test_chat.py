"""What conversations with the application do to memory."""

from __future__ import annotations

from chat import reply
from syrupy.assertion import SnapshotAssertion

from prme import MemoryClient
from prme.testing import memory_outcome


def talk(memory: MemoryClient, *texts: str) -> list[str]:
    return [reply(memory, "sam", text) for text in texts]


def test_what_is_over_is_not_answered_any_more(memory: MemoryClient):
    *_, told, answer = talk(memory, "I use Trello.", "I don't use Trello anymore.", "Do I use Trello?")

    assert told == "No longer: uses Trello. Noted: not any more: uses Trello."
    assert answer == "not any more: uses Trello"


def test_a_correction_that_could_mean_two_things_asks_back_and_retires_nothing(memory: MemoryClient):
    *_, asked = talk(memory, "I ride a road bike.", "I ride a mountain bike.", "I don't ride the bike anymore.")

    assert asked.endswith("Which one do you mean: road bike or mountain bike?")
    assert {"road bike", "mountain bike"} <= {claim.object for claim in memory.claims(user_id="sam")}


def test_a_question_tells_memory_nothing(memory: MemoryClient):
    assert talk(memory, "Do I use Trello?") == ["You have not told me."]
    assert memory.changes(user_id="sam") == []


def test_users_do_not_see_each_other(memory: MemoryClient):
    talk(memory, "I use Trello.")

    assert reply(memory, "kim", "Do I use Trello?") == "You have not told me."


def test_a_move_and_a_doubt(memory: MemoryClient, snapshot_memory: SnapshotAssertion):
    talk(
        memory, "I live in Oulu.", "I drink coffee.", "I moved from Oulu to Turku.", "I might not drink coffee anymore."
    )

    assert memory_outcome(memory, user_id="sam") == snapshot_memory
