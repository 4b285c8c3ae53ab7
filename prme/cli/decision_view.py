"""The page of an explicit decision: what was decided, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme.cli.layout import heading, line, page
from prme.cli.phrasing import node_statement
from prme.cli.safe_text import quoted, safe_text
from prme.explanation.wording import minute
from prme.model.decision import DecisionKind
from prme.model.node import Node, NodeType
from prme.model.receipt import DecisionReceipt

DECIDED: Mapping[DecisionKind, str] = {
    "supersede": "Superseded",
    "contradict": "Contested, each by the other",
    "resolve": "Resolved: closed without a successor",
}
SIDES: Mapping[DecisionKind, tuple[str, str]] = {
    "supersede": ("closed", "by"),
    "contradict": ("this", "and"),
    "resolve": ("closed", "stands"),
}


def decision_page(receipt: DecisionReceipt, nodes: Mapping[str, Node]) -> RenderableType:
    """Return what a decision did; `nodes` are those that it names, as they are now."""
    done = "" if receipt.status == "applied" else " before, nothing was changed now"
    parts = [heading(f"{DECIDED[receipt.kind]}{done}")]
    for side, node_id in zip(SIDES[receipt.kind], (receipt.old_id, receipt.new_id), strict=True):
        parts.append(line(f"{side}: {_named(nodes[node_id])}"))
    return page([*parts, *_consequences(receipt)])


def _named(node: Node) -> str:
    text = quoted(node.content) if node.node_type is NodeType.NOTE else node_statement(node)
    return f"{text}, {node.node_type.lower()} {node.id}"


def _consequences(receipt: DecisionReceipt) -> Iterator[RenderableType]:
    if receipt.effective_at is not None:
        yield line(f"as of {minute(receipt.effective_at)}")
    evidence = "no evidence named" if receipt.evidence_id is None else f"evidence: message {receipt.evidence_id}"
    yield line(f"decided by {safe_text(receipt.actor)}, {evidence}")
    more = [node_id for node_id in receipt.retired if node_id != receipt.old_id]
    for what, found in (("closed with it", more), ("open again", receipt.reopened)):
        if found:
            yield line(f"{what}: {', '.join(found)}")
    if receipt.open_claims:
        yield line(f"still open, each to be decided by itself: {', '.join(receipt.open_claims)}")
