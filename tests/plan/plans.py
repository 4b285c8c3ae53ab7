"""A real plan, and random documents, for the tests of plans."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from prme.canonical import canonical_json, digest_text
from prme.ids import event_id
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction
from prme.model.message import Event
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.plan.prepare import PreparedPlan, prepare_plan
from prme.policy.registry import POLICIES

OCCURRED_AT = datetime(2031, 4, 1, 9, tzinfo=UTC)
RECEIVED_AT = OCCURRED_AT + timedelta(hours=1, microseconds=7)
EXTRACTOR = ExtractorIdentity(name="scripted", model="tests", prompt_digest=None)
OPTIONS = PlanOptions(enable_speaker_references=True)

FIGMA = ExtractedClaim(
    subject="I", predicate="Works With", object="Figma", polarity="positive", confidence=Decimal("0.90")
)
ANSWER = Extraction(
    entities=(ExtractedEntity(name="Figma", entity_type=" Tool "),),
    claims=(FIGMA, ExtractedClaim(subject="Nadia", predicate="uses", object="Figma")),
)


def event(content: str = "I work with Figma \U0001f980.", **fields: Any) -> Event:
    plain: dict[str, Any] = {
        "user_id": "u1",
        "scope": "personal",
        "role": "user",
        "session_id": None,
        "message_id": "m1",
        "speaker": None,
        "first_person_owner": True,
        "occurred_at": OCCURRED_AT,
        "received_at": RECEIVED_AT,
    }
    metadata = fields.pop("metadata", None)
    values = {**plain, **fields}
    return Event(
        id=event_id(values["user_id"], values["scope"], values["message_id"], values["received_at"]),
        content=content,
        content_digest=digest_text(content),
        metadata_json=None if metadata is None else canonical_json(metadata).decode("utf-8"),
        **values,
    )


def prepared(
    of: Event | None = None,
    extraction: Extraction = ANSWER,
    *,
    policy: str = "speech_act_v14",
    extractor: ExtractorIdentity = EXTRACTOR,
    options: PlanOptions = OPTIONS,
) -> PreparedPlan:
    return prepare_plan(
        event() if of is None else of, extraction, extractor=extractor, policy=POLICIES[policy], options=options
    )


# Every character but surrogates, with those that escapes and sorting treat in a special way drawn often.
texts = st.text(
    st.one_of(
        st.sampled_from(
            '\x00\x01\b\t\n\x0b\f\r\x1f"\\/\x7f\x80\u2028\u2029\ue000\uffff\U00010000\U0010ffff\U0001f980é'
        ),
        st.characters(exclude_categories=["Cs"]),
    )
)
