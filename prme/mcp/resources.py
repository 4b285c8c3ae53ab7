"""The resources: a note or claim, and its history, as JSON."""

from __future__ import annotations

import re

from mcp.types import ResourceTemplate

from prme.engine import MemoryEngine
from prme.errors import NodeNotFoundError

JSON = "application/json"
CLAIM = "prme://claims/{id}"
HISTORY = "prme://claims/{id}/history"
TEMPLATES = [
    ResourceTemplate(
        uri_template=CLAIM,
        name="claim",
        title="A note or claim",
        description="A note or claim as it stands, also when it is closed.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        uri_template=HISTORY,
        name="claim_history",
        title="The history of a note or claim",
        description="Every version of the time in which it holds, what it replaced and what replaced it.",
        mime_type=JSON,
    ),
]
_URI = re.compile(r"prme://claims/(?P<id>[^/?#]+)(?P<history>/history)?")


async def resource_text(engine: MemoryEngine, uri: str, user_id: str | None) -> str:
    """Return the JSON behind a URI. Raises `NodeNotFoundError`, also for what is no URI of a resource."""
    asked = _URI.fullmatch(uri)
    if asked is None:
        raise NodeNotFoundError(f"there is no such resource; known are {CLAIM} and {HISTORY}")
    if asked["history"]:
        return (await engine.history(asked["id"], user_id=user_id)).model_dump_json()
    node = await engine.get_node(asked["id"], user_id=user_id, include_superseded=True)
    if node is None:
        raise NodeNotFoundError("no note or claim with this id")
    return node.model_dump_json()
