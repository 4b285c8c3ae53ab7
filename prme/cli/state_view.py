"""The pages of an assertion state and of the feed of changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import held, node_statement, reservations, second
from prme.cli.safe_text import safe_text
from prme.cli.wording import JOURNAL_KINDS, in_words
from prme.model.assertion import AssertionState, AssertionStatus, ClosedClaim
from prme.model.change import Change
from prme.model.node import Node
from prme.model.relation import How

STATES: Mapping[AssertionStatus, str] = {
    "unknown": "nothing is known to hold",
    "single": "one value, said once",
    "consistent": "one value, said more than once",
    "multiple": "several values hold",
    "contested": "contested: contradicted, or denied as well",
}
HOW: Mapping[How, str] = {"rule": "by a rule", "explicit": "by hand"}


def state_page(state: AssertionState) -> RenderableType:
    """Return what is known of one subject and predicate."""
    parts: list[RenderableType] = [heading(f"{state.status}: {STATES[state.status]}")]
    for title, nodes in (("Holds", state.claims), ("Denied", state.denied), ("Uncertain", state.uncertain)):
        parts += section(title, map(_claim, nodes))
    return page([*parts, *section("Closed", map(_closed, state.closed))])


def _claim(node: Node) -> RenderableType:
    known = [node_statement(node), *reservations(None, node.epistemic_type, node.condition)]
    if node.status == "contested":
        known.append("contested")
    return line(f"{', '.join(known)}, in effect {held(node.valid_from, node.valid_to)}, claim {node.id}")


def _closed(entry: ClosedClaim) -> RenderableType:
    node = entry.claim
    closer = "" if entry.closed_by is None else f" {entry.closed_by}"
    how = f"closed {HOW[entry.how]}{closer}"
    return line(f"{node_statement(node)}, in effect {held(node.valid_from, node.valid_to)}; {how}, claim {node.id}")


def changes_page(changes: Sequence[Change]) -> RenderableType:
    """Return journal entries as a table, and the cursor that leads to what follows."""
    if not changes:
        return line("no changes", level=0)
    columns = ("Recorded", "Owner", "What", "Changed")
    return page(
        [
            table(columns, _rows(changes), whole=("Recorded",)),
            line(f"go on with --after {changes[-1].cursor}", level=0),
        ]
    )


def _rows(changes: Iterable[Change]) -> Iterator[Sequence[str]]:
    for change in changes:
        counts = (("retired", change.retired), ("reopened", change.reopened), ("revised", change.revised))
        changed = ", ".join(f"{len(found)} {what}" for what, found in counts if found)
        yield second(change.recorded_at), safe_text(change.user_id), in_words(JOURNAL_KINDS, change.kind), changed
