from __future__ import annotations

from typing import Any

import pytest

from prme.http.json_bodies import NotJsonError, read_body
from tests.http.serving import Served, kind_of

JSON = {"Content-Type": "application/json"}
GOOD: dict[str, Any] = {"content": "I drink tea.", "user_id": "sam"}


def send(shared: Served, body: bytes, content_type: str | None = "application/json") -> Any:
    headers = {} if content_type is None else {"Content-Type": content_type}
    return shared.client.post("/v1/ingest", content=body, headers=headers)


def test_a_good_body_is_taken(shared: Served):
    assert 200 == shared.post("/v1/ingest", GOOD).status_code


@pytest.mark.parametrize(
    "field",
    [
        {"unknown": 1},
        {"content": 5},
        {"content": None},
        {"content": ["I drink tea."]},
        {"user_id": 7},
        {"first_person_owner": 1},
        {"first_person_owner": "true"},
        {"wait_for_extraction": 0},
        {"wait_for_extraction": None},
        {"metadata": []},
        {"metadata": "{}"},
        {"occurred_at": 1_700_000_000},
        {"occurred_at": "1700000000"},
        {"occurred_at": "2026-03-01"},
        {"occurred_at": "2026-03-01T09:30:00"},
        {"occurred_at": "2026-02-30T09:30:00Z"},
        {"occurred_at": "0001-01-01T00:00:00+14:00"},
        {"role": "robot"},
        {"scope": "Not A Scope"},
        {"speaker": ""},
        {"speaker": "Ines", "first_person_owner": True},
        {"role": "assistant", "first_person_owner": True},
        {"metadata": {"prme_first_person_owner_v1": True}},
        {"message_id": ""},
        {"content": " "},
        {"content": "x" * 100_001},
    ],
    ids=str,
)
def test_a_field_that_breaks_its_rule_is_422(shared: Served, field: dict[str, Any]):
    before = shared.entries()

    assert 422 == shared.post("/v1/ingest", {**GOOD, **field}).status_code
    assert before == shared.entries()


@pytest.mark.parametrize(
    "field",
    [
        {"role": "USER"},
        {"metadata": {}},
        {"metadata": None},
        {"occurred_at": "2026-03-01T09:30:00Z"},
        {"occurred_at": "2026-03-01t09:30:00.123456+02:00"},
        {"speaker": "Ines"},
        {"first_person_owner": True},
        {"content": "x" * 100_000},
    ],
    ids=lambda field: str(field)[:60],
)
def test_a_field_that_keeps_its_rule_is_taken(shared: Served, field: dict[str, Any]):
    assert 200 == shared.post("/v1/ingest", {**GOOD, **field}).status_code


def test_a_refusal_names_the_field_and_not_what_was_in_it(shared: Served):
    refused = shared.post("/v1/ingest", {**GOOD, "secret": "my words", "occurred_at": "my words"})

    assert ["body.occurred_at", "body.secret"] == sorted(error["field"] for error in refused.json()["errors"])
    assert "my words" not in refused.text


def test_a_field_within_a_list_is_named_by_its_place(shared: Served):
    refused = shared.post("/v1/ingest/batch", {"messages": [GOOD, {**GOOD, "unknown": 1}]})

    assert ["body.messages[1].unknown"] == [error["field"] for error in refused.json()["errors"]]


@pytest.mark.parametrize(
    "body",
    [
        rb'{"content": "\ud800", "user_id": "sam"}',
        rb'{"content": "x", "user_id": "\udfff"}',
        rb'{"content": "x", "user_id": "sam", "metadata": {"\ud800": 1}}',
        rb'{"content": "x", "user_id": "sam", "\ud800": 1}',
        b"[]",
        b"null",
        b"",
    ],
    ids=repr,
)
def test_a_body_that_is_json_but_no_message_is_422(shared: Served, body: bytes):
    assert 422 == kind_of(send(shared, body))[0]


@pytest.mark.parametrize(
    "body",
    [
        b'{"content": "x", "content": "y", "user_id": "sam"}',
        b'{"content": "x", "user_id": "sam", "metadata": {"a": 1, "a": 2}}',
        b'{"content": "x", "user_id": "sam", "metadata": {"a": NaN}}',
        b'{"content": "x", "user_id": "sam", "metadata": {"a": -Infinity}}',
        b'{"content": "x", "user_id": "sam"',
        b'{"content": "x", "user_id": "sam"} 1',
        b"\xff\xfe",
        '{"content": "x", "user_id": "sam"}'.encode("utf-16"),
        b'{"content": "x", "user_id": "sam", "metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"content": "x", "user_id": "sam", "metadata": {"a": ' + b"1" * 10_000 + b"}}",
    ],
    ids=lambda body: repr(body)[:70],
)
def test_a_body_that_is_no_strict_json_is_400(shared: Served, body: bytes):
    before = shared.entries()

    assert (400, "malformed") == kind_of(send(shared, body))
    assert before == shared.entries()


@pytest.mark.parametrize(
    "content_type",
    [None, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "application/jsonp"],
)
def test_a_body_of_another_type_is_415(shared: Served, content_type: str | None):
    assert (415, "not_json") == kind_of(send(shared, b'{"content": "x", "user_id": "sam"}', content_type))


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=UTF-8"])
def test_a_body_of_the_right_type_is_taken(shared: Served, content_type: str):
    assert 200 == send(shared, b'{"content": "x", "user_id": "sam"}', content_type).status_code


@pytest.mark.parametrize(
    "query",
    [
        "unknown=1",
        "limit=0",
        "limit=10001",
        "limit=ten",
        "limit=1.0",
        "limit=+1",
        "limit=%201",
        "limit=-1",
        "after=nowhere",
        "after=owner:1",
        "user_id=",
        "limit=1&limit=2&other=3",
    ],
)
def test_a_parameter_that_breaks_its_rule_is_422(shared: Served, query: str):
    assert 422 == shared.get(f"/v1/changes?{query}").status_code


@pytest.mark.parametrize("query", ["", "limit=1", "limit=10000", "after=store:0.0.0", "user_id=sam&after=owner:0"])
def test_a_parameter_that_keeps_its_rule_is_taken(shared: Served, query: str):
    assert 200 == shared.get(f"/v1/changes?{query}").status_code


@pytest.mark.parametrize("value", ["yes", "1", "True", ""])
def test_a_flag_in_a_query_is_true_or_false(shared: Served, value: str):
    assert 422 == shared.get(f"/v1/claims?user_id=sam&include_superseded={value}").status_code
    assert 200 == shared.get("/v1/claims?user_id=sam&include_superseded=true").status_code


@pytest.mark.parametrize("limit", [10, 10.0])
def test_a_whole_number_may_be_written_with_a_fraction_of_zero(shared: Served, limit: float):
    assert 200 == shared.post("/v1/retrieve", {"query": "tea", "user_id": "sam", "limit": limit}).status_code


@pytest.mark.parametrize("limit", [0, 1_001, 1.5, "10", True, None])
def test_any_other_limit_is_422(shared: Served, limit: Any):
    assert 422 == shared.post("/v1/retrieve", {"query": "tea", "user_id": "sam", "limit": limit}).status_code


@pytest.mark.parametrize("path", ["/v1/retrieve", "/v1/context"])
def test_a_query_that_no_message_can_have_is_no_fault(shared: Served, path: str):
    body = rb'{"query": "\ud800 tea", "user_id": "sam"}'

    assert shared.client.post(path, content=body, headers=JSON).status_code in (200, 422)


def test_evidence_that_is_no_event_is_422(shared: Served):
    events = [shared.ingest(content).json()["event_id"] for content in ("a", "b")]
    notes = [shared.get(f"/v1/events/{event}/nodes").json()[0]["id"] for event in events]
    body = {"old_id": notes[0], "new_id": notes[1], "evidence_id": "nowhere"}

    refused = shared.post("/v1/supersedences", body)

    assert (422, "invalid_argument") == kind_of(refused)
    assert "Evidence event is not available in the node owner and scope" == refused.json()["detail"]
    assert 200 == shared.post("/v1/supersedences", {**body, "evidence_id": events[1]}).status_code


def test_the_reader_of_json_says_where_it_stopped():
    with pytest.raises(NotJsonError, match="line 2, column 2"):
        read_body(b"{\n x}")


def test_the_reader_of_json_keeps_the_body_out_of_its_error():
    with pytest.raises(NotJsonError) as refused:
        read_body(b'{"my words')

    assert "my words" not in repr(refused.value)
    assert (None, None) == (refused.value.__cause__, refused.value.__context__)
