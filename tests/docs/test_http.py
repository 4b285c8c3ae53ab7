"""Every request of the HTTP page is made, in order, and answered as the page shows."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from prme.extraction.run import DEFAULT_LIMITS
from prme.http import HttpSettings
from prme.http.problems import ERROR_MAP
from prme.http.server import FIRST_REQUEST_SECONDS, KEEP_ALIVE_SECONDS
from prme.http.settings import MOST_MESSAGES
from prme.http.tokens import read_tokens
from tests.docs.pages import ROOT, Block, blocks_of, codes, plain, tables_of
from tests.http.serving import Served, served

HTTP = ROOT / "docs" / "http.md"
ADDRESS = "http://127.0.0.1:8770"
MORE = "…"
SETTINGS = HttpSettings()


@dataclass(frozen=True)
class Asked:
    """A request as the page writes it for curl."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: str | None


def asked(command: str) -> Asked:
    """Read a curl command: -X, -H and -d, as the page uses them."""
    method, path, headers, body = "", "", {}, None
    words = iter(shlex.split(command)[1:])
    for word in words:
        match word:
            case "-X":
                method = next(words)
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-d":
                body = next(words)
            case _:
                assert word.startswith(ADDRESS), word
                path = word.removeprefix(ADDRESS)
    return Asked(method or ("GET" if body is None else "POST"), path, headers, body)


def made(service: Served, request: Asked) -> httpx2.Response:
    return service.client.request(request.method, request.path, headers=request.headers, content=request.body)


def is_shown_by(shown: Any, actual: Any) -> bool:
    """Whether a page shows an answer; `"…"` stands for further fields, further items, or the rest of a text."""
    if isinstance(shown, dict) and isinstance(actual, dict):
        names = shown.keys() - {MORE}
        complete = MORE in shown or names == actual.keys()
        return complete and all(name in actual and is_shown_by(shown[name], actual[name]) for name in names)
    if isinstance(shown, list) and isinstance(actual, list):
        items = [item for item in shown if item != MORE]
        complete = MORE in shown or len(items) == len(actual)
        return complete and len(items) <= len(actual) and all(map(is_shown_by, items, actual))
    if isinstance(shown, str) and isinstance(actual, str) and shown.endswith(MORE):
        return actual.startswith(shown.removesuffix(MORE))
    return bool(shown == actual)


def requests_of(page: Path) -> Iterator[tuple[Block, Block]]:
    blocks = blocks_of(page)
    for block, following in itertools.pairwise(blocks):
        if block.language == "sh" and block.text.startswith("curl "):
            assert following.language == "json", f"line {block.line}: no answer is shown"
            yield block, following


def test_every_request_of_the_page_is_answered_as_shown():
    with served(extractor="lexical") as service:
        answers = [
            (shown.line, shown.text, made(service, asked(block.text)).json()) for block, shown in requests_of(HTTP)
        ]
    wrong = [
        f"line {line}: {json.dumps(actual, ensure_ascii=False, indent=2)}"
        for line, shown, actual in answers
        if not is_shown_by(json.loads(shown), actual)
    ]

    assert not wrong, "\n\n".join(wrong)


def test_every_address_of_the_service_is_asked_for_on_the_page():
    with served() as service:
        paths = service.get("/openapi.json").json()["paths"]
    addresses = {
        (method.upper(), re.compile(re.sub(r"\\\{id\\\}", "[^/?]+", re.escape(path)) + r"(\?.*)?"))
        for path, methods in paths.items()
        for method in methods
        if path not in ("/readyz", "/metrics")
    }
    requests = [asked(block.text) for block, _ in requests_of(HTTP)]

    assert [] == [
        address
        for method, address in addresses
        if not any(request.method == method and address.fullmatch(request.path) for request in requests)
    ]


@pytest.mark.parametrize(
    ("shown", "actual"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, MORE: MORE}, {"b": 1}),
        ([1], [1, 2]),
        ([1, 2, MORE], [1]),
        ("ab…", "ba"),
        (1, True and "1"),
    ],
    ids=repr,
)
def test_an_answer_that_is_not_as_shown_is_noticed(shown: Any, actual: Any):
    assert not is_shown_by(shown, actual)


@pytest.mark.parametrize(
    ("shown", "actual"),
    [({"a": 1}, {"a": 1}), ({"a": 1, MORE: MORE}, {"a": 1, "b": 2}), ([1, MORE], [1, 2]), ("ab…", "abc")],
    ids=repr,
)
def test_an_answer_that_is_as_shown_is_not_reported(shown: Any, actual: Any):
    assert is_shown_by(shown, actual)


def test_a_command_is_read_as_curl_reads_it():
    command = f"curl {ADDRESS}/v1/store -H 'Content-Type: application/json' -d '{{}}'"

    assert Asked("POST", "/v1/store", {"Content-Type": "application/json"}, "{}") == asked(command)


def test_the_page_lists_every_kind_of_problem():
    sources = "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "prme" / "http").glob("*.py")))
    raised = set(re.findall(r'RefusedError\(\s*\d{3},\s*"([a-z_]+)"', sources))
    raised |= set(re.findall(r'(?<!def )problem\(\s*\d{3},\s*"([a-z_]+)"', sources)) | {"refused", "invalid_argument"}
    mapped = {kind for _, kind in ERROR_MAP.values()}
    (table,) = [table for table in tables_of(HTTP) if table.columns[1].startswith("Types")]

    assert raised | mapped == {code for row in table.rows for code in codes(row[1])}


def test_the_page_gives_each_kind_its_status():
    (table,) = [table for table in tables_of(HTTP) if table.columns[1].startswith("Types")]
    given = {code: int(plain(row[0])) for row in table.rows for code in codes(row[1])}

    assert {} == {kind: status for status, kind in ERROR_MAP.values() if given[kind] != status}


@pytest.mark.parametrize(
    "bound",
    [
        f"{SETTINGS.most_body_bytes:,}: a message",
        f"requests at once | {SETTINGS.most_requests};",
        f"items of a batch | {MOST_MESSAGES:,} |",
        f"for a body to arrive | {SETTINGS.body_seconds:.0f} |",
        f"for an answer | {SETTINGS.answer_seconds:.0f} |",
        f"first request of a connection | {FIRST_REQUEST_SECONDS:.0f} |",
        f"wait for its next request | {KEEP_ALIVE_SECONDS} |",
    ],
)
def test_the_page_gives_the_limits_of_the_program(bound: str):
    assert bound in HTTP.read_text(encoding="utf-8")


def test_an_answer_is_waited_for_longer_than_an_extractor_may_take():
    assert DEFAULT_LIMITS.total_seconds < SETTINGS.answer_seconds


def test_the_tokens_of_the_page_can_be_used(tmp_path: Path):
    (block,) = [block for block in blocks_of(HTTP) if block.language == "toml"]
    file = tmp_path / "tokens.toml"
    file.write_text(block.text)

    assert ["sam", None] == [token.user_id for token in read_tokens(file)]
