"""Every front gives the same answers: what a client of Python gets as values, one of HTTP gets as JSON."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_jsonable_python

from prme import MemoryClient, ids
from tests.engine.conversation import COFFEE, NO_TEA, NOON, TEA, Scripted, SettableClock
from tests.http.serving import Served, served

SAID: dict[str, Any] = {"user_id": "sam", "first_person_owner": True}
BATCH = [{**SAID, "content": COFFEE, "message_id": "m3"}, {**SAID, "content": "Nothing.", "message_id": "m4"}]
EVENTS = {name: ids.event_id("sam", "personal", name, NOON) for name in ("m1", "m2", "m3", "m4", "n1", "n2", "n3")}
NOTES = {name: ids.note_id(event) for name, event in EVENTS.items()}
TEA_CLAIM, DENIAL = ids.claim_id(EVENTS["m1"], 0), ids.claim_id(EVENTS["m2"], 0)
TIMES: dict[str, Any] = {"valid_at": NOON, "known_at": NOON}
TIMES_JSON = {name: "2031-04-01T12:00:00Z" for name in TIMES}
# Each call once in Python and once over HTTP, in this order, on a store of its own for each.
Call = tuple[str, Callable[[MemoryClient], Any], str, Any]


def note(name: str, content: str) -> tuple[dict[str, Any], dict[str, Any]]:
    fields = {"user_id": "sam", "message_id": name, "role": "system", "session_id": "s", "metadata": {"a": [1, None]}}
    return {"content": content, **fields}, {"content": content, **fields}


N1, N2, N3 = (note(name, f"The door code is {name}.")[0] for name in ("n1", "n2", "n3"))
DECIDED = {"evidence_id": EVENTS["n2"], "user_id": "sam"}

CALLS: list[Call] = [
    (
        "ingest",
        lambda m: m.ingest(TEA, message_id="m1", occurred_at=NOON, **SAID),
        "/v1/ingest",
        {"content": TEA, "message_id": "m1", "occurred_at": "2031-04-01T12:00:00Z", **SAID},
    ),
    (
        "ingest",
        lambda m: m.ingest(NO_TEA, message_id="m2", **SAID),
        "/v1/ingest",
        {"content": NO_TEA, "message_id": "m2", **SAID},
    ),
    (
        "ingest",
        lambda m: m.ingest(NO_TEA, message_id="m2", **SAID),
        "/v1/ingest",
        {"content": NO_TEA, "message_id": "m2", **SAID},
    ),
    ("ingest_batch", lambda m: m.ingest_batch(BATCH), "/v1/ingest/batch", {"messages": BATCH}),
    ("retry", lambda m: m.retry(EVENTS["m1"]), f"/v1/events/{EVENTS['m1']}/retry", {}),
    ("store", lambda m: {"event_id": m.store(**N1)}, "/v1/store", N1),
    ("store", lambda m: {"event_id": m.store(**N2)}, "/v1/store", N2),
    ("store", lambda m: {"event_id": m.store(**N3)}, "/v1/store", N3),
    (
        "supersede",
        lambda m: m.supersede(NOTES["n1"], NOTES["n2"], actor_id="kim", **DECIDED),
        "/v1/supersedences",
        {"old_id": NOTES["n1"], "new_id": NOTES["n2"], "actor_id": "kim", **DECIDED},
    ),
    (
        "supersede_many",
        lambda m: m.supersede_many([{"old_id": NOTES["m3"], "new_id": NOTES["m4"]}]),
        "/v1/supersedences/batch",
        {"entries": [{"old_id": NOTES["m3"], "new_id": NOTES["m4"]}]},
    ),
    (
        "contradict",
        lambda m: m.contradict(NOTES["n2"], NOTES["n3"]),
        "/v1/contradictions",
        {"a": NOTES["n2"], "b": NOTES["n3"]},
    ),
    (
        "retrieve",
        lambda m: found(m.retrieve("door tea", user_id="sam")),
        "/v1/retrieve",
        {"query": "door tea", "user_id": "sam"},
    ),
    (
        "context",
        lambda m: written(m.context("door tea", "sam", 200, scope="personal", notes=True)),
        "/v1/context",
        {"query": "door tea", "user_id": "sam", "budget": 200, "scope": "personal", "notes": True},
    ),
    (
        "context",
        lambda m: written(m.context("", "sam")),
        "/v1/context",
        {"query": "", "user_id": "sam"},
    ),
    (
        "resolve_contradiction",
        lambda m: m.resolve_contradiction(NOTES["n2"], NOTES["n3"]),
        "/v1/contradictions/resolve",
        {"winner": NOTES["n2"], "loser": NOTES["n3"]},
    ),
    (
        "retrieve",
        lambda m: found(
            m.retrieve(
                "tea",
                user_id="sam",
                scope="personal",
                limit=3,
                exclude_node_types=["NOTE"],
                source_types=["USER_STATED"],
                include_superseded=True,
                include_contested=False,
                **TIMES,
            )
        ),
        "/v1/retrieve",
        {
            "query": "tea",
            "user_id": "sam",
            "scope": "personal",
            "limit": 3,
            "exclude_node_types": ["NOTE"],
            "source_types": ["USER_STATED"],
            "include_superseded": True,
            "include_contested": False,
            **TIMES_JSON,
        },
    ),
    (
        "get_assertion_state",
        lambda m: m.get_assertion_state(user_id="sam", subject="I", predicate="drinks"),
        "/v1/assertions/state",
        {"user_id": "sam", "subject": "I", "predicate": "drinks"},
    ),
    (
        "get_assertion_state",
        lambda m: m.get_assertion_state(
            user_id="sam", subject="I", predicate="drinks", scope="personal", node_types=["FACT"], **TIMES
        ),
        "/v1/assertions/state",
        {
            "user_id": "sam",
            "subject": "I",
            "predicate": "drinks",
            "scope": "personal",
            "node_types": ["FACT"],
            **TIMES_JSON,
        },
    ),
    ("get_event", lambda m: m.get_event(EVENTS["n1"]), f"/v1/events/{EVENTS['n1']}", None),
    (
        "get_event_nodes",
        lambda m: m.get_event_nodes(EVENTS["m1"].upper()),
        f"/v1/events/{EVENTS['m1'].upper()}/nodes",
        None,
    ),
    (
        "get_plan",
        lambda m: m.get_plan(EVENTS["m2"], user_id="sam"),
        f"/v1/events/{EVENTS['m2']}/plan?user_id=sam",
        None,
    ),
    ("get_node", lambda m: m.get_node(DENIAL), f"/v1/nodes/{DENIAL}", None),
    (
        "get_node",
        lambda m: m.get_node(TEA_CLAIM, include_superseded=True),
        f"/v1/nodes/{TEA_CLAIM}?include_superseded=true",
        None,
    ),
    ("history", lambda m: m.history(TEA_CLAIM), f"/v1/nodes/{TEA_CLAIM}/history", None),
    (
        "history",
        lambda m: m.history(NOTES["n1"], known_at=LATER),
        f"/v1/nodes/{NOTES['n1']}/history?known_at=2032-01-01T00:00:00Z",
        None,
    ),
    ("explain", lambda m: m.explain(TEA_CLAIM), f"/v1/explain/{TEA_CLAIM}", None),
    ("explain", lambda m: m.explain(EVENTS["m2"], user_id="sam"), f"/v1/explain/{EVENTS['m2']}?user_id=sam", None),
    ("claims", lambda m: m.claims(user_id="sam"), "/v1/claims?user_id=sam", None),
    (
        "claims",
        lambda m: m.claims(user_id="sam", scope="personal", include_superseded=True, **TIMES),
        "/v1/claims?user_id=sam&scope=personal&include_superseded=true&valid_at=2031-04-01T12:00:00Z&known_at=2031-04-01T12:00:00Z",
        None,
    ),
    ("changes", lambda m: m.changes(), "/v1/changes", None),
    (
        "changes",
        lambda m: m.changes(user_id="sam", after="owner:2", limit=3),
        "/v1/changes?user_id=sam&after=owner:2&limit=3",
        None,
    ),
]
LATER = NOON.replace(year=2032, month=1, day=1, hour=0)
# What an operator does with the process or the files is not offered over HTTP.
NOT_OFFERED = {
    "close",
    "export_plans",
    "extractor_stats",
    "get_plan_data",
    "journal_head",
    "process_pending",
    "rebuild_index",
    "replay",
    "unfinished",
    "verify",
}


def found(hits: Any) -> dict[str, Any]:
    return {"hits": list(hits), "excluded": hits.excluded}


def written(context: Any) -> dict[str, Any]:
    return {"text": str(context), **{name: getattr(context, name) for name in ("tokens", "node_ids", "left_out")}}


def comparable(document: Any) -> Any:
    """Return a document without the digests of journal entries, which rest on a random key of each store."""
    if isinstance(document, dict):
        is_line = document.keys() == {"seq", "kind", "recorded_at", "digest"}
        return {name: comparable(value) for name, value in document.items() if not (is_line and name == "digest")}
    return [comparable(item) for item in document] if isinstance(document, list) else document


@pytest.fixture(scope="module")
def in_python() -> list[Any]:
    with MemoryClient(":memory:", extractor=Scripted(), clock=SettableClock()) as memory:
        return [comparable(to_jsonable_python(call(memory))) for _, call, _, _ in CALLS]


@pytest.fixture(scope="module")
def over_http() -> list[Any]:
    def answer(service: Served, path: str, body: Any) -> Any:
        answered = service.get(path) if body is None else service.post(path, body or None)
        assert 200 == answered.status_code, answered.text
        return comparable(answered.json())

    with served() as service:
        return [answer(service, path, body) for _, _, path, body in CALLS]


@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda number: f"{number}-{CALLS[number][0]}")
def test_a_call_gives_the_same_over_http(number: int, in_python: list[Any], over_http: list[Any]):
    assert in_python[number] == over_http[number]
    assert in_python[number]


def methods() -> Iterator[str]:
    for name, _ in inspect.getmembers(MemoryClient, inspect.isfunction):
        if not name.startswith("_"):
            yield name


def test_every_method_is_compared_or_left_out_on_purpose():
    assert {name for name, *_ in CALLS} | NOT_OFFERED == set(methods())


@pytest.mark.parametrize("name", sorted({name for name, *_ in CALLS}))
def test_every_argument_of_a_method_can_be_passed_over_http(name: str, shared: Served):
    schema = shared.get("/openapi.json").json()
    operations = {op["operationId"]: op for path in schema["paths"].values() for op in path.values()}
    operation = operations["resolve" if name == "resolve_contradiction" else name]
    offered = {parameter["name"] for parameter in operation.get("parameters", ())}
    if "requestBody" in operation:
        model = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        offered |= set(schema["components"]["schemas"][model]["properties"])
    arguments = set(inspect.signature(getattr(MemoryClient, name)).parameters) - {"self"}
    by_path = {"event_id", "node_id", "wanted"}
    functions = {"count"}

    assert arguments - by_path - functions == offered - {"id"} - ({"user_id"} if name == "retry" else set())


def test_a_plan_is_served_as_the_bytes_that_were_saved(tmp_path: Path):
    with served(tmp_path) as service:
        event = service.ingest(TEA).json()["event_id"]
        body = service.get(f"/v1/events/{event}/plan").content

    with MemoryClient(tmp_path, extractor=Scripted()) as memory:
        assert body == memory.get_plan_data(event)
