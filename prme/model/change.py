"""Changes: the journal as a feed that caches and views can follow."""

from __future__ import annotations

from datetime import datetime

from prme.model.value import Value


class Change(Value):
    """One journal entry: everything it changed, without its texts.

    `cursor` is opaque: pass that of the last change seen as `after` to get what follows. `nodes` are the notes and
    claims that are new or whose interval changed; `retired`, `reopened` and `revised` are those that were known before.
    `recorded_at` is UTC. Once the body of an entry was erased only its kind, event and time are left.
    """

    cursor: str
    user_id: str
    seq: int
    kind: str
    event_id: str | None
    recorded_at: datetime
    actor: str | None = None
    operation_id: str | None = None
    nodes: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    revised: tuple[str, ...] = ()
