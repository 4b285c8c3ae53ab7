"""Who calls: the name under which a client's decisions are journaled."""

from __future__ import annotations

from prme.message import MAX_ID_CHARACTERS, checked_actor

PREFIX = "mcp:"
UNNAMED = "unknown"


def actor_of(client_name: str | None) -> str:
    """Return the actor of a client: `mcp:` and its own name, with what a name may not have replaced by `_`."""
    name = (client_name or "").strip()
    visible = "".join(mark if mark.isprintable() else "_" for mark in name)[: MAX_ID_CHARACTERS - len(PREFIX)]
    return checked_actor(f"{PREFIX}{visible or UNNAMED}")
