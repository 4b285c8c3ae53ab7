"""Only what holds is found: eligibility comes before ranking, and what was left out is counted by its reason."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient, NodeType, SourceType
from prme.model.retrieval import Retrieval
from tests.engine.conversation import SettableClock, claim, denial, extraction, raw
from tests.retrieval.talking import NOON, OWNER, client, contents, objects, say

CLAIMS: dict[str, Any] = {"user_id": "sam", "exclude_node_types": [NodeType.NOTE]}


def stale(found: Retrieval) -> dict[str, int]:
    """Return what was left out, without the notes that the caller did not want."""
    return {reason: count for reason, count in found.excluded.items() if reason != "node_type"}


def test_a_retired_claim_is_not_found(memory: MemoryClient):
    say(memory, "I use an insulin pump.")
    before = objects(memory.retrieve("insulin pump", **CLAIMS))
    say(memory, "I don't use an insulin pump anymore.")
    after = memory.retrieve("insulin pump", **CLAIMS)

    assert before == ["an insulin pump"]
    assert [(hit.node.object, hit.node.polarity) for hit in after] == [("an insulin pump", "negative")]
    assert stale(after) == {"superseded": 1}


def test_retired_claims_never_take_a_place(memory: MemoryClient):
    for number in range(20):
        say(memory, f"I ride a bike bike bike {number}.", f"I don't ride a bike bike bike {number} anymore.")
    say(memory, *(f"I take the bike to a far away place called {name}." for name in ("Ulm", "Bonn", "Jena")))

    found = memory.retrieve("bike", limit=23, **CLAIMS)

    assert len(found) == 23
    assert {hit.node.status for hit in found} == {"current"}
    assert stale(found) == {"superseded": 20}


def test_a_retired_claim_is_found_when_asked_for_and_labelled(memory: MemoryClient):
    old, new = say(memory, "I use tea.", "I don't use tea anymore.")

    found = {hit.node.id: hit for hit in memory.retrieve("tea", include_superseded=True, **CLAIMS)}

    assert (found[old].historical, found[old].successor) == (True, new)
    assert (found[new].historical, found[new].successor) == (False, None)


def test_without_asking_nothing_historical_is_found(memory: MemoryClient):
    say(memory, "I use tea.", "I don't use tea anymore.")

    assert not any(hit.historical for hit in memory.retrieve("tea", **CLAIMS))


def test_not_found_and_found_but_stale_differ(memory: MemoryClient):
    say(memory, "I use tea.", "I don't use tea anymore.")
    say(memory, "I like milk.")
    (denial,) = (hit.node.id for hit in memory.retrieve("tea", **CLAIMS))
    (milk,) = (hit.node.id for hit in memory.retrieve("milk", **CLAIMS))
    memory.supersede(denial, milk)

    outdated = memory.retrieve("tea", **CLAIMS)
    unknown = memory.retrieve("coffee", **CLAIMS)

    assert (list(outdated), list(unknown)) == ([], [])
    assert (stale(outdated), unknown.excluded) == ({"superseded": 2}, {})


def test_a_confirming_claim_stands_behind_the_one_that_it_confirms(memory: MemoryClient):
    first, again = say(memory, "I use tea.", "I use tea.")
    found = memory.retrieve("tea", limit=1, **CLAIMS)
    everything = memory.retrieve("tea", include_superseded=True, **CLAIMS)

    assert [hit.node.id for hit in found] == [first] == [hit.node.id for hit in everything]
    assert stale(found) == {"confirming": 1} == stale(everything)
    assert memory.get_node(again).status == "confirming"


def test_a_contested_claim_is_labelled(memory: MemoryClient):
    one, other, plain = say(memory, "I use tea.", "I like tea.", "I take tea.")
    memory.contradict(one, other)

    assert {hit.node.id: hit.contested for hit in memory.retrieve("tea", **CLAIMS)} == {
        one: True,
        other: True,
        plain: False,
    }


def test_a_contested_claim_can_be_left_out(memory: MemoryClient):
    one, other, plain = say(memory, "I use tea.", "I like tea.", "I take tea.")
    memory.contradict(one, other)

    found = memory.retrieve("tea", include_contested=False, **CLAIMS)

    assert [hit.node.id for hit in found] == [plain]
    assert stale(found) == {"contested": 2}


def test_a_superseded_note_is_not_found(memory: MemoryClient):
    events = [memory.store(text, user_id="sam") for text in ("Door code 12.", "Door code 34.")]
    old, new = (memory.get_event_nodes(event)[0].id for event in events)
    both = memory.retrieve("door code", user_id="sam")
    memory.supersede(old, new)
    after = memory.retrieve("door code", user_id="sam")

    assert {hit.node.id for hit in both} == {old, new}
    assert [hit.node.id for hit in after] == [new]
    assert after.excluded == {"superseded": 1}


def test_a_deprecated_claim_is_not_found(tmp_path: Path):
    with client(tmp_path) as memory:
        (tea,) = say(memory, "I use tea.")
    # No call closes a claim without a successor yet.
    raw(tmp_path, "update intervals set status = 'deprecated', valid_to = valid_from + 1 where node_id = ?", [tea])

    with client(tmp_path) as memory:
        found = memory.retrieve("tea", **CLAIMS)
        everything = memory.retrieve("tea", include_superseded=True, **CLAIMS)

    assert (list(found), stale(found)) == ([], {"deprecated": 1})
    assert [(hit.historical, hit.successor) for hit in everything] == [(True, None)]


def test_only_the_scope_asked_for_is_searched(memory: MemoryClient):
    say(memory, "I use tea.")
    say(memory, "I like tea.", scope="work")

    work = memory.retrieve("tea", scope="work", **CLAIMS)

    assert ([hit.node.scope for hit in work], work.excluded) == (["work"], {"node_type": 1, "scope": 2})
    assert len(memory.retrieve("tea", **CLAIMS)) == 2


def test_node_types_are_left_out_by_member_or_name(memory: MemoryClient):
    say(memory, "I use tea.")

    assert [hit.node.node_type for hit in memory.retrieve("tea", user_id="sam", exclude_node_types=["FACT"])] == [
        NodeType.NOTE
    ]
    assert [hit.node.node_type for hit in memory.retrieve("tea", **CLAIMS)] == [NodeType.FACT]
    assert len(memory.retrieve("tea", user_id="sam", exclude_node_types=[NodeType.ENTITY])) == 2


def test_only_the_source_types_asked_for_are_found(memory: MemoryClient):
    say(memory, "I use tea.")
    memory.ingest("I like tea.", user_id="sam", role="assistant")

    inferred = memory.retrieve("tea", source_types=[SourceType.SYSTEM_INFERRED], **CLAIMS)

    assert [hit.node.source_type for hit in inferred] == [SourceType.SYSTEM_INFERRED]
    assert inferred.excluded == {"node_type": 2, "source_type": 1}
    assert len(memory.retrieve("tea", **CLAIMS)) == 2
    assert list(memory.retrieve("tea", source_types=[], **CLAIMS)) == []


def test_what_was_in_effect_is_found_at_its_time_and_labelled(memory: MemoryClient):
    day = timedelta(days=1)
    (old,) = say(memory, "I use tea.", occurred_at=NOON)
    (new,) = say(memory, "I don't use tea anymore.", occurred_at=NOON + 2 * day)

    def at(moment: Any) -> list[tuple[str, bool]]:
        return [(hit.node.id, hit.historical) for hit in memory.retrieve("tea", valid_at=moment, **CLAIMS)]

    assert at(NOON - day) == []
    assert at(NOON) == at(NOON + day) == [(old, True)]
    assert at(NOON + 2 * day) == [(new, False)]
    assert memory.retrieve("tea", valid_at=NOON, **CLAIMS).excluded == {"node_type": 2, "not_in_effect": 1}


def test_what_the_store_knew_is_found_as_it_knew_it(memory: MemoryClient, clock: SettableClock):
    (old,) = say(memory, "I use tea.")
    then = clock()
    clock.advance(days=1)
    say(memory, "I don't use tea anymore.", "I like tea with milk.")

    found = memory.retrieve("tea", known_at=then, **CLAIMS)

    assert [(hit.node.id, hit.historical, hit.node.status) for hit in found] == [(old, False, "current")]
    assert found.excluded == {"node_type": 1}
    assert old not in [hit.node.id for hit in memory.retrieve("tea", **CLAIMS)]


def test_both_times_together(memory: MemoryClient, clock: SettableClock):
    day = timedelta(days=1)
    (old,) = say(memory, "I use tea.", occurred_at=NOON - 9 * day)
    then = clock()
    clock.advance(days=1)
    # Said later, about an earlier time: what was believed of that time changes.
    say(memory, "I don't use tea anymore.", occurred_at=NOON - 5 * day)

    def found(**times: Any) -> list[str]:
        return [hit.node.id for hit in memory.retrieve("tea", **times, **CLAIMS)]

    assert old in found(valid_at=NOON - 3 * day, known_at=then)
    assert old not in found(valid_at=NOON - 3 * day)


def test_each_row_is_left_out_for_one_reason(memory: MemoryClient):
    say(memory, "I use tea.", "I don't use tea anymore.", scope="work")

    found = memory.retrieve("tea", scope="personal", **CLAIMS)

    assert found.excluded == {"scope": 4}


def warnings(found: Retrieval) -> dict[str | None, bool]:
    return {hit.node.object: hit.evidence_mentions_retired for hit in found}


def test_a_claim_whose_sentence_is_also_the_evidence_of_a_retired_one_says_so():
    class Twofold:
        local, name, model = True, "twofold", "1"

        async def extract(self, request: Any) -> Any:
            if "anymore" in request.message.content:
                return extraction(denial("I", "uses", "tea"))
            return extraction(claim("I", "uses", "tea"), claim("I", "uses", "milk"), claim("I", "owns", "a cup"))

    with MemoryClient(":memory:", extractor=Twofold(), clock=SettableClock()) as twofold:
        twofold.ingest("I mix tea and milk. I own a cup.", **OWNER)
        before = warnings(twofold.retrieve("tea milk cup", user_id="sam"))
        twofold.ingest("I don't use tea anymore.", **OWNER)
        after = warnings(twofold.retrieve("milk cup", user_id="sam"))
        then = warnings(twofold.retrieve("milk cup", user_id="sam", known_at=NOON))

    assert before == {None: False, "tea": False, "milk": False, "a cup": False}
    assert after == {None: True, "milk": True, "a cup": False}
    assert then == before


def test_an_unknown_owner_finds_nothing(memory: MemoryClient):
    say(memory, "I use tea.")

    found = memory.retrieve("tea", user_id="nobody")

    assert (list(found), found.excluded) == ([], {})


def test_the_limit_bounds_the_hits_and_no_more(memory: MemoryClient):
    say(memory, *(f"I use tea {number}." for number in range(5)))

    assert [len(memory.retrieve("tea", limit=limit, **CLAIMS)) for limit in (1, 4, 5, 1000)] == [1, 4, 5, 5]


@pytest.mark.parametrize("words", ["use", "drink tea use milk"])
def test_hits_are_ordered_by_score_then_newer_then_id(memory: MemoryClient, words: str):
    say(memory, *(f"I use {thing}." for thing in ("tea", "milk", "tea", "tea and milk", "soap")))

    found = memory.retrieve(words, user_id="sam")
    keys = [(-hit.score, -hit.node.valid_from.timestamp(), hit.node.id) for hit in found]

    assert keys == sorted(keys)
    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))
    assert contents(found)
