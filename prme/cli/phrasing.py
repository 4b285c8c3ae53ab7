"""How claims, times and speakers are put into words, the same on every page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from prme.canonical import DIGEST_PREFIX
from prme.cli.safe_text import safe_text
from prme.cli.wording import EPISTEMIC_TYPES
from prme.explanation.wording import minute
from prme.model.extraction import EpistemicType, ExtractedClaim, Polarity
from prme.model.message import Event
from prme.model.node import Node
from prme.model.plan import PlannedClaim

_PLAIN: frozenset[EpistemicType] = frozenset({"observed", "asserted"})
# A condition that begins with one of these words takes no "only" before it.
_COMPLETE = ("even ", "except ", "only ", "unless ")


def statement(subject: str | None, predicate: str | None, obj: str | None, polarity: Polarity | None) -> str:
    """Return a claim in one line: `I | uses | insulin pump`, a denial marked as such."""
    denied = " (denied)" if polarity == "negative" else ""
    return f"{safe_text(subject or '')} | {safe_text(predicate or '')} | {safe_text(obj or '')}{denied}"


def node_statement(node: Node) -> str:
    """Return the claim of a node in one line."""
    return statement(node.subject, node.predicate, node.object, node.polarity)


def claim_statement(claim: ExtractedClaim | PlannedClaim) -> str:
    """Return a proposed or planned claim in one line."""
    return statement(claim.subject, claim.predicate, claim.object, claim.polarity)


def reservations(polarity: Polarity | None, epistemic_type: EpistemicType | None, condition: str | None) -> list[str]:
    """Return what keeps a claim from being a plain positive statement, in words."""
    found: list[str] = []
    if polarity is not None and polarity != "positive":
        found.append("denied" if polarity == "negative" else "polarity unknown")
    says_its_condition = epistemic_type == "conditional" and condition is not None
    if epistemic_type is not None and epistemic_type not in _PLAIN and not says_its_condition:
        found.append(EPISTEMIC_TYPES[epistemic_type])
    if condition is not None:
        found.append(_restriction(safe_text(condition)))
    return found


def _restriction(condition: str) -> str:
    """Return a condition as part of a sentence: `only when I travel`, but `unless it rains`."""
    return condition if condition.casefold().startswith(_COMPLETE) else f"only {condition}"


def speaker_of(event: Event) -> str:
    """Return who said a message: the named speaker, the owner who says I, or the role."""
    if event.speaker is not None:
        return safe_text(event.speaker)
    return safe_text(event.user_id) if event.first_person_owner else f"the {event.role}"


def day(moment: datetime) -> str:
    """Return the UTC date of a time."""
    return moment.astimezone(UTC).date().isoformat()


def second(moment: datetime) -> str:
    """Return a time in UTC to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def held(valid_from: datetime, valid_to: datetime | None) -> str:
    """Return an interval in words; they follow "in effect"."""
    if valid_to is None:
        return f"since {minute(valid_from)}"
    if valid_to == valid_from:
        return f"at no time: it was corrected as of {minute(valid_from)}, when it took effect"
    return f"from {minute(valid_from)} to {minute(valid_to)}"


def short_digest(digest: str) -> str:
    """Return the beginning of a digest, enough to tell two apart at a glance."""
    return digest.removeprefix(DIGEST_PREFIX)[:16]


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(items: Iterable[str]) -> str:
    """Return items in one line, separated by semicolons."""
    return "; ".join(items)
