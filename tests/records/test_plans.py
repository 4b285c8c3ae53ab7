"""The head of a plan is found without reading all of it, and whoever reads all of it notices a head that misleads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.canonical import canonical_document, digest_bytes
from prme.errors import PlanCorruptError
from prme.plan.document import event_document, plan_document
from prme.records.content import read_plan
from prme.records.head import RecordHead, record_head
from tests.plan.plans import event, prepared

KEYS = ',"event":{"id":"x","user_id":"ann"},"extraction":{},"format":"prme.plan/1",'


@given(content=st.text(min_size=1) | st.just(KEYS), user_id=st.just("sam") | st.just(KEYS))
def test_the_head_of_a_plan_says_what_the_plan_says_whatever_its_texts_are(content: str, user_id: str):
    made = prepared(event(content, user_id=user_id))

    head = record_head(made.data)

    assert head == RecordHead("plan", user_id, made.plan.event.id, made.plan.checksum)
    assert read_plan(made.data, head.user_id, head.name) == made.plan


def signed(body: bytes) -> bytes:
    return b'{"checksum":"' + digest_bytes(body).encode("ascii") + b'",' + body[1:]


def test_a_plan_with_two_events_is_refused_by_its_reader():
    body = canonical_document(plan_document(prepared(event(user_id="sam")).plan))
    other = canonical_document(event_document(event(user_id="ann")))
    data = signed(body.removesuffix(b"}") + b',"event":' + other + b"}")
    head = record_head(data)

    assert head.user_id == "sam"
    with pytest.raises(PlanCorruptError, match="canonical form"):
        read_plan(data, head.user_id, head.name)


@pytest.mark.parametrize(
    ("key", "instead"),
    [
        (b',"event":', b', "event":'),
        (b',"extraction":{', b',"extracted":{'),
        (b',"format":"prme.plan/1",', b', "format":"prme.plan/1",'),
    ],
)
def test_a_plan_that_is_not_canonical_has_no_head(key: bytes, instead: bytes):
    body = canonical_document(plan_document(prepared().plan))
    assert record_head(signed(body)).kind == "plan"

    with pytest.raises(PlanCorruptError, match="canonical form"):
        record_head(signed(body.replace(key, instead)))
