"""A family while claims are put into it: the entries and, always along with them, the lookups that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

from immutables import MapMutation

from prme.correction.family import NO_IDS, Entry, FamilyState, Ids, fold_key
from prme.correction.rulings import Identity, Rulings, claim_identity
from prme.correction.timeline import EMPTY_TIMELINE, Key, Timeline
from prme.model.claim import Claim
from prme.policy.registry import may_be_retired, object_cues

K = TypeVar("K")


class FamilyDraft:
    """The working copy of a family state. The state that it was made of stays as it is."""

    __slots__ = (
        "_aside",
        "_closings",
        "_confirming",
        "_corrections",
        "_ended",
        "_objects",
        "_open",
        "_standing",
        "entries",
        "newest",
        "rulings",
    )

    def __init__(self, state: FamilyState) -> None:
        """Take a state to work on."""
        self.rulings = state.rulings
        self.entries = state.entries.mutate()
        self.newest = state.newest
        self._standing = state.standing.mutate()
        self._ended = state.ended.mutate()
        self._confirming = state.confirming.mutate()
        self._objects = state.objects.mutate()
        self._aside = state.aside.mutate()
        self._corrections = state.corrections.mutate()
        self._open = state.open.mutate()
        self._closings = state.closings

    def finished(self) -> FamilyState:
        """Return the state as it is now; the draft is of no use afterwards."""
        return FamilyState(
            rulings=self.rulings,
            entries=self.entries.finish(),
            newest=self.newest,
            standing=self._standing.finish(),
            ended=self._ended.finish(),
            confirming=self._confirming.finish(),
            objects=self._objects.finish(),
            aside=self._aside.finish(),
            corrections=self._corrections.finish(),
            open=self._open.finish(),
            closings=self._closings,
        )

    def sought(self, cue: str, *, before: Key | None) -> list[Entry]:
        """Return the claims to be met under a cue: those open now, or all that come before a place in the fold."""
        entries = self.entries
        if before is None:
            return [entries[name] for name in self._objects.get(cue, NO_IDS)]
        aside = self._aside.get(cue, EMPTY_TIMELINE).back_from(before)
        known = (entries[name] for name in chain(self._objects.get(cue, NO_IDS), aside))
        return [entry for entry in known if fold_key(entry.claim) < before]

    def equals(self, identity: Identity, *, before: Key | None) -> list[Entry]:
        """Return the claims to be confirmed by an equal one: those open now, or all before a place in the fold."""
        entries = self.entries
        standing = self._standing.get(identity, NO_IDS)
        if before is None:
            return [entries[name] for name in standing]
        known = (entries[name] for name in chain(standing, self._ended.get(identity, NO_IDS)))
        return [entry for entry in known if fold_key(entry.claim) < before]

    def all_equals(self, identity: Identity) -> list[Entry]:
        """Return every claim of an identity."""
        by_state = (self._standing.get(identity, NO_IDS), self._ended.get(identity, NO_IDS))
        names = chain(*by_state, self._confirming.get(identity, NO_IDS))
        return [self.entries[name] for name in names]

    def seekers(self, claim: Claim) -> Iterator[Claim]:
        """Yield the corrections that look where a claim is kept."""
        for cue in object_cues(claim.object_key):
            yield from (self.entries[name].claim for name in self._corrections.get(cue, NO_IDS))

    def put(self, entry: Entry) -> None:
        """Set the entry of a claim, new or known."""
        claim_id = entry.claim.id
        known = self.entries.get(claim_id)
        if known is not None:
            if (known.confirms, known.closing) == (entry.confirms, entry.closing):
                self.entries[claim_id] = entry
                return
            self._shelve(known, present=False)
        else:
            key = fold_key(entry.claim)
            self.newest = key if self.newest is None else max(self.newest, key)
        self.entries[claim_id] = entry
        self._shelve(entry, present=True)

    def seek(self, cue: str, correction_id: str) -> None:
        """Remember that a correction looks for its target under a cue."""
        _add(self._corrections, cue, correction_id)

    def rule(self, rulings: Rulings, concerned: Iterable[Entry]) -> None:
        """Put other rulings in force; `concerned` are all entries that either closes in another way."""
        concerned = list(concerned)
        for entry in concerned:
            self._shelve(entry, present=False)
        self.rulings = rulings
        for entry in concerned:
            self._shelve(entry, present=True)

    def _shelve(self, entry: Entry, *, present: bool) -> None:
        """Add an entry to the lookups that it belongs to as it is now, or remove it from them."""
        claim = entry.claim
        change, change_timeline = (_add, Timeline.add) if present else (_remove, Timeline.remove)
        identity = claim_identity(claim)
        if entry.confirms is not None:
            change(self._confirming, identity, claim.id)
            return
        cues = object_cues(claim.object_key)
        is_open = False
        if self._is_ended(entry):
            change(self._ended, identity, claim.id)
            self._closings = change_timeline(self._closings, self._successor_key(entry), claim.id)
        else:
            change(self._standing, identity, claim.id)
            is_open = may_be_retired(claim)
        if is_open:
            for cue in cues:
                change(self._objects, cue, claim.id)
        lines, places = (self._open, (claim.predicate,)) if is_open else (self._aside, cues)
        for place in places:
            lines[place] = change_timeline(lines.get(place, EMPTY_TIMELINE), fold_key(claim), claim.id)

    def _is_ended(self, entry: Entry) -> bool:
        """Whether no later claim finds an entry open; one that a decision covers is open to what came before that."""
        return entry.closing is not None and self.rulings.cover(entry.claim) is None

    def _successor_key(self, entry: Entry) -> Key:
        assert entry.closing is not None
        return fold_key(self.entries[entry.closing.successor].claim)


def _add(index: MapMutation[K, Ids], place: K, name: str) -> None:
    index[place] = index.get(place, NO_IDS).set(name, None)


def _remove(index: MapMutation[K, Ids], place: K, name: str) -> None:
    left = index[place].delete(name)
    if left:
        index[place] = left
    else:
        del index[place]
