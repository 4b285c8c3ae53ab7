from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from prme import Extraction, ExtractionError, ExtractionRequest
from prme.http.settings import MOST_MESSAGES
from tests.engine.conversation import COFFEE, DRINKS, NO_TEA, TEA, Remote, Scripted
from tests.http.serving import Served, kind_of, served


def failing_once() -> Scripted:
    """Return an extractor that fails on the first message about tea, and answers from then on."""
    return Scripted({**DRINKS, TEA: [ExtractionError("no", reason_code="quota_exhausted"), DRINKS[TEA], DRINKS[TEA]]})


def said(content: str, **fields: Any) -> dict[str, Any]:
    return {"content": content, "user_id": "sam", "first_person_owner": True, **fields}


def test_a_published_message_is_200_with_its_receipt(service: Served):
    answer = service.ingest(TEA)

    assert (200, "published", 1) == (answer.status_code, answer.json()["status"], len(answer.json()["claims"]))


def test_a_denial_names_the_claim_that_it_retired(service: Served):
    first, second = service.ingest(TEA).json(), service.ingest(NO_TEA).json()

    assert first["claims"] == second["retired"]


def test_a_message_without_first_person_owner_corrects_nothing(service: Served):
    service.ingest(TEA)

    assert [] == service.ingest(NO_TEA, first_person_owner=False).json()["retired"]


def test_a_repeated_message_is_200_and_duplicate(service: Served):
    service.ingest(TEA, message_id="m1")
    again = service.ingest(TEA, message_id="m1")

    assert (200, "duplicate") == (again.status_code, again.json()["status"])


def test_another_message_under_the_same_id_is_409(service: Served):
    service.ingest(TEA, message_id="m1")

    assert (409, "message_conflict") == kind_of(service.ingest(COFFEE, message_id="m1"))


class Waiting(Remote):
    """Answers once the test has seen that nobody waited for it."""

    def __init__(self) -> None:
        super().__init__()
        self.released = asyncio.Event()

    async def extract(self, request: ExtractionRequest) -> Extraction:
        await self.released.wait()
        return await super().extract(request)


def test_a_message_whose_extraction_nobody_waits_for_is_202():
    with served(extractor=Waiting()) as service:
        answer = service.ingest(TEA, wait_for_extraction=False)

        assert (202, "pending") == (answer.status_code, answer.json()["status"])


def test_a_repeated_message_that_is_still_pending_is_202():
    with served(extractor=Waiting()) as service:
        service.ingest(TEA, message_id="m1", wait_for_extraction=False)
        again = service.ingest(TEA, message_id="m1", wait_for_extraction=False)

        assert (202, "duplicate") == (again.status_code, again.json()["status"])


def test_a_failed_extraction_is_503_with_the_event_and_the_reason():
    with served(extractor=failing_once()) as service:
        answer = service.ingest(TEA)
        stored = service.get(f"/v1/events/{answer.json()['event_id']}")

    assert (503, "extraction_failed") == kind_of(answer)
    assert ("quota_exhausted", TEA) == (answer.json()["reason_code"], stored.json()["content"])


def test_the_same_message_sent_again_after_its_extraction_failed_is_503_too():
    always = ExtractionError("no", reason_code="quota_exhausted")
    with served(extractor=Scripted({TEA: always})) as service:
        first = service.ingest(TEA, message_id="m1")
        again = service.ingest(TEA, message_id="m1")

    assert first.json()["event_id"] == again.json()["event_id"]
    assert (503, "extraction_failed") == kind_of(again)


def test_a_failed_extraction_can_be_tried_again():
    with served(extractor=failing_once()) as service:
        event = service.ingest(TEA).json()["event_id"]
        answer = service.client.post(f"/v1/events/{event}/retry")

    assert (200, "published") == (answer.status_code, answer.json()["status"])


def test_an_unknown_message_cannot_be_tried_again(service: Served):
    assert (404, "not_found") == kind_of(service.client.post("/v1/events/nowhere/retry"))


def test_a_batch_is_answered_with_a_receipt_for_each_message(service: Served):
    answer = service.post("/v1/ingest/batch", {"messages": [said(TEA), said(NO_TEA)]})

    assert (200, [0, 1]) == (answer.status_code, [len(receipt["retired"]) for receipt in answer.json()])


def test_a_batch_that_nobody_waits_for_is_202():
    with served(extractor=Waiting()) as service:
        answer = service.post("/v1/ingest/batch", {"messages": [said(TEA)], "wait_for_extraction": False})

        assert (202, ["pending"]) == (answer.status_code, [receipt["status"] for receipt in answer.json()])


def test_a_batch_in_which_an_extraction_failed_is_503_with_every_receipt():
    with served(extractor=failing_once()) as service:
        answer = service.post("/v1/ingest/batch", {"messages": [said(COFFEE), said(TEA)]})

    assert (503, "extraction_failed") == kind_of(answer)
    assert ["published", "failed"] == [receipt["status"] for receipt in answer.json()["receipts"]]


def test_nothing_of_a_batch_with_a_bad_message_is_stored(service: Served):
    refused = service.post("/v1/ingest/batch", {"messages": [said(TEA), said(" ")]})

    assert (422, "invalid_message") == kind_of(refused)
    assert "messages[1]" in refused.json()["detail"]
    assert [] == service.get("/v1/changes").json()


def test_a_batch_of_more_than_a_thousand_messages_is_413(shared: Served):
    before = shared.entries()

    refused = shared.post("/v1/ingest/batch", {"messages": [said("x")] * (MOST_MESSAGES + 1)})

    assert (413, "too_large") == kind_of(refused)
    assert before == shared.entries()


@pytest.mark.parametrize(("count", "expected"), [(MOST_MESSAGES, 404), (MOST_MESSAGES + 1, 413)])
def test_a_batch_has_at_most_a_thousand_replacements(shared: Served, count: int, expected: int):
    entries = [{"old_id": "nowhere", "new_id": "nowhere"}] * count

    assert expected == shared.post("/v1/supersedences/batch", {"entries": entries}).status_code


def test_an_empty_batch_is_answered_with_an_empty_list(service: Served):
    answer = service.post("/v1/ingest/batch", {"messages": []})

    assert (200, []) == (answer.status_code, answer.json())


def test_messages_that_come_at_once_share_transactions(service: Served):
    with ThreadPoolExecutor(16) as clients:
        answers = list(clients.map(lambda number: service.ingest(TEA, user_id=f"owner {number}"), range(128)))
    cursors = [change["cursor"] for change in service.get("/v1/changes?limit=10000").json()]
    commits = {cursor.removeprefix("store:").partition(".")[0] for cursor in cursors}

    assert [200] * 128 == [answer.status_code for answer in answers]
    assert len(commits) < 128


def test_a_stored_note_replaces_the_note_that_it_names(service: Served):
    old = service.post("/v1/store", {"content": "The code is 1.", "user_id": "sam"}).json()["event_id"]
    old_note = service.get(f"/v1/events/{old}/nodes").json()[0]["id"]
    new = service.post("/v1/store", {"content": "The code is 2.", "user_id": "sam", "supersedes": old_note}).json()
    (new_note,) = service.get(f"/v1/events/{new['event_id']}/nodes").json()

    assert new_note["id"] == service.get(f"/v1/events/{old}/nodes").json()[0]["superseded_by"]


def test_a_note_that_names_no_node_is_not_stored(service: Served):
    refused = service.post("/v1/store", {"content": "x", "user_id": "sam", "supersedes": "nowhere"})

    assert (404, "not_found") == kind_of(refused)
    assert [] == service.get("/v1/changes").json()
