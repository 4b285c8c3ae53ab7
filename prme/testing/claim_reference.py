"""How a scenario names claims: by label, by what they say, or by a value alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prme.text_folding import fold_text

State = Literal["current", "retired", "confirming", "not admitted"]
_LABEL = re.compile(r"m([1-9]\d*)(?:\.c([1-9]\d*))?")
_DENIED = " (denied)"


@dataclass(frozen=True, slots=True)
class ToldClaim:
    """A proposed claim after its conversation: what it says, what became of it, and what closed or kept it out.

    `reason` is the reason code of its decision, `retired` when it retired something, or why it was not admitted.
    `corrects` says whether it tried to change something; `by` names what closed it.
    """

    label: str
    subject: str
    predicate: str
    object: str
    denied: bool
    state: State
    reason: str
    corrects: bool
    by: str | None = None

    @property
    def says(self) -> str:
        """The claim in one line: label, subject, predicate and object."""
        return f"{self.label} {self.subject} | {self.predicate} | {self.object}{_DENIED if self.denied else ''}"


@dataclass(frozen=True, slots=True)
class ClaimReference:
    """A name of a claim in a scenario: a label (`m2.c1`), or its three parts, or its object alone."""

    text: str
    label: str | None = None
    parts: tuple[str, ...] = ()
    denied: bool = False

    def names(self, claim: ToldClaim) -> bool:
        """Whether this names the claim; words are compared folded, and an object alone does not look at polarity."""
        if self.label is not None:
            return self.label == claim.label
        if len(self.parts) == 1:
            return self.parts == (fold_text(claim.object),)
        said = (fold_text(claim.subject), _predicate(claim.predicate), fold_text(claim.object))
        return self.parts == said and self.denied == claim.denied

    def among(self, claims: Iterable[ToldClaim]) -> list[ToldClaim]:
        """Return those that this names."""
        return [claim for claim in claims if self.names(claim)]


def parse_reference(text: str, *, messages: int, value: bool = False) -> ClaimReference:
    """Return the reference that a text is. `messages` is how many there are, `value` allows an object alone.

    Raises `ValueError` for a text that is none, and for a message that is not there.
    """
    label = _LABEL.fullmatch(text.strip())
    if label is not None:
        _check_message(label[1], messages)
        if label[2] is None:
            raise ValueError(f"{text!r} is a message: a claim of it is {text.strip()}.c1")
        return ClaimReference(text, label=text.strip())
    denied = text.rstrip().endswith(_DENIED)
    parts = text.rstrip().removesuffix(_DENIED).split(" | ")
    if len(parts) == 3:
        return ClaimReference(
            text, parts=(fold_text(parts[0]), _predicate(parts[1]), fold_text(parts[2])), denied=denied
        )
    if value and len(parts) == 1 and text.strip():
        return ClaimReference(text, parts=(fold_text(text),))
    raise ValueError(f"{text!r} names no claim: write m1.c1, or subject | predicate | object")


def check_node_label(text: str, *, messages: int) -> None:
    """Check the name of a note (`m1`) or claim (`m1.c1`). Raises `ValueError` for anything else."""
    label = _LABEL.fullmatch(text)
    if label is None:
        raise ValueError(f"{text!r} names no note or claim: write m1 for a message, m1.c1 for a claim of it")
    _check_message(label[1], messages)


def _check_message(number: str, messages: int) -> None:
    if int(number) > messages:
        raise ValueError(f"there is no message m{number}: the scenario has {messages}")


def _predicate(text: str) -> str:
    return re.sub(r"[\s\-]+", "_", fold_text(text))
