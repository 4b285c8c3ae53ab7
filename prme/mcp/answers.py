"""What tools answer where the engine's own value does not say it all."""

from __future__ import annotations

from prme.model.retrieval import Hit
from prme.model.value import Value

GUIDE = (
    "If something here contradicts the live system or what the user says now: check the real thing first, then correct "
    "the memory with memory_ingest or memory_supersede, and say that you did. Never leave a memory that you know to be "
    "false, and never work around it."
)


class Stored(Value):
    """A stored note: `event_id` can be evidence for a decision, `note_id` can replace or be replaced."""

    event_id: str
    note_id: str


class Found(Value):
    """The hits of a search, best first, and how many more rows had the words, by the reason they were left out.

    No hits and nothing excluded: nobody ever said it. No hits and something superseded or deprecated: it was said, and
    holds no longer. `guide` is what to do about a hit that is wrong.
    """

    guide: str = GUIDE
    hits: list[Hit]
    excluded: dict[str, int]
