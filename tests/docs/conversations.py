"""Turns the example tables of the pages of policies into conversations, and runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from markdown_it.token import Token

from prme import ExtractedClaim, ExtractedEntity, Extraction, ExtractionPlan, MemoryClient
from prme.model.extraction import EpistemicType, Kind
from prme.resolution import FIRST_PERSON, OTHER_PRONOUNS
from prme_extractors.recorded import RecordedExtractor, Recording
from tests.docs.pages import Table, plain

PRONOUNS = FIRST_PERSON | OTHER_PRONOUNS
SETTINGS = frozenset(
    {"assistant", "tool", "system", "undeclared", "unlisted", "listed", "owner", "scope", "speaker", "day"}
)
FIRST_DAY = datetime(2031, 3, 31, 9, 0, tzinfo=UTC)
RECEIVED = datetime(2031, 6, 1, tzinfo=UTC)
_STATEMENT = re.compile(r"(?P<subject>.+?) - (?P<predicate>.+?) - (?P<denied>not )?(?P<object>.+)")


def day(number: int) -> datetime:
    return FIRST_DAY + timedelta(days=number)


@dataclass(frozen=True)
class Said:
    """One message of an example: its settings, its text and the claims that the extractor proposes for it."""

    settings: tuple[str, ...]
    text: str
    claims: tuple[str, ...]

    def setting(self, name: str) -> str | None:
        return next((s.removeprefix(f"{name} ") for s in self.settings if s.startswith(f"{name} ")), None)

    def message(self, number: int) -> dict[str, Any]:
        role = next((s for s in self.settings if s in {"assistant", "tool", "system"}), "user")
        speaker = self.setting("speaker")
        is_owner = role == "user" and speaker is None and "undeclared" not in self.settings
        return {
            "content": self.text,
            "user_id": self.setting("owner") or "sam",
            "role": role,
            "scope": self.setting("scope") or "personal",
            "speaker": speaker,
            "first_person_owner": is_owner,
            "occurred_at": day(int(self.setting("day") or number)),
            "message_id": f"m{number}",
        }

    def recording(self) -> Recording:
        claims = [proposed_claim(claim) for claim in self.claims]
        listed = self.setting("listed")
        entities = [
            ExtractedEntity(name=claim.subject, entity_type=entity_type)
            for claim in claims
            if claim.subject.casefold() not in PRONOUNS and "unlisted" not in self.settings
            for entity_type in (["person"] if listed is None else listed.split(", "))
        ]
        return Recording(content=self.text, extraction=Extraction(entities=entities, claims=claims))


def proposed_claim(text: str) -> ExtractedClaim:
    """Return the claim that an example writes as `subject - predicate - not object; option; option`."""
    statement, *options = text.split("; ")
    found = _STATEMENT.fullmatch(statement)
    assert found is not None, f"{statement!r} is no claim"
    fields: dict[str, Any] = {"polarity": "negative" if found["denied"] else "positive"}
    for option in options:
        fields.update(_option(option))
    return ExtractedClaim(subject=found["subject"], predicate=found["predicate"], object=found["object"], **fields)


def _option(option: str) -> dict[str, str]:
    if option in get_args(Kind):
        return {"kind": option}
    if option in get_args(EpistemicType):
        return {"epistemic_type": option}
    if option == "update":
        return {"temporal_intent": "update"}
    names = {
        "replaces": "replaces_object",
        "condition": "condition",
        "when": "temporal_ref",
        "quote": "evidence_quote",
        "polarity": "polarity",
        "type": "subject_entity_type",
    }
    name, _, value = option.partition(" ")
    return {names[name]: value}


@dataclass(frozen=True)
class Example:
    """One row of a table of examples, and the policy whose page it stands on."""

    policy: str
    heading: str
    rule: str
    before: tuple[Said, ...]
    decided: tuple[str, ...]
    then: tuple[Said, ...]
    outcome: tuple[str, ...]

    @property
    def messages(self) -> tuple[Said, ...]:
        return (*self.before, *self.then)

    def __str__(self) -> str:
        return re.sub(r"[^\w,.']+", "-", f"{self.policy}: {self.heading}: {self.rule}")


def examples(tables: Sequence[Table], policy: str) -> Iterator[Example]:
    for table in tables:
        if "What it does" not in table.columns:
            continue
        for row in table.rows:
            cells = dict(zip(table.columns, row, strict=True))
            yield Example(
                policy=policy,
                heading=table.heading,
                rule=plain(row[0]),
                before=tuple(_said(cells["Said before"])),
                decided=tuple(plain(cells.get("Decided by hand", ())).split("\n")),
                then=tuple(_said(cells["Said then"])),
                outcome=tuple(plain(cells["What it does"]).split("; ")),
            )


def _said(cell: tuple[Token, ...]) -> Iterator[Said]:
    lines: list[list[Token]] = [[]]
    for token in cell:
        if token.type == "html_inline":
            lines.append([])
        else:
            lines[-1].append(token)
    for line in lines:
        if any(token.content for token in line):
            yield _one_said(line)


def _one_said(line: list[Token]) -> Said:
    settings: list[str] = []
    text: list[str] = []
    is_setting = False
    for token in line:
        if token.type in {"em_open", "em_close"}:
            is_setting = token.type == "em_open"
        elif token.type == "text" and is_setting:
            settings += token.content.rstrip(":").split("; ")
        elif token.type == "text":
            text.append(token.content)
    claims = tuple(token.content for token in line if token.type == "code_inline")
    unknown = [setting for setting in settings if setting.partition(" ")[0] not in SETTINGS]
    assert not unknown, f"no settings of a message: {unknown}"
    return Said(tuple(settings), "".join(text).strip(), claims)


@dataclass
class Told:
    """A conversation in a store: the ids of its claims in the order of the row, and the published plans."""

    memory: MemoryClient
    claim_ids: list[str] = field(default_factory=list)
    plans: list[ExtractionPlan] = field(default_factory=list)

    def number(self, claim_id: str) -> int:
        return self.claim_ids.index(claim_id) + 1


def open_memory(example: Example) -> MemoryClient:
    moments = iter(range(1, 1_000))
    return MemoryClient(
        ":memory:",
        extractor=RecordedExtractor.of([said.recording() for said in example.messages]),
        policy=example.policy,
        clock=lambda: RECEIVED + timedelta(hours=next(moments)),
    )


def tell(memory: MemoryClient, example: Example, *, order: Sequence[int] | None = None) -> Told:
    """Hand over the messages of an example in the order of the row, or in another order of arrival."""
    arrival = range(len(example.messages)) if order is None else order
    receipts = {at: memory.ingest(**example.messages[at].message(at + 1)) for at in arrival}
    told = Told(memory)
    for at in range(len(example.messages)):
        told.claim_ids += receipts[at].claims
        told.plans.append(memory.get_plan(receipts[at].event_id))
    return told
