"""store(supersedes=...): the note and what it replaces, in one transaction (000-01, 000-08 to 000-18)."""

from __future__ import annotations

from pathlib import Path

from prme import MemoryClient, ids
from prme.errors import ConflictError, MessageConflictError, NodeNotFoundError
from tests.decisions.conversation import TEA, UNKNOWN, everything, found, noted, opened, refusal, said
from tests.engine.conversation import raw


def test_the_note_replaces_its_target_as_it_is_stored(memory: MemoryClient):
    boston = noted(memory, "I live in Boston.")

    event = memory.store("I live in Chicago.", user_id="sam", supersedes=boston.id)
    closed = found(memory, boston.id)

    assert (closed.status, closed.superseded_by) == ("superseded", ids.note_id(event))
    assert memory.verify().ok


def test_both_are_one_commit(tmp_path: Path):
    with opened(tmp_path) as memory:
        boston = noted(memory, "I live in Boston.")
        memory.store("I live in Chicago.", user_id="sam", supersedes=boston.id)

    assert raw(tmp_path, "select commit_no, kind from journal order by seq") == [
        (1, "NOTE_STORED"),
        (2, "NOTE_STORED"),
        (2, "SUPERSEDENCE_APPLIED"),
    ]


def test_its_own_event_is_the_evidence_and_the_owner_the_actor(memory: MemoryClient):
    boston = noted(memory, "I live in Boston.")
    event = memory.store("I live in Chicago.", user_id="sam", supersedes=boston.id)

    [relation] = memory.history(boston.id).relations

    assert (relation.evidence_id, relation.actor) == (event, "sam")
    assert memory.supersede(boston.id, ids.note_id(event), evidence_id=event, user_id="sam").status == "duplicate"


def test_a_note_can_replace_a_claim(memory: MemoryClient):
    tea = said(memory, TEA)

    event = memory.store("No more tea.", user_id="sam", supersedes=tea.id)

    assert found(memory, tea.id).superseded_by == ids.note_id(event)


def test_a_target_that_was_replaced_already_is_refused_and_the_note_is_not_stored(memory: MemoryClient):
    one = noted(memory, "one")
    two = memory.store("two", user_id="sam", supersedes=one.id)
    before = everything(memory)

    kind, text = refusal(lambda: memory.store("three", user_id="sam", supersedes=one.id))

    assert (kind, ids.note_id(two) in text) == (ConflictError, True)
    assert everything(memory) == before


def test_its_live_successor_is_accepted(memory: MemoryClient):
    one = noted(memory, "one")
    two = memory.store("two", user_id="sam", supersedes=one.id)

    three = memory.store("three", user_id="sam", supersedes=ids.note_id(two))

    assert [found(memory, ids.note_id(event)).superseded_by for event in (two, three)] == [ids.note_id(three), None]


def test_an_unknown_foreign_or_malformed_target_is_not_found_and_the_note_is_not_stored(memory: MemoryClient):
    theirs = noted(memory, "theirs", user_id="ann")
    before = everything(memory)

    answers = {
        refusal(lambda target=target: memory.store("mine", user_id="sam", supersedes=target))
        for target in (theirs.id, UNKNOWN, "not an id", theirs.event_id)
    }

    assert [kind for kind, _ in answers] == [NodeNotFoundError]
    assert everything(memory) == before


def test_a_target_in_another_scope_is_refused(memory: MemoryClient):
    one = noted(memory, "one", scope="work")
    before = everything(memory)

    assert refusal(lambda: memory.store("two", user_id="sam", supersedes=one.id))[0] is ConflictError
    assert everything(memory) == before


def test_two_notes_that_name_each_other_are_both_refused(memory: MemoryClient):
    first, second = (ids.note_id(ids.event_id("sam", "personal", name)) for name in ("a", "b"))

    kinds = [
        refusal(lambda name=name, target=target: memory.store("x", user_id="sam", message_id=name, supersedes=target))[
            0
        ]
        for name, target in (("a", second), ("b", first))
    ]

    assert kinds == [NodeNotFoundError, NodeNotFoundError]
    assert memory.verify().owners == {}


def test_a_note_cannot_name_itself(memory: MemoryClient):
    event = memory.store("x", user_id="sam", message_id="a")

    call = lambda: memory.store("x", user_id="sam", message_id="a", supersedes=ids.note_id(event))  # noqa: E731

    assert refusal(call)[0] is MessageConflictError


def test_a_stored_message_does_not_replace_another_node_when_it_is_repeated(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    memory.store("three", user_id="sam", message_id="m", supersedes=one.id)
    before = everything(memory)

    call = lambda: memory.store("three", user_id="sam", message_id="m", supersedes=two.id)  # noqa: E731

    assert refusal(call)[0] is MessageConflictError
    assert everything(memory) == before


def test_a_plain_note_does_not_replace_a_node_when_it_is_repeated(memory: MemoryClient):
    one = noted(memory, "one")
    memory.store("two", user_id="sam", message_id="m")

    call = lambda: memory.store("two", user_id="sam", message_id="m", supersedes=one.id)  # noqa: E731

    assert refusal(call)[0] is MessageConflictError


def test_the_same_message_again_changes_nothing(memory: MemoryClient):
    one = noted(memory, "one")
    event = memory.store("two", user_id="sam", message_id="m", supersedes=one.id)
    before = everything(memory)

    assert memory.store("two", user_id="sam", message_id="m", supersedes=one.id) == event
    assert everything(memory) == before


def test_another_message_under_that_id_is_refused(memory: MemoryClient):
    one = noted(memory, "one")
    memory.store("two", user_id="sam", message_id="m", supersedes=one.id)

    call = lambda: memory.store("three", user_id="sam", message_id="m", supersedes=one.id)  # noqa: E731

    assert refusal(call)[0] is MessageConflictError
