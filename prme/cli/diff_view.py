"""The pages of a comparison: the differing claims of a message, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme import ids
from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import claim_statement, counted, held, reservations, speaker_of, statement
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import in_words
from prme.comparison.outcome import (
    Aspect,
    ClaimDifference,
    Closing,
    MessageDifference,
    PolicyCounts,
    Summary,
    Unread,
    Verdict,
)
from prme.explanation.wording import CHANGES, MATCHES, REASONS, REJECTIONS, VIAS, minute
from prme.model.decision import RuleDecision
from prme.model.message import Event
from prme.model.plan import PlannedClaim
from prme.policy.registry import get_policy
from prme.resolution import is_local

LONGEST_MESSAGE = 120
ASPECTS: Mapping[Aspect, str] = {
    "admission": "whether it is admitted",
    "rejection": "why it is not admitted",
    "subject": "whom it is about",
    "epistemic_type": "how sure it is",
    "effective_at": "when it takes effect",
    "sentences": "its own sentences",
    "grounding": "what grounding changed in it",
    "closing": "what closes it",
    "contested": "whether it is contested",
    "confirms": "what it repeats",
    "decision": "what it does to others",
    "words": "the words its decision rests on",
}
"""In what two verdicts differ, in words."""

Names = Mapping[str, str]


def message_page(message: MessageDifference, policies: tuple[str, str]) -> RenderableType:
    """Return the differing claims of one message: for each in what, and what either policy makes of it."""
    event = message.event
    names = {
        claim.id: statement(claim.subject, claim.predicate, claim.object, claim.polarity) for claim in message.named
    }
    said = f"said on {minute(event.occurred_at)} by {speaker_of(event)}, role {event.role}"
    parts: list[RenderableType] = [
        heading(quoted(event.content, longest=LONGEST_MESSAGE)),
        line(f"{said}, owner {safe_text(event.user_id)}, scope {event.scope}"),
        line(f"event {event.id}"),
    ]
    for claim in message.claims:
        parts += section(claim_statement(claim.proposed), _claim(claim, event, policies, names), level=1)
    return page([*parts, line("")])


def summary_page(summary: Summary, unread: int) -> RenderableType:
    """Return the counts: what was compared, what differs and in what, and what either policy does."""
    parts: list[RenderableType] = [heading(_verdict(summary))]
    if summary.messages:
        compared = [counted(summary.claims, "claim"), counted(summary.messages, "message")]
        by_hand = f", with {counted(summary.decisions, 'decision')} made by hand" if summary.decisions else ""
        owners = counted(summary.owners, "owner")
        parts.append(line(f"compared: {' of '.join(compared)} of {owners}{by_hand}"))
    if unread:
        parts.append(line(f"{counted(unread, 'record')} could not be used"))
    parts += section(
        "Differences", (line(f"{count:,}  {ASPECTS[key]} ({key})") for key, count in summary.differs.items())
    )
    parts += section("Policies", [_counts(summary.a, summary.b)] if summary.messages else [])
    return page(parts)


def unread_line(unread: Unread) -> str:
    """Return where a record stands that could not be used, and why."""
    place = unread.source if unread.line is None else f"{unread.source}, line {unread.line}"
    return safe_text(f"{place}: {unread.reason}")


def _verdict(summary: Summary) -> str:
    if not summary.messages:
        return "nothing to compare: no saved plan was read"
    if not summary.differing_claims:
        return "no difference: both policies do the same with every claim"
    claims, messages = counted(summary.differing_claims, "claim"), counted(summary.differing_messages, "message")
    return f"{claims} of {messages} {'differs' if summary.differing_claims == 1 else 'differ'}"


def _counts(a: PolicyCounts, b: PolicyCounts) -> RenderableType:
    columns = ("Policy", "Admitted", "As guesses", "Not admitted", "Retired", "By hand", "Repeats")
    return table(columns, (_counts_row(a), _counts_row(b)), level=1, whole=columns)


def _counts_row(counts: PolicyCounts) -> tuple[str, ...]:
    numbers = (
        counts.admitted,
        counts.hypothetical,
        counts.rejected,
        counts.retired,
        counts.closed_by_hand,
        counts.confirming,
    )
    return (counts.policy, *(f"{number:,}" for number in numbers))


def _claim(
    difference: ClaimDifference, event: Event, policies: tuple[str, str], names: Names
) -> Iterator[RenderableType]:
    yield line(f"differs in {', '.join(ASPECTS[aspect] for aspect in difference.differs)}", level=2)
    for policy, verdict in zip(policies, (difference.a, difference.b), strict=True):
        yield line(policy, level=2)
        yield from (line(text, level=3) for text in _says(verdict, policy, difference, event, names))
    yield line(f"claim {difference.claim_id}", level=2)


def _says(verdict: Verdict, policy: str, difference: ClaimDifference, event: Event, names: Names) -> Iterator[str]:
    """Yield what a policy makes of a claim: all of it when only one admits it, else what differs."""
    claim = verdict.claim
    if claim is None:
        code = verdict.rejected or ""
        yield f"not admitted: {in_words(REJECTIONS, code)} ({safe_text(code)})"
        return
    differs: set[Aspect] = set(difference.differs)
    if "admission" in differs:
        differs = {"epistemic_type", "closing", "decision"}
        yield "admitted"
    if "subject" in differs:
        yield f"about {_subject(claim, event)}"
    if "epistemic_type" in differs:
        yield ", ".join(reservations(claim.polarity, claim.epistemic_type, claim.condition)) or "a plain statement"
    if "sentences" in differs:
        yield f"its own sentences: {quoted(claim.content, longest=LONGEST_MESSAGE)}"
    if "grounding" in differs:
        yield from _grounded(claim)
    if "closing" in differs or "effective_at" in differs:
        yield from _held(claim, verdict.closing, policy, names)
    if "contested" in differs:
        yield "contested by hand" if verdict.status == "contested" else "not contested"
    if "confirms" in differs:
        yield "repeats no open claim" if verdict.confirms is None else f"repeats {_named(verdict.confirms, names)}"
    if "decision" in differs and verdict.decision is not None:
        yield from _decision(verdict.decision, names)
    if "words" in differs and verdict.words is not None:
        yield f"its decision rests on {quoted(verdict.words.quote, longest=LONGEST_MESSAGE)}"


def _subject(claim: PlannedClaim, event: Event) -> str:
    if claim.subject_id is None:
        return "somebody who cannot be told"
    if claim.subject_id == ids.owner_identity(event.user_id, event.scope):
        return "the owner, in every message"
    if is_local(event, claim):
        return f"{quoted(claim.subject)} of this message only"
    return f"{quoted(claim.subject)}, in every message that names the same"


def _grounded(claim: PlannedClaim) -> Iterator[str]:
    if claim.replaces_object is not None:
        yield f"the former value is {quoted(claim.replaces_object)}"
    for code in claim.changes:
        yield f"{in_words(CHANGES, code)} ({safe_text(code)})"
    if not claim.changes:
        yield "taken as it was proposed"


def _held(claim: PlannedClaim, closing: Closing | None, policy: str, names: Names) -> Iterator[str]:
    yield f"in effect {held(claim.effective_at, None if closing is None else closing.at)}"
    if closing is None:
        return
    if closing.decision is not None:
        replaced = "" if closing.by is None else f"; {_named(closing.by, names)} replaces it"
        yield f"closed by hand, decision {closing.decision}{replaced}"
    elif closing.by is not None and closing.match is not None and closing.via is not None:
        matched = f"{MATCHES[closing.match]}, {VIAS[closing.via]}"
        yield f"retired by {_named(closing.by, names)}: {_rule(closing.rule, policy)}; {matched}"


def _decision(decision: RuleDecision, names: Names) -> Iterator[str]:
    for target in decision.targets:
        yield f"retires {_named(target.claim_id, names)}"
    if decision.reason is not None:
        yield f"retires nothing: {REASONS[decision.reason]} ({decision.reason})"
    for claim_id in decision.candidates:
        yield f"it fits {_named(claim_id, names)}"


def _rule(name: str | None, policy: str) -> str:
    says = {rule.name: rule.says for rule in get_policy(policy).rules}
    return says.get(name or "", name or "no rule is recorded")


def _named(node_id: str, names: Names) -> str:
    """Return a claim in one line; a note, which only a decision made by hand can name, by its id."""
    return names.get(node_id, f"note {node_id}")
