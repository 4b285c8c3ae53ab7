"""What the writer remembers of owners between messages: the least recently used are forgotten first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from prme.publication.publish import OwnerState

# Each owner, however little is known of it, takes about as much memory as one claim; so do some event ids.
OWNER_WEIGHT = 1
EVENT_IDS_PER_CLAIM = 16


@dataclass(slots=True)
class CachedOwner:
    """An owner as the last commit left it; `event_ids` are all its events, None as long as nobody asked."""

    state: OwnerState
    event_ids: set[str] | None = None
    claims: int = 0

    @property
    def weight(self) -> int:
        """About how many claims take as much memory."""
        return OWNER_WEIGHT + self.claims + len(self.event_ids or ()) // EVENT_IDS_PER_CLAIM


class OwnerCache:
    """Owners as committed, with no more than so many claims together; the owner used last always stays."""

    def __init__(self, most_claims: int) -> None:
        self._most_claims = most_claims
        self._owners: OrderedDict[str, CachedOwner] = OrderedDict()
        self.weight = 0

    def __len__(self) -> int:
        return len(self._owners)

    def get(self, user_id: str) -> CachedOwner | None:
        """Return what is remembered of an owner, or None."""
        return self._owners.get(user_id)

    def keep(
        self, state: OwnerState, *, event_ids: set[str] | None, new_events: Iterable[str], new_claims: int
    ) -> None:
        """Remember an owner after a commit: its state, its event ids if somebody read them, and what it gained."""
        known = self._owners.pop(state.user_id, None)
        claims = new_claims
        if known is not None:
            self.weight -= known.weight
            claims += known.claims
            event_ids = event_ids if known.event_ids is None else known.event_ids
        if event_ids is not None:
            event_ids.update(new_events)
        kept = CachedOwner(state, event_ids, claims)
        self._owners[state.user_id] = kept
        self.weight += kept.weight
        while self.weight > self._most_claims and len(self._owners) > 1:
            _, oldest = self._owners.popitem(last=False)
            self.weight -= oldest.weight

    def forget(self, user_id: str) -> None:
        """Forget an owner: the next message reads it from the store again."""
        known = self._owners.pop(user_id, None)
        if known is not None:
            self.weight -= known.weight

    def clear(self) -> None:
        """Forget all owners."""
        self._owners.clear()
        self.weight = 0
