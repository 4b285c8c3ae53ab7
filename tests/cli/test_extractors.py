"""`prme extractors` lists what is installed, and `stats` says what models cost, also while the store is in use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prme import Extraction, ExtractionLimits, ExtractionRequest, MemoryClient
from prme.errors import ExtractionError
from prme.extraction.spending import record_usage
from prme.model.extractor_run import ModelUsage


class Costly:
    name = "costly"
    model = "large"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        record_usage(ModelUsage(input_tokens=1_200, output_tokens=30, cached_tokens=1_000))
        if "secret" in request.message.content:
            raise ExtractionError("refused", reason_code="model_refused")
        return Extraction()


@pytest.fixture
def store(tmp_path: Path) -> str:
    with MemoryClient(tmp_path / "memory", extractor=Costly(), limits=ExtractionLimits(tries=1)) as memory:
        memory.ingest_batch([{"content": content, "user_id": "sam"} for content in ("Hello.", "a secret")])
    return str(tmp_path / "memory")


def test_the_list_names_each_extractor_and_its_package(run):
    lines = [line.split() for line in run("extractors").stdout.splitlines()]

    assert lines[0] == ["Name", "Package"]
    assert {("anthropic", "prme"), ("lexical", "prme"), ("openai", "prme"), ("recorded", "prme")} <= set(
        map(tuple, lines[1:])
    )


def test_the_list_as_json_says_the_same(run):
    assert {"name": "lexical", "package": "prme"} in json.loads(run("extractors", "--json").stdout)


def test_stats_add_up_what_a_model_was_asked(run, store: str):
    page = " ".join(run("extractors", "stats", "--store", store).stdout.split())

    assert page.startswith(
        "costly, large 2 messages: 1 answered, 1 failed failed: 1 model_refused "
        "2 calls, 2,400 tokens in, 2,000 of them cached, 60 out"
    )


def test_stats_as_json_have_every_count(run, store: str):
    (found,) = json.loads(run("extractors", "stats", "--store", store, "--json").stdout)

    counts: dict[str, Any] = {
        "extractor": "costly",
        "model": "large",
        "runs": 2,
        "answered": 1,
        "failed": 1,
        "calls": 2,
        "input_tokens": 2_400,
        "output_tokens": 60,
        "cached_tokens": 2_000,
        "failures": {"model_refused": 1},
    }
    assert counts.items() <= found.items()


def test_stats_can_be_read_while_the_store_is_open(run, store: str):
    with MemoryClient(store, extractor=Costly()) as memory:
        memory.ingest("Hello again.", user_id="sam")
        result = run("extractors", "stats", "--store", store)

    assert (result.exit_code, "3 messages" in result.stdout) == (0, True)


def test_a_store_whose_messages_no_model_saw_has_no_stats(run, tmp_path: Path):
    with MemoryClient(tmp_path / "memory") as memory:
        memory.ingest("I use Figma.", user_id="sam")
    result = run("extractors", "stats", "--store", str(tmp_path / "memory"))

    assert (result.exit_code, result.stdout) == (0, "no model was asked about the messages of this store\n")


def test_without_a_store_there_are_none(run, tmp_path: Path):
    result = run("extractors", "stats", "--store", str(tmp_path / "nowhere"))

    assert (result.exit_code, "there is no store" in result.stderr) == (1, True)
    assert not (tmp_path / "nowhere").exists()


def explained(run, text: str, *options: str, stdin: str | None = None) -> str:
    return run("extractors", "lexical", "--explain", text, *options, input=stdin).stdout


def test_the_embedded_extractor_shows_the_pattern_and_the_claim_of_each_clause(run):
    page = " ".join(explained(run, "I switched from Trello to Plane. I use Vim.").split())

    assert "I switched from Trello to Plane pattern switched, as in" in page
    assert "I | uses | Plane; update, instead of Trello" in page
    assert "I use Vim pattern" in page
    assert "I | uses | Vim; assertion" in page


def test_it_says_why_it_left_a_clause(run):
    page = " ".join(explained(run, "Should I stop using Vim?").split())

    assert "not read: a question states nothing" in page


def test_it_reads_from_standard_input_and_answers_as_json(run):
    found = json.loads(explained(run, "-", "--json", stdin="I use Vim."))

    assert [clause["outcome"] for clause in found["clauses"]] == ["claims"]
    assert found["clauses"][0]["claims"][0]["object"] == "Vim"


def test_text_without_a_clause_is_said_to_be_none(run):
    assert explained(run, "...").startswith("nothing was read: ")
