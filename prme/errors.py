"""Every exception of prme, in one tree.

    PrmeError
    ├── InvalidMessageError (ValueError)      a message was refused, nothing was stored
    │   ├── SpeakerError                      speaker or first_person_owner cannot be used as passed
    │   └── ReservedMetadataError             metadata uses a key that belongs to prme
    ├── MessageConflictError                  a message_id is taken by a different message
    ├── ExtractionError                       an extractor gave no usable answer
    ├── PlanError
    │   ├── PlanCorruptError                  the bytes are not what was saved
    │   ├── UnsupportedPlanError              written under a format or policy this release does not know
    │   └── PlanNotFoundError                 the event has no published plan here
    ├── NodeNotFoundError (LookupError)       no such note or claim for this caller
    ├── ConflictError (ValueError)            a decision contradicts the stored state
    ├── StoreError
    │   ├── StoreLockedError                  another process or client holds the store
    │   ├── StoreBusyError                    more writes wait than the store can take
    │   ├── StoreVersionError                 the store was written by a newer release
    │   └── StoreCorruptError                 the store is damaged or older than its anchor
    └── UnknownExtractorError                 no extractor of that name is installed

Messages never carry SQL, keys, message text or ids of other owners.
"""

from __future__ import annotations


class PrmeError(Exception):
    """Root of every error that prme raises on purpose."""


class InvalidMessageError(PrmeError, ValueError):
    """A message was refused before anything was stored."""


class SpeakerError(InvalidMessageError):
    """`speaker` or `first_person_owner` cannot be used as passed (003-40 to 003-46)."""


class ReservedMetadataError(InvalidMessageError):
    """Metadata carries a key that belongs to prme (003-48)."""


class MessageConflictError(PrmeError):
    """A `message_id` was used before for a message that differs."""


class ExtractionError(PrmeError):
    """An extractor gave no usable answer.

    `reason_code` is a short stable word that is safe to store and log; `event_id` names the stored event, if any.
    """

    def __init__(self, message: str, *, reason_code: str, event_id: str | None = None) -> None:
        super().__init__(message)
        self.reason_code = reason_code
        self.event_id = event_id


class PlanError(PrmeError):
    """A saved plan cannot be used."""


class PlanCorruptError(PlanError):
    """The bytes of a plan are not the bytes that were saved."""


class UnsupportedPlanError(PlanError):
    """A plan was written under a format or policy that this release does not know (003-56)."""


class PlanNotFoundError(PlanError):
    """The event has no published plan, or is unknown to this caller."""


class NodeNotFoundError(PrmeError, LookupError):
    """No such note or claim; unknown, malformed and foreign ids read the same."""


class ConflictError(PrmeError, ValueError):
    """An explicit decision contradicts the stored state."""


class StoreError(PrmeError):
    """The store cannot do what was asked."""


class StoreLockedError(StoreError):
    """Another process, or another client of this process, holds the store."""


class StoreBusyError(StoreError):
    """More writes wait for the store than it can take; nothing of this one was stored."""


class StoreVersionError(StoreError):
    """The store was written by a newer release of prme."""


class StoreCorruptError(StoreError):
    """The store is damaged, or older than its own anchor."""


class UnknownExtractorError(PrmeError):
    """No extractor of that name is installed."""
