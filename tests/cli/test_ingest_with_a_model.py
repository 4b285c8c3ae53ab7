"""`prme ingest` with a model: what it would cost, a limit that stops cleanly, and questions that are shared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.extractors.llm.loopback import OPENAI, Asked, Loopback, Reply, answer_text, answered_claim, serving

Ingest = Callable[..., Result]


def answer(asked: Asked) -> Reply:
    """Answer one question with the claim that its message makes; each costs 120 tokens."""
    question = OPENAI.texts(asked)[1].split("The message:")[1]
    content = json.loads(question.strip().splitlines()[0])["content"]
    thing = content.removeprefix("I use ").removesuffix(".")
    return Reply(OPENAI.answer(answer_text(answered_claim(content, thing))))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with serving(answer) as (loopback, address):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        yield loopback


@pytest.fixture
def ingest(run, tmp_path: Path) -> Ingest:
    store = str(tmp_path / "memory")

    def ingest(number: int, *options: str) -> Result:
        lines = [{"content": f"I use tool{place}.", "session_id": "s1"} for place in range(number)]
        file = tmp_path / "chat.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        arguments = ["ingest", str(file), "--store", store, "--user-id", "sam", "--extractor", "openai:m1"]
        return run(*arguments, *options)

    return ingest


def summary(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_limit_of_tokens_stops_after_the_batch_and_says_where(ingest: Ingest, server: Loopback):
    result = ingest(150, "--token-limit", "600", "--concurrency", "1", "--json")
    found = summary(result)

    assert result.exit_code == 1
    assert (found["published"], found["pending"], found["failed"]) == (5, 95, 0)
    assert found["stopped_after"] == "line 100"
    assert len(server.asked) == 5


def test_the_page_says_that_and_how_to_go_on(ingest: Ingest, server: Loopback):
    page = " ".join(ingest(3, "--token-limit", "120", "--concurrency", "1").stdout.split())

    assert "3 messages: 1 published, 0 duplicates, 0 failed, 2 pending" in page
    assert "the limit of tokens was reached: stopped after line 3; run the file again to go on" in page


def test_running_the_file_again_goes_on_where_it_stopped(ingest: Ingest, server: Loopback):
    ingest(150, "--token-limit", "600", "--concurrency", "1")
    found = summary(ingest(150, "--json"))

    assert (found["published"], found["duplicates"], found["pending"], found["stopped_after"]) == (145, 5, 0, None)
    assert len(server.asked) == 150


def test_within_the_limit_nothing_stops(ingest: Ingest, server: Loopback):
    result = ingest(3, "--token-limit", "100000", "--json")

    assert (result.exit_code, summary(result)["published"], summary(result)["pending"]) == (0, 3, 0)


def test_messages_share_questions_when_asked_to(ingest: Ingest, server: Loopback):
    def together(asked: Asked) -> Reply:
        lines = OPENAI.texts(asked)[1].splitlines()
        shown = [json.loads(line) for line in lines if line.startswith('{"message":')]
        answers = [
            {"message": one["message"], "tag": one["tag"], "entities": [], "claims": [claim(one["content"])]}
            for one in shown
        ]
        return Reply(OPENAI.answer(json.dumps({"answers": answers})))

    def claim(content: str) -> dict[str, Any]:
        return answered_claim(content, content.removeprefix("I use ").removesuffix("."))

    server._script = together
    found = summary(ingest(6, "--batch-size", "3", "--json"))

    assert (found["published"], found["claims"], len(server.asked)) == (6, 6, 2)


def test_a_dry_run_estimates_and_neither_stores_nor_sends(ingest: Ingest, server: Loopback, tmp_path: Path):
    result = ingest(4, "--dry-run", "--json")
    found = summary(result)

    assert result.exit_code == 0
    assert (found["messages"], found["questions"], found["refused"]) == (4, 4, 0)
    assert found["input_tokens"] > 4 * 500
    assert found["output_tokens"] > 0
    assert (server.asked, (tmp_path / "memory").exists()) == ([], False)


def test_a_dry_run_says_so_on_its_page(ingest: Ingest, server: Loopback):
    page = ingest(4, "--dry-run", "--batch-size", "2").stdout

    assert page.startswith("4 messages, 2 questions to a model\nabout ")
    assert page.endswith("nothing was stored, and nothing was sent\n")


def test_a_dry_run_without_a_model_costs_nothing(run, tmp_path: Path):
    file = tmp_path / "chat.jsonl"
    file.write_text('{"content": "I use Figma.", "user_id": "sam"}\nnot a message\n')
    result = run("ingest", str(file), "--dry-run", "--store", str(tmp_path / "memory"))

    assert result.exit_code == 1
    assert result.stdout == (
        "1 message, 0 questions to a model\n1 entry would be refused\nnothing was stored, and nothing was sent\n"
    )
