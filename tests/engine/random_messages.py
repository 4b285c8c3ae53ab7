"""Random messages with their scripted extractions, for walks through the public interface."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from prme import ExtractedClaim, Extraction
from tests.engine.conversation import NOON, Scripted, claim

# Few enough that claims meet, confirm and retire each other.
PREDICATES = ("uses", "uses", "uses", "use", "switched_to")
OBJECTS = ("insulin pump", "patch pump", "pump")
OWNERS = ("sam", "ann")


@dataclass(frozen=True)
class Saying:
    """A message and what an extractor makes of it; `number` makes its text, its id and its time its own."""

    number: int
    owner: str
    day: int
    claims: tuple[ExtractedClaim, ...]

    @property
    def content(self) -> str:
        return f"I note on {', '.join(OBJECTS)} in entry {self.number}."

    @property
    def fields(self) -> dict[str, Any]:
        return {
            "content": self.content,
            "user_id": self.owner,
            "first_person_owner": True,
            "message_id": f"m{self.number}",
            "occurred_at": NOON + timedelta(days=self.day, seconds=self.number),
        }


claims = st.builds(
    claim,
    st.just("I"),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS),
    polarity=st.sampled_from(("positive", "negative")),
    temporal_intent=st.sampled_from((None, "update")),
    replaces_object=st.sampled_from((None, None, *OBJECTS)),
    epistemic_type=st.sampled_from((*["asserted"] * 9, "inferred")),
    kind=st.sampled_from((*["fact"] * 9, "preference")),
)


def sayings(number: st.SearchStrategy[int]) -> st.SearchStrategy[Saying]:
    return st.builds(
        Saying,
        number=number,
        owner=st.sampled_from(OWNERS),
        day=st.integers(-5, 5),
        claims=st.lists(claims, max_size=3).map(tuple),
    )


class Sayings(Scripted):
    """An extractor that knows what every saying given to it means."""

    def __init__(self) -> None:
        super().__init__({})

    def learn(self, *known: Saying) -> None:
        self.script |= {saying.content: Extraction(claims=saying.claims) for saying in known}
