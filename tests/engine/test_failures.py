from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from prme import ExtractionError, MemoryClient
from prme.errors import StoreError
from prme.extraction.failures import InvalidExtractionError, TransientExtractionError
from prme.extraction.limits import ExtractionLimits
from prme.store.anchor import AnchorMark
from prme.store.rows import RowBatch
from tests.engine.conversation import (
    COFFEE,
    TEA,
    Remote,
    Scripted,
    SettableClock,
    claim,
    everything_stored,
    extraction,
    raw,
    row_counts,
)

SECRET = "sk-live-provider-text"
OWNER = {"user_id": "sam", "first_person_owner": True}
FAILURES: list[tuple[Any, str]] = [
    (TransientExtractionError(SECRET), "extractor_unavailable"),
    (ConnectionError(SECRET), "extractor_unavailable"),
    (TimeoutError(SECRET), "extractor_timeout"),
    (InvalidExtractionError(SECRET), "invalid_extraction"),
    (SECRET, "invalid_extraction"),
    (RuntimeError(SECRET), "extractor_error"),
    (ExtractionError(SECRET, reason_code="quota_exceeded"), "quota_exceeded"),
    (ExtractionError(SECRET, reason_code=SECRET), "extractor_error"),
    (RecursionError(SECRET), "extractor_error"),
]
NAMES = [f"{type(answer).__name__}-{code}" for answer, code in FAILURES]


AT_ONCE = ExtractionLimits(first_wait_seconds=0, longest_wait_seconds=0)


@pytest.mark.parametrize("kind", [Scripted, Remote])
@pytest.mark.parametrize(("answer", "reason"), FAILURES, ids=NAMES)
def test_a_failed_extraction_keeps_the_message_and_nothing_of_what_the_provider_said(
    tmp_path: Path, kind: type[Scripted], answer: Any, reason: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    with MemoryClient(tmp_path, extractor=kind({TEA: answer}), limits=AT_ONCE, clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, **OWNER)
        event = memory.get_event(receipt.event_id)
        explanation = memory.explain(receipt.event_id)

        assert (receipt.status, receipt.reason_code, receipt.plan_id) == ("failed", reason, None)
        assert (event.content, explanation.work, explanation.reason_code) == (TEA, "failed", reason)
        assert memory.verify().ok
    assert SECRET not in everything_stored(tmp_path) + caplog.text


def test_the_search_for_leaked_text_finds_what_is_stored(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), limits=AT_ONCE, clock=SettableClock()) as memory:
        memory.store(SECRET, user_id="sam")

    assert SECRET in everything_stored(tmp_path)


@pytest.mark.parametrize("kind", [Scripted, Remote])
def test_a_failed_message_blocks_no_later_one(tmp_path: Path, kind: type[Scripted]):
    script = {TEA: RuntimeError(), COFFEE: extraction(claim("I", "drinks", "coffee"))}
    with MemoryClient(tmp_path, extractor=kind(script), limits=AT_ONCE, clock=SettableClock()) as memory:
        statuses = [memory.ingest(content, **OWNER).status for content in (TEA, COFFEE)]

    assert statuses == ["failed", "published"]


def test_a_failing_local_extractor_leaves_the_event_alone_in_one_commit(tmp_path: Path):
    with MemoryClient(
        tmp_path, extractor=Scripted({TEA: RuntimeError()}), limits=AT_ONCE, clock=SettableClock()
    ) as memory:
        memory.ingest(TEA, **OWNER)

    counts = row_counts(tmp_path)
    assert (counts["events"], counts["plans"], counts["claims"], counts["intervals"]) == (1, 0, 0, 1)
    assert [(1, "NOTE_STORED"), (1, "EXTRACTION_FAILED")] == raw(
        tmp_path, "select commit_no, kind from journal order by seq"
    )


def test_a_transient_failure_that_passes_is_no_failure(tmp_path: Path):
    script = {TEA: [ConnectionError(), TransientExtractionError("x"), extraction(claim("I", "drinks", "tea"))]}
    remote = Remote(script)
    with MemoryClient(tmp_path, extractor=remote, limits=AT_ONCE, clock=SettableClock()) as memory:
        assert memory.ingest(TEA, **OWNER).status == "published"

    assert len(remote.requests) == 3


def test_an_invalid_answer_is_asked_again_with_the_reason(tmp_path: Path):
    remote = Remote({TEA: [InvalidExtractionError("claims.0: no object"), extraction(claim("I", "drinks", "tea"))]})
    with MemoryClient(tmp_path, extractor=remote, limits=AT_ONCE, clock=SettableClock()) as memory:
        assert memory.ingest(TEA, **OWNER).status == "published"

    assert [request.validation_error for request in remote.requests] == [None, "claims.0: no object"]


def test_a_fault_of_our_own_keeps_the_message_and_is_logged_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(SECRET)

    with MemoryClient(tmp_path, extractor=Scripted(), limits=AT_ONCE, clock=SettableClock()) as memory:
        with monkeypatch.context() as patched:
            patched.setattr("prme.pipeline.prepare_plan", broken)
            receipt = memory.ingest(TEA, **OWNER)
        retried = memory.retry(receipt.event_id)

        assert (receipt.status, receipt.reason_code) == ("failed", "preparation_failed")
        assert retried.status == "published"
        assert memory.verify().ok
    assert ("ZeroDivisionError" in caplog.text, SECRET in caplog.text) == (True, False)


def test_a_fault_late_in_publishing_leaves_nothing_of_the_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with MemoryClient(tmp_path, extractor=Scripted(), limits=AT_ONCE, clock=SettableClock()) as memory:
        with monkeypatch.context() as patched:
            patched.setattr("prme.publication.publish.evidence_rows", broken)
            receipt = memory.ingest(TEA, **OWNER)
        other = memory.ingest(TEA, **OWNER)

        assert (receipt.status, other.status) == ("failed", "published")
        assert [node.status for node in memory.claims(user_id="sam")] == ["current"]
        assert memory.verify().ok
    assert row_counts(tmp_path)["claims"] == 1


def test_background_work_that_cannot_begin_is_logged_and_breaks_no_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr("prme.service.memory.unfinished_events", broken)
    with MemoryClient(tmp_path, extractor=Scripted(), limits=AT_ONCE, clock=SettableClock()) as memory:
        assert memory.ingest(TEA, **OWNER).status == "published"

    assert ("ZeroDivisionError" in caplog.text, SECRET in caplog.text) == (True, False)


def test_a_store_that_fails_after_the_message_is_stored_leaves_it_pending_and_raises_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with MemoryClient(tmp_path, extractor=Remote(), limits=AT_ONCE, clock=SettableClock()) as memory:
        database = memory._engine._service._database
        commit = database.commit

        def refuse_plans(batch: RowBatch, mark: AnchorMark) -> None:
            if "plans" in batch.tables:
                raise StoreError("no space left")
            commit(batch, mark)

        monkeypatch.setattr(database, "commit", refuse_plans)
        receipt = memory.ingest(TEA, user_id="sam", first_person_owner=True)
        monkeypatch.undo()

        assert (receipt.status, receipt.reason_code) == ("pending", "not_published")
        assert [later.status for later in memory.process_pending()] == ["published"]
        assert memory.verify().ok
