"""The page of an owner's claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import RenderableType

from prme.cli.layout import line, page, table
from prme.cli.phrasing import counted, day, node_statement, reservations
from prme.cli.safe_text import quoted, safe_text
from prme.model.extraction import Polarity
from prme.model.node import Node

# From this width on every part of a claim has a column of its own.
WIDE = 110
NARROW = 64


def claims_page(nodes: Sequence[Node], *, width: int) -> RenderableType:
    """Return a table of claims in the order given; closed ones say what closed them."""
    if not nodes:
        return line("no claims", level=0)
    known = {node.id: node for node in nodes}
    rows = [_row(node, known, wide=width >= WIDE) for node in nodes]
    columns = ("Since", "Subject", "Predicate", "Object", "Status", "Id") if width >= WIDE else ("Since", "Claim", "Id")
    # On a narrow terminal an id is broken rather than the claim beside it squeezed out.
    whole = ("Since", "Id") if width >= NARROW else ("Since",)
    return page([table(columns, rows, whole=whole), line(counted(len(nodes), "claim"), level=0)])


def _row(node: Node, known: Mapping[str, Node], *, wide: bool) -> list[str]:
    if not wide:
        return [day(node.valid_from), f"{node_statement(node)}\n{_status(node, None, known)}", node.id]
    parts = [safe_text(part or "") for part in (node.subject, node.predicate, node.object)]
    return [day(node.valid_from), *parts, _status(node, node.polarity, known), node.id]


def _status(node: Node, polarity: Polarity | None, known: Mapping[str, Node]) -> str:
    words: list[str] = [node.status, *reservations(polarity, node.epistemic_type, node.condition)]
    status = ", ".join(words)
    if node.valid_to is not None:
        status += f", until {day(node.valid_to)}"
    if node.superseded_by is None:
        return status
    successor = known.get(node.superseded_by)
    return f"{status}, by {node.superseded_by if successor is None else quoted(successor.content, longest=80)}"
