"""get_assertion_state: what holds, what is denied, and what was closed by what (SPEC 10, 003-52)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from prme import AssertionState, MemoryClient, NodeType
from tests.engine.conversation import NOON, Scripted, SettableClock, claim, denial, extraction

PUMP = "I use an insulin pump."
NO_PUMP = "I don't use an insulin pump anymore."
PATCH = "I use a patch."
INSTEAD = "I use a patch instead of an insulin pump."
MAYBE = "I use a pen, perhaps."
AT_HOME = "I use a pen at home."
LIKES = "I like to use a pen."
ACME = "I work at Acme."
EMPLOYED = "Acme employs me, I am employed by Acme."
INES = "Ines uses a patch."
INES_TOOL = "The Ines tool uses a patch."
SCRIPT: dict[str, Any] = {
    PUMP: extraction(claim("I", "uses", "insulin pump")),
    NO_PUMP: extraction(denial("I", "uses", "insulin pump")),
    PATCH: extraction(claim("I", "uses", "patch")),
    INSTEAD: extraction(
        claim("I", "uses", "patch", temporal_intent="update", replaces_object="insulin pump"),
    ),
    MAYBE: extraction(claim("I", "uses", "pen")),
    AT_HOME: extraction(claim("I", "uses", "pen", condition="at home")),
    LIKES: extraction(claim("I", "use", "pen", kind="preference")),
    ACME: extraction(claim("I", "works at", "Acme")),
    EMPLOYED: extraction(claim("I", "employed_by", "Acme")),
    INES: extraction(claim("Ines", "uses", "patch"), entities={"Ines": "person"}),
    INES_TOOL: extraction(claim("Ines", "uses", "patch"), entities={"Ines": "tool"}),
}


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=clock) as memory:
        yield memory


def say(memory: MemoryClient, content: str, *, day: float = 0, **fields: Any) -> str:
    """Ingest a sentence and return its first claim."""
    passed = {"user_id": "sam", "first_person_owner": True, "occurred_at": NOON + timedelta(days=day), **fields}
    return memory.ingest(content, **passed).claims[0]


def state(memory: MemoryClient, subject: str = "I", predicate: str = "uses", **more: Any) -> AssertionState:
    return memory.get_assertion_state(**{"user_id": "sam", "subject": subject, "predicate": predicate, **more})


def values(found: AssertionState) -> tuple[list[str | None], list[str | None], list[str | None]]:
    return tuple([node.object for node in part] for part in (found.claims, found.denied, found.uncertain))  # type: ignore[return-value]


def test_nothing_is_known_of_what_was_never_said(memory: MemoryClient):
    say(memory, ACME)

    assert state(memory) == state(memory, user_id="nobody") == AssertionState(status="unknown")


def test_one_value_said_once_is_single(memory: MemoryClient):
    pump = say(memory, PUMP)

    found = state(memory)

    assert (found.status, [node.id for node in found.claims]) == ("single", [pump])


def test_one_value_said_again_is_consistent(memory: MemoryClient):
    pump = say(memory, PUMP)
    say(memory, PUMP, day=1)

    found = state(memory)

    assert (found.status, [node.id for node in found.claims]) == ("consistent", [pump])
    assert found.claims[0].last_confirmed_at == NOON + timedelta(days=1)


def test_two_values_are_multiple(memory: MemoryClient):
    say(memory, PUMP)
    say(memory, PATCH, day=1)

    assert (state(memory).status, values(state(memory))) == ("multiple", (["insulin pump", "patch"], [], []))


def test_after_a_denial_nothing_is_known_and_the_denial_says_why(memory: MemoryClient):
    pump, denied = say(memory, PUMP), say(memory, NO_PUMP, day=1)

    found = state(memory)

    assert (found.status, values(found)) == ("unknown", ([], ["insulin pump"], []))
    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in found.closed] == [(pump, denied, "rule")]


def test_a_replacement_says_what_it_closed(memory: MemoryClient):
    pump, patch = say(memory, PUMP), say(memory, INSTEAD, day=1)

    found = state(memory)

    assert (found.status, values(found)) == ("single", (["patch"], [], []))
    assert [(closed.claim.id, closed.closed_by) for closed in found.closed] == [(pump, patch)]


def test_a_value_that_is_denied_as_well_is_contested(memory: MemoryClient):
    say(memory, NO_PUMP)
    say(memory, PUMP, day=1)

    found = state(memory)

    assert (found.status, values(found)) == ("contested", (["insulin pump"], ["insulin pump"], []))


def test_a_denial_of_another_value_contests_nothing(memory: MemoryClient):
    say(memory, NO_PUMP)
    say(memory, PATCH, day=1)

    assert state(memory).status == "single"


def test_a_contradiction_is_contested_until_it_is_resolved(memory: MemoryClient):
    pump, patch = say(memory, PUMP), say(memory, PATCH)
    memory.contradict(pump, patch)
    assert (state(memory).status, values(state(memory))[0]) == ("contested", ["insulin pump", "patch"])

    memory.resolve_contradiction(patch, pump)
    found = state(memory)

    assert (found.status, values(found)[0]) == ("single", ["patch"])
    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in found.closed] == [(pump, patch, "explicit")]


def test_what_was_closed_by_hand_says_so(memory: MemoryClient):
    pump, patch = say(memory, PUMP), say(memory, PATCH)
    memory.supersede(pump, patch)

    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in state(memory).closed] == [
        (pump, patch, "explicit")
    ]


@pytest.mark.parametrize("content", [MAYBE, AT_HOME])
def test_a_hypothesis_or_a_condition_is_uncertain(memory: MemoryClient, content: str):
    say(memory, content)

    assert (state(memory).status, values(state(memory))) == ("unknown", ([], [], ["pen"]))


def test_a_predicate_stands_for_its_family(memory: MemoryClient):
    acme = say(memory, ACME)
    say(memory, EMPLOYED, day=1)

    for predicate in ("works_at", "Works At", "employed_by", "joined"):
        found = state(memory, predicate=predicate)
        assert (found.status, [node.id for node in found.claims]) == ("consistent", [acme])
    assert state(memory, predicate="owns").status == "unknown"


@pytest.mark.parametrize("form", ["I", "me", "My", "mine", "MYSELF"])
def test_the_first_person_forms_are_the_owner(memory: MemoryClient, form: str):
    say(memory, PUMP)

    assert state(memory, subject=form).status == "single"


def test_a_name_is_looked_up_over_all_its_types(memory: MemoryClient):
    person, tool = say(memory, INES), say(memory, INES_TOOL, day=1)

    found = state(memory, subject="ines")

    assert {node.id for node in found.claims} <= {person, tool}
    assert found.status == "consistent"


def test_a_speaker_is_a_person_of_that_name(memory: MemoryClient):
    pump = say(memory, PUMP, first_person_owner=False, speaker="Ines")

    assert [node.id for node in state(memory, subject="Ines").claims] == [pump]
    assert state(memory, subject="I").status == "unknown"


def test_scopes_and_owners_are_apart(memory: MemoryClient):
    say(memory, PUMP, scope="work")
    say(memory, PATCH, user_id="ann")

    assert state(memory).status == "unknown"
    assert values(state(memory, scope="work"))[0] == ["insulin pump"]
    assert values(state(memory, user_id="ann"))[0] == ["patch"]


def test_only_the_wanted_types_count(memory: MemoryClient):
    say(memory, PUMP)
    say(memory, LIKES, day=1)

    assert values(state(memory, node_types={NodeType.PREFERENCE}))[0] == ["pen"]
    assert values(state(memory, node_types={NodeType.FACT, NodeType.NOTE}))[0] == ["insulin pump"]
    assert values(state(memory, node_types=set()))[0] == []


def at(day: float) -> datetime:
    return NOON + timedelta(days=day)


def test_it_answers_as_of_a_time_in_the_world(memory: MemoryClient):
    say(memory, PUMP, day=1)
    say(memory, NO_PUMP, day=3)

    assert [state(memory, valid_at=at(day)).status for day in (0, 1, 2, 3)] == [
        "unknown",
        "single",
        "single",
        "unknown",
    ]
    assert values(state(memory, valid_at=at(2))) == (["insulin pump"], [], [])
    assert state(memory, valid_at=at(2)).closed == ()
    assert len(state(memory, valid_at=at(3)).closed) == 1


def test_it_answers_what_was_believed_at_a_time(memory: MemoryClient, clock: SettableClock):
    clock.moment = at(1)
    say(memory, PUMP, day=1)
    clock.moment = at(10)
    say(memory, NO_PUMP, day=3)

    then = state(memory, valid_at=at(5), known_at=at(9))
    now = state(memory, valid_at=at(5))

    assert (then.status, now.status) == ("single", "unknown")
    assert (state(memory, known_at=at(0)).status, state(memory, known_at=at(9)).closed) == ("unknown", ())


def test_the_newest_twenty_closed_claims_are_listed(memory: MemoryClient):
    pairs = [(say(memory, PUMP, day=day), say(memory, NO_PUMP, day=day + 0.5)) for day in range(22)]

    closed = state(memory).closed

    assert [entry.claim.id for entry in closed] == [pump for pump, _ in reversed(pairs)][:20]


@pytest.mark.parametrize(
    "asked", [{"subject": " "}, {"predicate": ""}, {"predicate": "__"}, {"valid_at": NOON.replace(tzinfo=None)}]
)
def test_what_cannot_be_asked_is_refused(memory: MemoryClient, asked: dict[str, Any]):
    with pytest.raises(ValueError, match=r"blank|time zone"):
        state(memory, **asked)
