"""Every error of prme has its status, and every status of the error map comes with its control."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from prme import Change, MemoryEngine, errors
from prme.http.problems import ERROR_MAP, error_problem, kind_of
from prme.http.watch import FAULT
from tests.engine.conversation import COFFEE, TEA
from tests.http import serving
from tests.http.serving import Served

SECRET = "the words of a message"


def classes(root: type[Exception] = errors.PrmeError) -> Iterator[type[Exception]]:
    yield root
    for child in root.__subclasses__():
        yield from classes(child)


def made(kind: type[Exception]) -> Exception:
    return kind("text", reason_code="quota_exhausted") if issubclass(kind, errors.ExtractionError) else kind("text")


EXPECTED = {
    errors.PrmeError: 500,
    errors.InvalidMessageError: 422,
    errors.SpeakerError: 422,
    errors.ReservedMetadataError: 422,
    errors.MessageConflictError: 409,
    errors.ExtractionError: 503,
    errors.PlanError: 500,
    errors.PlanCorruptError: 500,
    errors.UnsupportedPlanError: 500,
    errors.PlanNotFoundError: 404,
    errors.NodeNotFoundError: 404,
    errors.ConflictError: 409,
    errors.StoreError: 503,
    errors.StoreLockedError: 503,
    errors.StoreBusyError: 503,
    errors.StoreVersionError: 500,
    errors.StoreCorruptError: 500,
    errors.UnknownExtractorError: 500,
}


@pytest.mark.parametrize("kind", EXPECTED, ids=lambda kind: kind.__name__)
def test_an_error_of_prme_has_its_status(kind: type[Exception]):
    answer = kind_of(made(kind))

    assert answer is not None
    assert EXPECTED[kind] == answer[0]


def test_every_error_of_prme_is_among_them():
    own = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.PrmeError)}

    assert set(EXPECTED) == own


# Other fronts have errors of their own, which never come here.
BELOW = sorted((kind for kind in classes() if kind is not errors.PrmeError and ".cli." not in kind.__module__), key=str)


@pytest.mark.parametrize("kind", BELOW, ids=lambda kind: kind.__name__)
def test_every_error_below_is_answered_as_something_more_special_than_a_fault(kind: type[Exception]):
    assert ERROR_MAP[errors.PrmeError] != kind_of(made(kind))


def test_a_special_error_stands_before_the_general_one():
    seen: list[type[Exception]] = []
    for kind in ERROR_MAP:
        assert not any(issubclass(kind, earlier) for earlier in seen), kind
        seen.append(kind)


class _Model(BaseModel):
    number: int


def a_validation_error() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        _Model.model_validate({"number": SECRET})
    return caught.value


@pytest.mark.parametrize(
    "error",
    [RuntimeError(SECRET), KeyError(SECRET), UnicodeDecodeError("utf-8", b"", 0, 1, SECRET), a_validation_error()],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_others_is_expected_by_nobody(error: Exception):
    assert error_problem(error) is None


def test_an_argument_that_breaks_a_rule_is_422():
    assert (422, "invalid_argument") == kind_of(ValueError("limit must be a whole number"))


@pytest.mark.parametrize(
    "kind", [errors.StoreLockedError, errors.StoreVersionError, errors.StoreCorruptError, errors.StoreError]
)
def test_what_the_store_says_of_itself_stays_with_the_operator(kind: type[Exception]):
    answer = error_problem(kind("/home/operator/memory is damaged"))

    assert answer is not None
    assert b"operator/memory" not in bytes(answer.body)


@pytest.mark.parametrize("kind", [errors.StoreBusyError, errors.StoreLockedError, errors.StoreError])
def test_a_store_that_cannot_be_used_now_says_when_to_try_again(kind: type[Exception]):
    answer = error_problem(kind("text"))

    assert answer is not None
    assert "1" == answer.headers["retry-after"]


def test_a_message_whose_extraction_failed_is_not_to_be_sent_again():
    answer = error_problem(errors.ExtractionError("text", reason_code="quota_exhausted", event_id="e"))

    assert answer is not None
    assert "retry-after" not in answer.headers
    assert ("quota_exhausted", "e") == tuple(json.loads(answer.body)[name] for name in ("reason_code", "event_id"))


# Over HTTP


def test_a_decision_against_the_state_is_409(service: Served):
    first, second, third = (service.ingest(f"{number}").json()["event_id"] for number in range(3))
    notes = {event: service.get(f"/v1/events/{event}/nodes").json()[0]["id"] for event in (first, second, third)}
    replace = {"old_id": notes[first], "new_id": notes[second]}

    assert 200 == service.post("/v1/supersedences", replace).status_code
    conflict = service.post("/v1/supersedences", {**replace, "new_id": notes[third]})

    assert (409, "conflict") == serving.kind_of(conflict)
    assert "duplicate" == service.post("/v1/supersedences", replace).json()["status"]


@pytest.mark.parametrize(
    "path",
    ["/v1/events/x", "/v1/events/x/nodes", "/v1/events/x/plan", "/v1/nodes/x", "/v1/nodes/x/history", "/v1/explain/x"],
)
def test_an_unknown_id_is_404(shared: Served, path: str):
    assert (404, "not_found") == serving.kind_of(shared.get(path))


def test_a_note_has_no_plan(shared: Served):
    event = shared.post("/v1/store", {"content": TEA, "user_id": "sam"}).json()["event_id"]

    assert (404, "not_found") == serving.kind_of(shared.get(f"/v1/events/{event}/plan"))


def test_an_unknown_address_is_404(shared: Served):
    assert (404, "not_found") == serving.kind_of(shared.get("/v1/nowhere"))


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/v1/events/x"), ("GET", "/v1/ingest"), ("POST", "/healthz")])
def test_another_method_is_405_and_names_the_right_one(shared: Served, method: str, path: str):
    refused = shared.client.request(method, path)

    assert (405, "refused") == serving.kind_of(refused)
    assert refused.headers["allow"] in ("GET", "POST")


def test_a_closed_store_is_503():
    with serving.served() as service:
        service.ingest(TEA)
        service.close_store()

        assert (503, "store_unavailable") == serving.kind_of(service.ingest(COFFEE))
        assert 503 == service.get("/readyz").status_code
        assert 200 == service.get("/healthz").status_code


class BrokenEngine(MemoryEngine):
    """A memory whose feed of changes fails in a way that nobody expected."""

    async def changes(self, **asked: Any) -> list[Change]:  # type: ignore[override]
        raise RuntimeError(SECRET)


def test_what_nobody_expected_is_500_without_its_text(caplog: pytest.LogCaptureFixture):
    with serving.served(engine_class=BrokenEngine) as service:
        answer = service.get("/v1/changes")

    assert (500, "fault", FAULT) == (*serving.kind_of(answer), answer.json()["detail"])
    (fault,) = [record for record in caplog.records if record.message == "fault"]
    assert ("RuntimeError", answer.headers["x-request-id"]) == (fault.error, fault.request_id)  # type: ignore[attr-defined]
    assert SECRET not in repr(fault.__dict__)


class UndecodableEngine(MemoryEngine):
    """A memory that fails with an error of another library's that counts as a `ValueError`."""

    async def changes(self, **asked: Any) -> list[Change]:  # type: ignore[override]
        raise UnicodeDecodeError("utf-8", b"", 0, 1, SECRET)


def test_an_error_of_another_library_is_no_refusal():
    with serving.served(engine_class=UndecodableEngine) as service:
        answer = service.get("/v1/changes")

    assert (500, "fault", FAULT) == (*serving.kind_of(answer), answer.json()["detail"])


def test_a_service_that_met_a_fault_goes_on():
    with serving.served(engine_class=BrokenEngine) as service:
        service.get("/v1/changes")

        assert 200 == service.ingest(TEA).status_code
