"""The page of a claim's history: every version of its interval, and the claims before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import counted, held, node_statement, second
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import STATUSES
from prme.model.history import History, IntervalVersion
from prme.model.node import Node, NodeType
from prme.model.relation import Relation, RelationKind

KINDS: Mapping[RelationKind, str] = {
    "supersedes": "supersedes",
    "conflicts_with": "conflicts with",
    "confirms": "confirms",
}


def history_page(history: History) -> RenderableType:
    """Return what the store said of a note or claim, version by version, oldest first."""
    node = history.node
    title = quoted(node.content) if node.node_type is NodeType.NOTE else node_statement(node)
    parts: list[RenderableType] = [heading(title), *_facts(node)]
    parts += section(counted(len(history.versions), "version"), [_versions(history.versions)])
    parts += section("It retired", chain.from_iterable(map(_named, history.predecessors)))
    parts += section("What came after it", chain.from_iterable(map(_named, history.successors)))
    parts += section("Relations", map(_relation, history.relations))
    return page(parts)


def _facts(node: Node) -> Iterator[RenderableType]:
    yield line(f"{node.node_type.lower()} {node.id}, scope {node.scope}")
    if node.node_type is not NodeType.NOTE:
        yield line(quoted(node.content))


def _versions(versions: Sequence[IntervalVersion]) -> RenderableType:
    return table(("Recorded", "Entry", "The store said"), _rows(versions), level=1, whole=("Recorded",))


def _rows(versions: Iterable[IntervalVersion]) -> Iterator[Sequence[str]]:
    for version in versions:
        said = f"in effect {held(version.valid_from, version.valid_to)}; {STATUSES[version.status]}"
        if version.superseded_by is not None:
            said += f" {version.superseded_by}"
        if version.confirms is not None:
            said += f": {version.confirms}"
        yield second(version.recorded_from), str(version.entry), said


def _named(node: Node) -> Iterator[RenderableType]:
    effect = f"in effect {held(node.valid_from, node.valid_to)}"
    if node.node_type is NodeType.NOTE:
        yield line(f"{quoted(node.content)}, {effect}")
        yield line(f"note {node.id}", level=2)
    else:
        yield line(f"{node_statement(node)}, {effect}")
        yield line(f"{quoted(node.content)}, claim {node.id}", level=2)


def _relation(relation: Relation) -> RenderableType:
    """Return a relation in one line: from, kind, to, and what it rests on."""
    rests = ", ".join(quoted(evidence.quote) for evidence in relation.evidence)
    if relation.how == "explicit":
        rests = f"decided by {safe_text(relation.actor or '')}"
        rests += "" if relation.evidence_id is None else f" on event {relation.evidence_id}"
    state = "" if relation.status == "active" else f", {relation.status}"
    edge = f"{relation.source} {KINDS[relation.kind]} {relation.target}{state}"
    return line(f"{edge}; {rests}, recorded {second(relation.decided_at)}")
