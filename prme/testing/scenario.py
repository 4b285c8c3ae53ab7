"""A scenario: messages, what is decided by hand between them, and what memory must and must not say afterwards."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from prme.message import validate_message
from prme.model.extraction import Extraction
from prme.model.message import FIRST_PERSON_ROLES
from prme.model.value import Value
from prme.policy.registry import DEFAULT_POLICY, POLICIES
from prme.testing.claim_reference import ClaimReference, check_node_label, parse_reference

Forbidden = Literal["current", "retired"]


class SupersedeStep(Value):
    """Let `new` replace `old`."""

    do: Literal["supersede"]
    old: str
    new: str


class ContradictStep(Value):
    """Say that two contradict each other."""

    do: Literal["contradict"]
    a: str
    b: str


class ResolveStep(Value):
    """Decide a contradiction."""

    do: Literal["resolve"]
    winner: str
    loser: str


Step = Annotated[SupersedeStep | ContradictStep | ResolveStep, Field(discriminator="do")]


class ScenarioMessage(Value):
    """A message with the extraction to be taken for it, if one is given, and what is decided by hand `then`.

    A text alone is a message of the user. `first_person_owner` None means what the scenario says.
    """

    content: str
    role: str = "user"
    scope: str = "personal"
    session_id: str | None = None
    speaker: str | None = None
    first_person_owner: bool | None = None
    occurred_at: datetime | None = None
    extraction: Extraction | None = None
    then: tuple[Step, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _text_alone(cls, value: Any) -> Any:
        return {"content": value} if isinstance(value, str) else value


class ExpectedRetirement(Value):
    """A claim that must be retired, and what by, if that matters."""

    claim: str
    by: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _claim_alone(cls, value: Any) -> Any:
        return {"claim": value} if isinstance(value, str) else value


class Expectations(Value):
    """What must be so at the end. None means that nothing is said of it.

    `current` are exactly the claims that are open, denials included; `retired` exactly those that are closed; those
    that only repeat another one are in neither. `must_not` are texts `current: CLAIM` and `retired: CLAIM`, where
    an object alone stands for every claim with it. `reasons` are reason codes by claim.
    """

    current: tuple[str, ...] | None = None
    retired: tuple[ExpectedRetirement, ...] | None = None
    must_not: tuple[str, ...] = ()
    reasons: dict[str, str] = Field(default_factory=dict)

    def forbidden(self, messages: int) -> list[tuple[Forbidden, ClaimReference]]:
        """Return what `must_not` says. Raises `ValueError` for a text that says nothing that can be checked."""
        return [_forbidden(text, messages) for text in self.must_not]


class Scenario(Value):
    """One conversation of one owner with its expectations, and a control that must break one of them.

    `control` changes messages by label: fields to replace, a text for the content, or None to leave the message out.
    """

    name: str = Field(min_length=1)
    about: str | None = None
    user_id: str = "user"
    first_person_owner: bool = False
    policy: str = DEFAULT_POLICY
    extractor: str | None = None
    messages: tuple[ScenarioMessage, ...] = Field(min_length=1)
    expect: Expectations = Expectations()
    control: dict[str, dict[str, Any] | str | None] | None = None

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        count = len(self.messages)
        if self.policy not in POLICIES:
            raise ValueError(f"there is no policy {self.policy!r}: {', '.join(POLICIES)}")
        for message in (*self.messages, *(one for one in self.changed().values() if one is not None)):
            self.fields(message)
            for step in message.then:
                for name in step.model_dump(exclude={"do"}).values():
                    check_node_label(name, messages=count)
        for text in (*(self.expect.current or ()), *self.expect.reasons):
            parse_reference(text, messages=count)
        for retired in self.expect.retired or ():
            parse_reference(retired.claim, messages=count)
            if retired.by is not None:
                check_node_label(retired.by, messages=count)
        self.expect.forbidden(count)
        return self

    def labelled(self) -> dict[str, ScenarioMessage]:
        """Return the messages by label."""
        return {f"m{number}": message for number, message in enumerate(self.messages, start=1)}

    def changed(self) -> dict[str, ScenarioMessage | None]:
        """Return the messages that the control changes, as it has them. Raises `ValueError` for an unknown label."""
        found: dict[str, ScenarioMessage | None] = {}
        for label, change in (self.control or {}).items():
            message = self.labelled().get(label)
            if message is None:
                raise ValueError(f"control changes {label!r}: there is no such message, the first is m1")
            fields = {"content": change} if isinstance(change, str) else change
            kept = message.model_dump(exclude_unset=True)
            found[label] = None if fields is None else ScenarioMessage.model_validate(kept | fields)
        return found

    def control_messages(self) -> dict[str, ScenarioMessage]:
        """Return the messages of the control by label; the others keep theirs."""
        every: dict[str, ScenarioMessage | None] = {**self.labelled(), **self.changed()}
        return {label: message for label, message in every.items() if message is not None}

    def fields(self, message: ScenarioMessage) -> dict[str, Any]:
        """Return the fields of a message for `ingest`. Raises `InvalidMessageError` when they make no message."""
        fields = message.model_dump(exclude={"extraction", "then"}) | {"user_id": self.user_id}
        if message.first_person_owner is None:
            is_person = message.role.casefold() in FIRST_PERSON_ROLES and message.speaker is None
            fields["first_person_owner"] = self.first_person_owner and is_person
        validate_message(**fields)
        return fields


def _forbidden(text: str, messages: int) -> tuple[Forbidden, ClaimReference]:
    for state in ("current", "retired"):
        if text.startswith(f"{state}:"):
            named = text.partition(":")[2].strip()
            return state, parse_reference(named, messages=messages, value=True)
    raise ValueError(f"must_not {text!r} cannot be checked: write current: CLAIM or retired: CLAIM")
