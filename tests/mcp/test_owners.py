"""A bound server serves one owner; an unbound one serves the owner that each call names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcp.shared.exceptions import MCPError

from prme import InvalidMessageError, MemoryEngine
from prme.mcp.caller import actor_of
from prme.mcp.server import create_server
from prme.message import MAX_ID_CHARACTERS
from tests.mcp.speaking import CLIENT, Speaking, speaking

WITH_IDS = [
    ("memory_history", ("node_id",)),
    ("memory_explain", ("id",)),
    ("memory_supersede", ("old_id", "new_id")),
    ("memory_contradict", ("a", "b")),
    ("memory_resolve_contradiction", ("winner", "loser")),
]


@pytest.fixture(scope="module")
def theirs(sam: Speaking, sams_engine: MemoryEngine) -> str:
    """The id of a claim of another owner in the store that sam's server uses."""
    receipt = sam.portal.call(lambda: sams_engine.ingest("I use Vim.", user_id="kim", first_person_owner=True))
    return str(receipt.claims[0])


def test_a_bound_server_has_no_argument_for_an_owner(sam: Speaking):
    assert [] == [name for name, tool in sam.tools().items() if "user_id" in tool.input_schema["properties"]]
    assert "user_id: Extra inputs are not permitted" in sam.refusal("memory_retrieve", query="vim", user_id="sam")


def test_an_unbound_server_needs_an_owner_in_every_call(operator: Speaking):
    assert [] == [name for name, tool in operator.tools().items() if "user_id" not in tool.input_schema["required"]]
    assert "user_id: Field required" in operator.refusal("memory_retrieve", query="vim")


@pytest.mark.parametrize(("tool", "names"), WITH_IDS)
def test_an_id_of_another_owner_reads_as_an_unknown_one(sam: Speaking, theirs: str, tool: str, names: tuple[str, ...]):
    refused = sam.refusal(tool, **dict.fromkeys(names, theirs))

    assert refused == sam.refusal(tool, **dict.fromkeys(names, "unknown"))
    assert refused.startswith("NodeNotFoundError: ")


def test_what_another_owner_said_is_not_recalled(sam: Speaking, theirs: str):
    answer = sam.data("memory_retrieve", query="vim")

    assert ([], {}) == (answer["hits"], answer["excluded"])


def test_the_owner_named_in_a_call_is_the_one_that_is_asked(operator: Speaking):
    operator.data("memory_ingest", content="I use Vim.", first_person_owner=True, user_id="kim")
    counts = [len(operator.data("memory_retrieve", query="vim", user_id=name)["hits"]) for name in ("kim", "sam")]

    assert [2, 0] == counts


def test_the_resources_of_another_owner_are_missing(sam: Speaking, theirs: str):
    with pytest.raises(MCPError, match="no note or claim with this id") as refused:
        sam.resource(f"prme://claims/{theirs}")

    assert "kim" not in str(refused.value)


def test_an_unbound_server_reads_the_resources_of_all(operator: Speaking):
    said = operator.data("memory_ingest", content="I use Emacs.", first_person_owner=True, user_id="kim")

    assert '"user_id":"kim"' in operator.resource(f"prme://claims/{said['claims'][0]}")


def test_what_can_be_no_owner_is_refused_at_once(sams_engine: MemoryEngine):
    with pytest.raises(InvalidMessageError, match="user_id is blank"):
        create_server(sams_engine, " ")


@pytest.fixture
def legacy() -> Iterator[Speaking]:
    """A session that begins with an initialize request, as clients of earlier protocol versions do."""
    engine = MemoryEngine(":memory:")
    with speaking(create_server(engine, "sam"), mode="legacy") as session:
        yield session
        session.portal.call(engine.close)


@pytest.mark.parametrize("front", ["sam", "legacy"])
def test_the_client_of_either_era_is_the_actor(front: str, request: pytest.FixtureRequest):
    session: Speaking = request.getfixturevalue(front)
    ids = [session.data("memory_store", content=content)["note_id"] for content in ("one", "two")]

    assert f"mcp:{CLIENT.name}" == session.data("memory_supersede", old_id=ids[0], new_id=ids[1])["actor"]


@pytest.mark.parametrize(
    ("name", "actor"),
    [
        ("code-editor", "mcp:code-editor"),
        ("  Zoë's agent ", "mcp:Zoë's agent"),
        ("evil\u202ename\n", "mcp:evil_name"),
        ("half \ud800", "mcp:half _"),
        ("", "mcp:unknown"),
        (None, "mcp:unknown"),
    ],
    ids=["plain", "trimmed", "direction", "surrogate", "blank", "none"],
)
def test_the_name_of_a_client_becomes_one_that_an_actor_may_have(name: str | None, actor: str):
    assert actor == actor_of(name)


def test_a_very_long_name_is_cut():
    assert MAX_ID_CHARACTERS == len(actor_of("x" * 1_000))
