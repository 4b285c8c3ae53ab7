from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from prme import Extraction
from prme.errors import PlanNotFoundError
from prme.message import validate_message
from prme.pipeline import FailedExtraction, KnownMessage, finish_pending, ingest_pending
from tests.engine.conversation import DRINKS, TEA
from tests.writer.desk import SETTINGS, Desk

MESSAGE = validate_message(TEA, user_id="sam", first_person_owner=True)


def test_a_pending_event_is_finished_once(tmp_path: Path):
    desk = Desk(tmp_path)
    pending = desk.submit("sam", partial(ingest_pending, message=MESSAGE, settings=SETTINGS)).result(30)
    finish = partial(finish_pending, event_id=pending.event_id, answer=DRINKS[TEA], settings=SETTINGS)

    first, second = desk.together(partial(desk.submit, "sam", finish), partial(desk.submit, "sam", finish))

    assert (first.result().status, second.result()) == ("published", KnownMessage(pending.event_id))
    assert desk.submit("sam", finish).result(30) == KnownMessage(pending.event_id)
    assert desk.is_sound()
    desk.close()


def test_a_pending_event_that_failed_can_be_finished(tmp_path: Path):
    desk = Desk(tmp_path)
    pending = desk.submit("sam", partial(ingest_pending, message=MESSAGE, settings=SETTINGS)).result(30)
    finish = partial(finish_pending, event_id=pending.event_id, settings=SETTINGS)
    failed = desk.submit("sam", partial(finish, answer=FailedExtraction("quota_exceeded"))).result(30)
    done = desk.submit("sam", partial(finish, answer=DRINKS[TEA])).result(30)

    assert (failed.status, failed.reason_code, done.status) == ("failed", "quota_exceeded", "published")
    assert desk.is_sound()
    desk.close()


def test_an_unknown_event_cannot_be_finished(tmp_path: Path):
    desk = Desk(tmp_path)

    with pytest.raises(PlanNotFoundError):
        desk.submit("sam", partial(finish_pending, event_id="x", answer=Extraction(), settings=SETTINGS)).result(30)
    assert desk.owners() == []
    desk.close()
