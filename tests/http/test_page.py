from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from prme.http.page import type_of
from tests.http.serving import WITH_TOKENS, Served, served

SPECIFIED = {
    "POST /v1/ingest",
    "POST /v1/ingest/batch",
    "POST /v1/store",
    "POST /v1/retrieve",
    "POST /v1/assertions/state",
    "POST /v1/supersedences",
    "POST /v1/supersedences/batch",
    "POST /v1/contradictions",
    "POST /v1/contradictions/resolve",
    "GET /v1/events/{id}",
    "GET /v1/events/{id}/nodes",
    "GET /v1/events/{id}/plan",
    "GET /v1/nodes/{id}",
    "GET /v1/nodes/{id}/history",
    "GET /v1/explain/{id}",
    "GET /v1/changes",
    "GET /healthz",
}


class Page(HTMLParser):
    """Collects what a page refers to, and checks that its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: set[str] = set()
        self.names: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)
        for name, value in attrs:
            if name in ("href", "src", "action"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


def schema_of(service: Served) -> dict[str, Any]:
    schema: dict[str, Any] = service.get("/openapi.json").json()
    return schema


def test_every_request_of_the_specification_is_in_the_schema(shared: Served):
    paths = schema_of(shared)["paths"]

    assert SPECIFIED <= {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_the_page_shows_every_request_of_the_schema(shared: Served):
    text = shared.get("/docs").text
    paths = schema_of(shared)["paths"]

    assert [] == [
        path
        for path, methods in paths.items()
        for method in methods
        if f"<code>{method.upper()} {path}</code>" not in text
    ]


def test_the_page_needs_nothing_from_elsewhere(shared: Served):
    answer = shared.get("/docs")
    page = Page(answer.text)

    assert [] == [address for address in page.addresses if not address.startswith(("#", "/openapi.json"))]
    assert {"script", "img", "link", "iframe"}.isdisjoint(page.names)
    assert "url(" not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none';")


def test_every_link_within_the_page_leads_somewhere(shared: Served):
    page = Page(shared.get("/docs").text)

    assert [] == [address for address in page.addresses if address.startswith("#") and address[1:] not in page.ids]
    assert [] == page.open


def test_every_reference_of_the_schema_leads_somewhere(shared: Served):
    schema = schema_of(shared)
    known = {f"#/components/schemas/{name}" for name in schema["components"]["schemas"]}

    def references(node: Any) -> set[str]:
        if isinstance(node, dict):
            own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return own.union(*map(references, node.values()))
        return set().union(*map(references, node)) if isinstance(node, list) else set()

    assert references(schema) <= known


def test_the_schema_names_the_token_where_one_is_needed(shared: Served):
    with served(settings=WITH_TOKENS) as guarded:
        schema = schema_of(guarded)

    assert {"bearer": {"type": "http", "scheme": "bearer"}} == schema["components"]["securitySchemes"]
    assert [] == schema["paths"]["/healthz"]["get"]["security"]
    assert "security" not in schema_of(shared)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "maxLength": 256}, "string, at most 256"),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"type": "integer", "minimum": 1, "maximum": 1000}, "integer, from 1, to 1,000"),
        ({"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]}, "Node or null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Node"}}, "list of Node"),
        ({"enum": ["a", "b"]}, '"a" or "b"'),
        ({"const": "a"}, '"a"'),
        ({}, "any value"),
    ],
)
def test_a_type_is_told_in_a_few_words(schema: dict[str, Any], expected: str):
    assert expected == type_of(schema)
