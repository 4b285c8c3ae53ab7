from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Scope

from prme import MemoryEngine
from prme.http import HttpSettings, create_app
from prme.http.door import is_loopback
from tests.engine.conversation import NO_TEA, TEA, Scripted
from tests.http.serving import (
    ADMIN_TOKEN,
    KIM_TOKEN,
    SAM_TOKEN,
    TOKENS,
    Served,
    bearing,
    kind_of,
    served,
)


def ingest(service: Served, token: str, content: str = TEA, **fields: Any) -> Any:
    body = {"content": content, "first_person_owner": True, **fields}
    return service.post("/v1/ingest", body, headers=bearing(token))


# Tokens


@pytest.mark.parametrize(
    "headers", [{}, bearing("not-a-known-token"), {"Authorization": f"Basic {SAM_TOKEN}"}, {"Authorization": "Bearer"}]
)
def test_a_caller_without_a_known_token_is_401(guarded: Served, headers: dict[str, str]):
    refused = guarded.get("/v1/changes", headers=headers)

    assert (401, "unauthorized") == kind_of(refused)
    assert refused.headers["www-authenticate"].startswith("Bearer")


def test_a_caller_with_a_known_token_is_answered(guarded: Served):
    assert 200 == guarded.get("/v1/changes", headers=bearing(SAM_TOKEN)).status_code


def test_a_stranger_cannot_tell_which_addresses_there_are(guarded: Served):
    assert 401 == guarded.get("/v1/nowhere").status_code
    assert 404 == guarded.get("/v1/nowhere", headers=bearing(SAM_TOKEN)).status_code


def test_the_body_of_a_stranger_is_not_read(guarded: Served):
    assert 401 == guarded.client.post("/v1/ingest", content=b"not json").status_code


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/docs", "/openapi.json"])
def test_health_and_reference_need_no_token(guarded: Served, path: str):
    assert 200 == guarded.get(path).status_code


def test_a_bound_token_acts_for_its_owner(guarded: Served):
    event = ingest(guarded, SAM_TOKEN).json()["event_id"]

    assert "sam" == guarded.get(f"/v1/events/{event}", headers=bearing(SAM_TOKEN)).json()["user_id"]


def test_a_bound_token_may_name_its_owner(guarded: Served):
    assert 200 == ingest(guarded, SAM_TOKEN, user_id="sam").status_code


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/ingest", {"content": TEA}),
        ("/v1/store", {"content": TEA}),
        ("/v1/retrieve", {"query": "tea"}),
        ("/v1/context", {"query": "tea"}),
        ("/v1/assertions/state", {"subject": "I", "predicate": "drinks"}),
        ("/v1/supersedences", {"old_id": "a", "new_id": "b"}),
        ("/v1/supersedences/batch", {"entries": []}),
        ("/v1/contradictions", {"a": "a", "b": "b"}),
        ("/v1/contradictions/resolve", {"winner": "a", "loser": "b"}),
    ],
)
def test_a_bound_token_that_names_another_owner_is_403(guarded: Served, path: str, body: dict[str, Any]):
    assert (403, "other_owner") == kind_of(guarded.post(path, {**body, "user_id": "kim"}, headers=bearing(SAM_TOKEN)))
    assert 403 != guarded.post(path, {**body, "user_id": "sam"}, headers=bearing(SAM_TOKEN)).status_code


@pytest.mark.parametrize(
    "path",
    [
        "/v1/claims",
        "/v1/changes",
        "/v1/events/x",
        "/v1/events/x/nodes",
        "/v1/events/x/plan",
        "/v1/nodes/x",
        "/v1/nodes/x/history",
        "/v1/explain/x",
    ],
)
def test_a_bound_token_that_asks_for_another_owner_is_403(guarded: Served, path: str):
    assert (403, "other_owner") == kind_of(guarded.get(f"{path}?user_id=kim", headers=bearing(SAM_TOKEN)))
    assert 403 != guarded.get(f"{path}?user_id=sam", headers=bearing(SAM_TOKEN)).status_code


def test_another_owner_within_a_batch_is_403_and_nothing_is_stored(guarded: Served):
    messages = [{"content": TEA}, {"content": TEA, "user_id": "kim"}]

    before = guarded.get("/v1/changes?limit=10000", headers=bearing(ADMIN_TOKEN)).json()
    refused = guarded.post("/v1/ingest/batch", {"messages": messages}, headers=bearing(SAM_TOKEN))

    assert (403, "other_owner") == kind_of(refused)
    assert before == guarded.get("/v1/changes?limit=10000", headers=bearing(ADMIN_TOKEN)).json()


@pytest.mark.parametrize("suffix", ["", "/nodes", "/plan"])
def test_the_message_of_another_owner_reads_as_missing(guarded: Served, suffix: str):
    event = ingest(guarded, SAM_TOKEN).json()["event_id"]

    foreign = guarded.get(f"/v1/events/{event}{suffix}", headers=bearing(KIM_TOKEN))
    unknown = guarded.get(f"/v1/events/nowhere{suffix}", headers=bearing(KIM_TOKEN))

    assert (404, unknown.text) == (foreign.status_code, foreign.text)
    assert 200 == guarded.get(f"/v1/events/{event}{suffix}", headers=bearing(SAM_TOKEN)).status_code


@pytest.mark.parametrize("path", ["/v1/nodes/{id}", "/v1/nodes/{id}/history", "/v1/explain/{id}"])
def test_the_claim_of_another_owner_reads_as_missing(guarded: Served, path: str):
    (claim,) = ingest(guarded, SAM_TOKEN).json()["claims"]

    foreign = guarded.get(path.format(id=claim), headers=bearing(KIM_TOKEN))
    unknown = guarded.get(path.format(id="nowhere"), headers=bearing(KIM_TOKEN))

    assert (404, unknown.text) == (foreign.status_code, foreign.text)
    assert 200 == guarded.get(path.format(id=claim), headers=bearing(SAM_TOKEN)).status_code


def test_the_failed_message_of_another_owner_cannot_be_tried_again(guarded: Served):
    event = ingest(guarded, SAM_TOKEN).json()["event_id"]

    assert 404 == guarded.client.post(f"/v1/events/{event}/retry", headers=bearing(KIM_TOKEN)).status_code
    assert 200 == guarded.client.post(f"/v1/events/{event}/retry", headers=bearing(SAM_TOKEN)).status_code


def replacement(service: Served, **fields: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return a body that replaces one note of sam's by another, and the header of sam's token."""
    events = [ingest(service, SAM_TOKEN, content).json()["event_id"] for content in ("one", "two")]
    notes = [service.get(f"/v1/events/{e}/nodes", headers=bearing(SAM_TOKEN)).json()[0]["id"] for e in events]
    return {"old_id": notes[0], "new_id": notes[1], **fields}, bearing(SAM_TOKEN)


def test_a_decision_of_a_bound_caller_is_the_owners(guarded: Served):
    body, header = replacement(guarded)

    assert "sam" == guarded.post("/v1/supersedences", body, headers=header).json()["actor"]


def test_a_bound_caller_cannot_name_another_actor(guarded: Served):
    body, header = replacement(guarded, actor_id="support")

    assert (403, "other_actor") == kind_of(guarded.post("/v1/supersedences", body, headers=header))
    assert (403, "other_actor") == kind_of(guarded.post("/v1/supersedences/batch", {"entries": [body]}, headers=header))


def test_an_operator_names_who_decided(guarded: Served):
    body, _ = replacement(guarded, actor_id="support")

    assert "support" == guarded.post("/v1/supersedences", body, headers=bearing(ADMIN_TOKEN)).json()["actor"]


def test_a_decision_of_an_operator_who_names_nobody_is_the_operators(guarded: Served):
    body, _ = replacement(guarded)

    assert "operator" == guarded.post("/v1/supersedences", body, headers=bearing(ADMIN_TOKEN)).json()["actor"]


def test_the_nodes_of_another_owner_cannot_be_decided_about(guarded: Served):
    body, _ = replacement(guarded)

    assert (404, "not_found") == kind_of(guarded.post("/v1/supersedences", body, headers=bearing(KIM_TOKEN)))


def test_an_operator_names_the_owner_of_a_message(guarded: Served):
    assert (422, "invalid_argument") == kind_of(ingest(guarded, ADMIN_TOKEN))
    assert 200 == ingest(guarded, ADMIN_TOKEN, user_id="sam").status_code


def test_an_operator_reads_what_belongs_to_anybody(guarded: Served):
    for token in (SAM_TOKEN, KIM_TOKEN):
        ingest(guarded, token)
    changes = guarded.get("/v1/changes?limit=10000", headers=bearing(ADMIN_TOKEN)).json()

    assert {"sam", "kim"} == {change["user_id"] for change in changes}


def test_a_bound_caller_follows_its_own_changes_only(guarded: Served):
    for token in (SAM_TOKEN, KIM_TOKEN):
        ingest(guarded, token)
    changes = guarded.get("/v1/changes", headers=bearing(SAM_TOKEN)).json()

    assert {"sam"} == {change["user_id"] for change in changes}


def test_metrics_are_for_operators_where_there_are_tokens(guarded: Served):
    assert (403, "operators_only") == kind_of(guarded.get("/metrics", headers=bearing(SAM_TOKEN)))
    assert 200 == guarded.get("/metrics", headers=bearing(ADMIN_TOKEN)).status_code


# One owner for the whole service


def test_a_service_that_is_bound_acts_for_its_owner():
    with served(settings=HttpSettings(user_id="sam")) as service:
        event = service.post("/v1/ingest", {"content": TEA}).json()["event_id"]

        assert "sam" == service.get(f"/v1/events/{event}").json()["user_id"]
        assert (403, "other_owner") == kind_of(service.post("/v1/ingest", {"content": TEA, "user_id": "kim"}))


def test_a_service_that_is_bound_binds_operators_too():
    with served(settings=HttpSettings(user_id="sam", tokens=TOKENS)) as service:
        event = ingest(service, ADMIN_TOKEN, NO_TEA).json()["event_id"]

        assert "sam" == service.get(f"/v1/events/{event}", headers=bearing(SAM_TOKEN)).json()["user_id"]
        assert (403, "other_owner") == kind_of(ingest(service, ADMIN_TOKEN, user_id="kim"))


def test_a_service_that_is_bound_refuses_the_token_of_another_owner():
    with served(settings=HttpSettings(user_id="sam", tokens=TOKENS)) as service:
        assert (403, "other_owner") == kind_of(ingest(service, KIM_TOKEN))
        assert 200 == ingest(service, SAM_TOKEN).status_code


# Without tokens


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9", "127.8.8.8", "[::1]:8770"])
def test_a_local_host_is_answered(shared: Served, host: str):
    assert 200 == shared.get("/v1/changes", headers={"Host": host}).status_code


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example",
        "localhost.rebound.example",
        "192.168.0.7",
        "[::2]",
        "[",
        "a@localhost",
        "localhost/x",
        "127.0.0.1:x",
    ],
)
def test_a_host_that_is_not_local_is_403(shared: Served, host: str):
    assert (403, "not_local") == kind_of(shared.get("/v1/changes", headers={"Host": host}))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_a_page_of_another_origin_is_403(shared: Served, headers: dict[str, str]):
    assert (403, "other_origin") == kind_of(shared.get("/v1/changes", headers=headers))


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_a_page_of_the_same_origin_is_answered(shared: Served, site: str):
    headers = {"Origin": shared.url, "Sec-Fetch-Site": site}

    assert 200 == shared.get("/v1/changes", headers=headers).status_code


def test_where_there_are_tokens_the_host_may_be_any(guarded: Served):
    headers = {**bearing(SAM_TOKEN), "Host": "memory.example", "Origin": "https://memory.example"}

    assert 200 == guarded.get("/v1/changes", headers=headers).status_code


def test_no_answer_invites_other_origins(guarded: Served):
    asked = guarded.client.options(
        "/v1/ingest", headers={"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    )

    assert [] == [name for name in asked.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(("address", "status"), [("127.0.0.1", 200), ("192.168.0.7", 403)])
def test_without_tokens_only_this_machine_is_answered(address: str, status: int):
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": "/v1/changes",
        "raw_path": b"/v1/changes",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": (address, 50_000),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        async with MemoryEngine(":memory:", extractor=Scripted()) as engine:
            await create_app(engine)(scope, receive, send)

    asyncio.run(ask())

    assert status == sent[0]["status"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("::1", True), ("127.3.2.1", True), ("0.0.0.0", False), ("::", False), ("example", False)],
)
def test_which_addresses_mean_this_machine(host: str, expected: bool):
    assert expected is is_loopback(host)
