from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prme import IngestReceipt, MemoryClient
from prme.errors import NodeNotFoundError, PlanNotFoundError, PrmeError
from tests.engine.conversation import NO_TEA, TEA, Scripted, SettableClock

MALFORMED = "not an id"
UNKNOWN = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryClient]:
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        yield memory


@pytest.fixture
def ann(memory: MemoryClient) -> IngestReceipt:
    memory.ingest(TEA, user_id="sam", first_person_owner=True)
    return memory.ingest(TEA, user_id="ann", first_person_owner=True)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except PrmeError as error:
        return type(error), str(error)


READS: list[tuple[str, Callable[[MemoryClient, str, Any], Any], bool]] = [
    ("get_event", lambda memory, wanted, user: memory.get_event(wanted, user_id=user), False),
    ("get_event_nodes", lambda memory, wanted, user: memory.get_event_nodes(wanted, user_id=user), False),
    ("get_plan", lambda memory, wanted, user: memory.get_plan(wanted, user_id=user), False),
    ("get_plan_data", lambda memory, wanted, user: memory.get_plan_data(wanted, user_id=user), False),
    ("explain event", lambda memory, wanted, user: memory.explain(wanted, user_id=user), False),
    ("get_node", lambda memory, wanted, user: memory.get_node(wanted, user_id=user, include_superseded=True), True),
    ("explain claim", lambda memory, wanted, user: memory.explain(wanted, user_id=user), True),
]
READ = pytest.mark.parametrize(("read", "of_claim"), [item[1:] for item in READS], ids=[item[0] for item in READS])


@READ
@pytest.mark.parametrize("user", ["sam", "nobody"])
def test_a_foreign_id_reads_as_an_unknown_and_as_a_malformed_one(
    memory: MemoryClient, ann: IngestReceipt, read: Callable[..., Any], of_claim: bool, user: str
):
    foreign = ann.claims[0] if of_claim else ann.event_id
    answers = [outcome(lambda wanted=wanted: read(memory, wanted, user)) for wanted in (foreign, UNKNOWN, MALFORMED)]

    assert answers[0] == answers[1] == answers[2]
    assert foreign not in str(answers[0])


@READ
@pytest.mark.parametrize("user", ["ann", None])
def test_the_owner_and_the_trusted_operator_read_it(
    memory: MemoryClient, ann: IngestReceipt, read: Callable[..., Any], of_claim: bool, user: str | None
):
    own = ann.claims[0] if of_claim else ann.event_id

    assert outcome(lambda: read(memory, own, user)) != outcome(lambda: read(memory, UNKNOWN, user))
    assert outcome(lambda: read(memory, own.upper(), user)) == outcome(lambda: read(memory, own, user))


@READ
@pytest.mark.parametrize("wanted", ["", MALFORMED, UNKNOWN, "x' or 1=1 --", "%", "\0", "é" * 400])
def test_the_operator_reads_a_strange_id_as_an_unknown_one(
    memory: MemoryClient, ann: IngestReceipt, read: Callable[..., Any], of_claim: bool, wanted: str
):
    assert outcome(lambda: read(memory, wanted, None)) == outcome(lambda: read(memory, UNKNOWN, None))


def test_the_absence_has_the_form_that_each_read_promises(memory: MemoryClient):
    assert memory.get_event(UNKNOWN) is None
    assert memory.get_event_nodes(UNKNOWN) == []
    assert memory.get_node(UNKNOWN) is None
    with pytest.raises(PlanNotFoundError):
        memory.get_plan(UNKNOWN)
    with pytest.raises(NodeNotFoundError):
        memory.explain(UNKNOWN)


def test_claims_are_listed_per_owner(memory: MemoryClient, ann: IngestReceipt):
    assert [node.id for node in memory.claims(user_id="ann")] == list(ann.claims)
    assert memory.claims(user_id="nobody") == []


def test_one_owner_never_corrects_another(memory: MemoryClient, ann: IngestReceipt):
    assert list(memory.ingest(NO_TEA, user_id="eve", first_person_owner=True).retired) == []
    assert memory.get_node(ann.claims[0]).status == "current"


def test_an_owner_may_bear_any_name(memory: MemoryClient):
    names = ["%", "a' or 1=1 --", "Zoë", "Zoe\u0308", " ann", "ann ", "ANN", "😀", "x" * 256]
    for name in names:
        memory.ingest(TEA, user_id=name, first_person_owner=True)

    assert [len(memory.claims(user_id=name)) for name in names] == [1] * len(names)
    assert sorted(memory.verify().owners) == sorted(names)
    assert memory.verify().ok


def test_verification_of_one_owner_names_only_that_owner(memory: MemoryClient, ann: IngestReceipt):
    assert list(memory.verify(user_id="ann").owners) == ["ann"]
