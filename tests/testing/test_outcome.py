"""The text of an outcome: everything that a conversation did, and nothing that differs from run to run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from prme import ExtractedClaim, Extraction, ExtractionRequest, MemoryClient
from prme.errors import ExtractionError
from prme.testing import MemoryClock, memory_outcome


class Scripted:
    """Answers each text with the claims that a test gives it; without any it fails."""

    name = model = "scripted"
    local = True

    def __init__(self) -> None:
        self.claims: dict[str, list[ExtractedClaim]] = {}

    async def extract(self, request: ExtractionRequest) -> Extraction:
        if request.message.content not in self.claims:
            raise ExtractionError("nothing", reason_code="no_answer")
        return Extraction(claims=self.claims[request.message.content])


class Talk:
    """Sam talks, each message on the next day, with the claims that the extractor is to find."""

    def __init__(self, memory: MemoryClient, extractor: Scripted, clock: MemoryClock) -> None:
        self.memory = memory
        self._extractor = extractor
        self._clock = clock

    def say(self, text: str, *claims: ExtractedClaim, **fields: Any) -> list[str]:
        self._extractor.claims[text] = list(claims)
        said = {"user_id": "sam", "first_person_owner": True, **fields}
        receipt = self.memory.ingest(text, **said)
        self._clock.advance(timedelta(days=1))
        return receipt.claims

    def outcome(self, **options: Any) -> str:
        return memory_outcome(self.memory, user_id="sam", **options)

    def lines(self, label: str) -> list[str]:
        """Return the lines of a claim."""
        lines = self.outcome().splitlines()
        (start,) = [number for number, line in enumerate(lines) if line.startswith(f"  {label}  ")]
        end = next((n for n in range(start + 1, len(lines)) if not lines[n].startswith("   ")), len(lines))
        return [line.strip() for line in lines[start:end]]


def states(obj: str, **fields: Any) -> ExtractedClaim:
    return ExtractedClaim(subject="I", predicate="rides", object=obj, polarity="positive", **fields)


def denies(obj: str, **fields: Any) -> ExtractedClaim:
    return ExtractedClaim(
        subject="I", predicate="rides", object=obj, polarity="negative", temporal_intent="update", **fields
    )


@pytest.fixture
def talk() -> Iterator[Talk]:
    extractor, clock = Scripted(), MemoryClock()
    with MemoryClient(":memory:", extractor=extractor, clock=clock) as memory:
        yield Talk(memory, extractor, clock)


def test_an_ambiguous_correction_names_what_it_could_mean_and_its_words(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    talk.say("I ride a mountain bike.", states("mountain bike"))
    talk.say("I don't ride the bike anymore.", denies("bike"))

    assert talk.lines("m3.c1")[3:] == [
        'retired nothing: ambiguous, rule denial, words "bike"',
        "could mean m1.c1",
        "could mean m2.c1",
    ]


def test_a_near_miss_says_what_was_found_and_needed(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    talk.say("I don't ride the scooter anymore.", denies("scooter"))

    assert talk.lines("m2.c1")[-1] == ("near miss m1.c1: object road bike, needed scooter, which would have retired it")


def test_a_claim_that_grounding_keeps_out_stands_in_its_place_with_the_reason(talk: Talk):
    talk.say("Do I ride a road bike? I ride a tandem.", states("road bike"), states("tandem"))

    assert talk.lines("m1.c1") == ["m1.c1  I | rides | road bike: not admitted, question"]
    assert talk.lines("m1.c2")[0] == "m1.c2  I | rides | tandem"


def test_what_grounding_doubts_is_marked_with_the_code(talk: Talk):
    talk.say("Maybe I ride a road bike.", states("road bike"))

    assert talk.lines("m1.c1")[:2] == ["m1.c1  I | rides | road bike (hypothetical)", "grounding changed: modal"]


def test_a_condition_is_shown(talk: Talk):
    talk.say("If it is dry I ride a tandem.", states("tandem", condition="If it is dry", epistemic_type="conditional"))

    assert talk.lines("m1.c1")[:2] == ["m1.c1  I | rides | tandem (conditional)", 'condition "If it is dry"']


def test_a_repetition_confirms(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    talk.say("I still ride a road bike.", states("road bike"))

    assert talk.lines("m2.c1")[1] == "confirms m1.c1"


def test_decisions_by_hand_are_listed_with_their_sides_and_who_made_them(talk: Talk):
    (road,) = talk.say("I ride a road bike.", states("road bike"))
    (tandem,) = talk.say("I ride a tandem.", states("tandem"))
    talk.memory.contradict(tandem, road, user_id="sam")
    talk.memory.resolve_contradiction(tandem, road, user_id="sam", actor_id="support")
    (trike,) = talk.say("I ride a trike.", states("trike"))
    talk.memory.supersede(tandem, trike, user_id="sam")

    assert talk.outcome().split("decided by hand\n")[1].splitlines() == [
        "  contradict: m1.c1 and m2.c1 contradict each other, actor sam",
        "  resolve: m1.c1 closed, m2.c1 stands, actor support",
        "  supersede: m2.c1 superseded by m3.c1, actor sam",
    ]
    assert talk.lines("m1.c1")[1:4] == [
        "deprecated",
        "in effect from m1 to m2",
        "closed by hand: resolve, m2.c1, actor support",
    ]


def test_a_note_that_was_superseded_says_by_what(talk: Talk):
    note = talk.memory.get_event_nodes(talk.memory.store("The code is 1.", user_id="sam"))[0].id
    talk.memory.store("The code is 2.", user_id="sam", supersedes=note)

    assert "  note superseded by m2, in effect from m1 to m2" in talk.outcome().splitlines()
    assert talk.outcome().endswith("  supersede: m1 superseded by m2, actor sam\n")


def test_a_failed_extraction_is_told(talk: Talk):
    talk.memory.ingest("Nobody reads this.", user_id="sam")

    assert "  extraction failed: no_answer" in talk.outcome().splitlines()


def test_a_scope_shows_its_own_messages_under_the_names_they_have_among_all(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    talk.say("I ride a tandem.", states("tandem"), scope="work")
    one, two = (talk.memory.store(text, user_id="sam") for text in ("one", "two"))
    talk.memory.supersede(*(talk.memory.get_event_nodes(event)[0].id for event in (one, two)))

    shown = talk.outcome(scope="work")

    assert shown.startswith("memory of sam, scope work\n\nm2  ")
    assert ("m1  " in shown, "decided by hand" in shown) == (False, False)
    assert ("m1  " in talk.outcome(), "decided by hand" in talk.outcome()) == (True, True)


def test_other_owners_are_no_part_of_it(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    before = talk.outcome()
    talk.say("I ride a tandem.", states("tandem"), user_id="kim")

    assert before == talk.outcome()


def test_a_time_that_is_no_message_is_written_out(talk: Talk):
    talk.say("Since 5 December 2030 I ride a tandem.", states("tandem", temporal_ref="5 December 2030"))

    assert talk.lines("m1.c1")[-2] == "in effect since 2030-12-05 00:00"


def test_of_two_messages_at_one_time_an_interval_names_its_own(talk: Talk):
    noon = datetime(2031, 3, 1, 12, tzinfo=UTC)
    talk.say("I ride a road bike.", states("road bike"), occurred_at=noon)
    talk.say("I ride a tandem.", states("tandem"), occurred_at=noon)

    assert talk.lines("m2.c1")[2] == "in effect since m2"


def test_line_breaks_in_a_message_break_no_line(talk: Talk):
    talk.say("I ride\na tandem.")

    assert talk.outcome().splitlines()[2].startswith('m1  "I ride\\na tandem." (2031-01-01 09:00, user')


def test_equal_conversations_give_equal_texts_whatever_their_ids(talk: Talk):
    talk.say("I ride a road bike.", states("road bike"))
    talk.say("I don't ride the bike anymore.", denies("bike"))
    extractor, clock = Scripted(), MemoryClock()
    with MemoryClient(":memory:", extractor=extractor, clock=clock) as memory:
        other = Talk(memory, extractor, clock)
        other.say("I ride a road bike.", states("road bike"), message_id="a")
        other.say("I don't ride the bike anymore.", denies("bike"), message_id="b")

        assert talk.outcome() == other.outcome()


def test_an_owner_of_whom_nothing_is_stored_has_an_empty_memory(talk: Talk):
    assert memory_outcome(talk.memory, user_id="nobody") == "memory of nobody\n"


@pytest.mark.parametrize("moment", [datetime(2031, 1, 1, tzinfo=UTC).replace(tzinfo=None), None, "2031-01-01"])
def test_a_clock_stands_at_no_time_without_a_zone(moment: Any):
    with pytest.raises(ValueError, match="now must be a datetime"):
        MemoryClock().set(moment)
