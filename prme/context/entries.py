"""What a context may show: current, uncontested claims, and notes if they are wanted, with who said "I" in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from prme.context.request import MOST_ENTRIES, ContextRequest
from prme.grounding.mentions import FIRST_PERSON
from prme.model.node import Node, NodeType
from prme.store.database import Reader
from prme.store.newest import newest_current
from prme.store.nodes import find_claims, owner_nodes
from prme.store.owners import find_owner
from prme.store.records import find_events
from prme.text_folding import fold_text


@dataclass(frozen=True, slots=True)
class Entry:
    """A note or claim that a context may show.

    `mentions_retired`: its words also state something that was retired. `speaker` is the name of who said them, as far
    as a line needs it: of notes, and of claims about somebody who says I.
    """

    node: Node
    mentions_retired: bool = False
    speaker: str | None = None


def newest_entries(reader: Reader, request: ContextRequest) -> tuple[list[Entry], int]:
    """Return what a context of an owner may show, the newest first: by effective time, then by id.

    At most `MOST_ENTRIES`; the number is how many there are in all.
    """
    owner_key = find_owner(reader, request.user_id)
    if owner_key is None:
        return [], 0
    if request.notes:
        entries = _all_entries(reader, owner_key, request)
        return entries[:MOST_ENTRIES], len(entries)
    wanted, total = newest_current(reader, owner_key, request.scope, limit=MOST_ENTRIES)
    claims = find_claims(reader, owner_key, request.user_id, wanted)
    return [Entry(claims[claim_id]) for claim_id in wanted], total


def _all_entries(reader: Reader, owner_key: int, request: ContextRequest) -> list[Entry]:
    """Return notes and claims, the newest first; which words were retired is known once all claims are read."""
    nodes = owner_nodes(reader, owner_key, request.user_id)
    beside_retired = {node.event_id for node in nodes if _is_claim(node) and node.valid_to is not None}
    shown = [node for node in nodes if _is_shown(node) and request.scope in (None, node.scope)]
    shown.sort(key=lambda node: node.id)
    shown.sort(key=lambda node: node.valid_from, reverse=True)
    return [Entry(node, mentions_retired=node.event_id in beside_retired) for node in shown]


def with_speakers(reader: Reader, user_id: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with the speakers that they need; events are immutable, so any snapshot will do."""
    owner_key = find_owner(reader, user_id)
    wanted = sorted({entry.node.event_id for entry in entries if not _is_claim(entry.node) or says_i(entry.node)})
    if owner_key is None or not wanted:
        return list(entries)
    speakers = {key: stored.event.speaker for key, stored in find_events(reader, owner_key, wanted).items()}
    return [replace(entry, speaker=speakers.get(entry.node.event_id)) for entry in entries]


def says_i(node: Node) -> bool:
    """Whether a claim's subject is a first-person form."""
    return node.subject is not None and fold_text(node.subject) in FIRST_PERSON


def _is_claim(node: Node) -> bool:
    return node.node_type is not NodeType.NOTE


def _is_shown(node: Node) -> bool:
    return node.status == "current" and node.valid_to is None
