"""A context shows what holds: current and uncontested claims of one owner, ranked as retrieve ranks them."""

from __future__ import annotations

import asyncio
import copy
import pickle
from typing import Any

import pytest

from prme import Context, MemoryClient, MemoryEngine
from tests.engine.conversation import SettableClock
from tests.retrieval.talking import OWNER, Simple, say


def lines(made: Context) -> list[str]:
    return [line for line in made.splitlines() if line.startswith("- ")]


def test_a_claim_is_shown_with_its_date_and_id(memory: MemoryClient):
    (claim,) = say(memory, "I use Vim.")

    assert [f'- 2031-04-01: the user use "Vim" [{claim}]'] == lines(memory.context("vim", "sam"))


def test_a_closed_claim_is_never_shown(memory: MemoryClient):
    (claim,) = say(memory, "I use Vim.")
    before = memory.context("vim", "sam")
    (denial,) = say(memory, "I don't use Vim anymore.")
    after = memory.context("vim", "sam")

    assert ((claim,), (denial,)) == (before.node_ids, after.node_ids)
    assert claim not in after


def test_a_denied_claim_is_shown_as_denied(memory: MemoryClient):
    say(memory, "I don't use Vim anymore.")

    assert " (denied): the user use " in memory.context("vim", "sam")


def test_contested_claims_are_left_out(memory: MemoryClient):
    a, b = say(memory, "I use Vim.", "I use Emacs.")
    before = memory.context("", "sam").node_ids
    memory.contradict(a, b)

    assert ({a, b}, ()) == (set(before), memory.context("", "sam").node_ids)
    assert "" == memory.context("vim", "sam")


def test_what_only_repeats_a_claim_is_not_shown_again(memory: MemoryClient):
    claim, _ = say(memory, "I use Vim.", "I use Vim.")

    assert (claim,) == memory.context("vim", "sam").node_ids == memory.context("", "sam").node_ids


def test_the_order_is_that_of_retrieve(memory: MemoryClient):
    say(memory, "I use a red pen.", "I use a blue pen.", "I like pen pals.", "I ride a bike.")
    found = memory.retrieve("blue pen", user_id="sam", exclude_node_types=["NOTE"])

    assert [hit.node.id for hit in found] == list(memory.context("blue pen", "sam").node_ids)


def test_a_blank_query_shows_the_newest_first(memory: MemoryClient, clock: SettableClock):
    (older,) = say(memory, "I use Vim.")
    clock.advance(days=1)
    (newer,) = say(memory, "I use Emacs.")

    assert (newer, older) == memory.context(" ", "sam").node_ids


def test_a_query_that_matches_nothing_gives_an_empty_text(memory: MemoryClient):
    say(memory, "I use Vim.")

    assert ("", 0, (), 0) == seen(memory.context("tractor", "sam"))


def seen(made: Context) -> tuple[Any, ...]:
    return str(made), made.tokens, made.node_ids, made.left_out


def test_another_owner_has_no_part_in_it(memory: MemoryClient):
    say(memory, "I use Vim.", user_id="kim")

    assert ["", ""] == [memory.context(query, "sam") for query in ("vim", "")]


def test_only_the_scope_that_was_asked_for_is_shown(memory: MemoryClient):
    say(memory, "I use Vim.")
    (at_work,) = say(memory, "I use Vim.", scope="work")

    for query in ("vim", ""):
        assert (at_work,) == memory.context(query, "sam", scope="work").node_ids


def test_a_retired_value_in_the_same_sentence_is_not_shown(memory: MemoryClient):
    say(memory, "I use Vim.\nI use Emacs.")
    say(memory, "I don't use Emacs anymore.")
    shown = [line for line in lines(memory.context("", "sam")) if "denied" not in line]

    assert ["Vim"] == [line.split('"')[1] for line in shown]


def test_messages_are_left_out_unless_asked_for(memory: MemoryClient):
    say(memory, "I use Vim.")

    for query in ("vim", ""):
        assert "message" not in memory.context(query, "sam")
        assert 'message "I use Vim."' in memory.context(query, "sam", notes=True)


def test_a_message_that_states_something_retired_says_so(memory: MemoryClient):
    say(memory, "I use Vim.")
    before = [memory.context(query, "sam", notes=True) for query in ("vim", "")]
    say(memory, "I don't use Vim anymore.")
    after = [memory.context(query, "sam", notes=True) for query in ("vim", "")]

    assert [0, 0] == [text.count("something in it holds no longer") for text in before]
    assert [1, 1] == [text.count("(something in it holds no longer): message") for text in after]


def test_a_superseded_message_is_not_shown(memory: MemoryClient):
    memory.store("The code is 1.", **OWNER)
    (first,) = memory.context("", "sam", notes=True).node_ids
    memory.store("The code is 2.", **OWNER, supersedes=first)

    assert first not in memory.context("", "sam", notes=True)


def test_a_message_names_its_speaker(memory: MemoryClient):
    memory.store("The code is 1.", user_id="sam", speaker="Ines")

    assert ' (said by "Ines"): message "The code is 1."' in memory.context("code", "sam", notes=True)


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({"first_person_owner": True}, "the user"),
        ({"speaker": "Ines"}, '"Ines"'),
        ({}, "an unnamed speaker"),
        ({"role": "assistant"}, "the assistant"),
        ({"role": "tool"}, "a tool"),
    ],
    ids=["owner", "speaker", "unnamed", "assistant", "tool"],
)
def test_who_says_i_is_named(memory: MemoryClient, fields: dict[str, Any], subject: str):
    memory.ingest("I use Vim.", user_id="sam", **fields)
    (line,) = lines(memory.context("", "sam"))

    assert f': {subject} use "Vim" ' in line


def test_what_the_assistant_said_is_marked(memory: MemoryClient):
    memory.ingest("I use Vim.", user_id="sam", role="assistant")

    assert "(said by the assistant)" in memory.context("", "sam")


def test_the_same_memory_gives_the_same_text(memory: MemoryClient):
    say(memory, *(f"I use tool {number}." for number in range(20)))

    assert [memory.context("tool", "sam")] * 3 == [memory.context("tool", "sam") for _ in range(3)]


def test_both_fronts_give_the_same(tmp_path, clock: SettableClock):
    async def made() -> Context:
        async with MemoryEngine(tmp_path, extractor=Simple(), clock=clock) as engine:
            await engine.ingest("I use Vim.", **OWNER)
            return await engine.context("vim", "sam", 500, scope="personal", notes=True)

    other = asyncio.run(made())
    with MemoryClient(tmp_path, extractor=Simple(), clock=clock) as memory:
        assert seen(other) == seen(memory.context("vim", user_id="sam", budget=500, scope="personal", notes=True))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_a_copy_keeps_what_the_text_lacks(memory: MemoryClient, copied: Any):
    say(memory, "I use Vim.")
    made = memory.context("vim", "sam")

    assert seen(made) == seen(copied(made))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"query": None}, "query must be a text"),
        ({"query": "half \ud800"}, "query has a lone surrogate"),
        ({"user_id": " "}, "user_id is blank"),
        ({"budget": 0}, "budget must be a whole number from 1 to 1,000,000"),
        ({"budget": True}, "budget must be"),
        ({"budget": 10.0}, "budget must be"),
        ({"scope": "Not A Scope"}, "scope must be"),
        ({"notes": 1}, "notes must be True or False"),
        ({"count": 4}, "count must be a function"),
    ],
    ids=["query", "surrogate", "owner", "none", "flag", "float", "scope", "notes", "count"],
)
def test_what_cannot_be_asked_is_an_error_that_names_the_argument(
    memory: MemoryClient, arguments: dict[str, Any], says: str
):
    with pytest.raises(ValueError, match=says):
        memory.context(**{"query": "vim", "user_id": "sam", **arguments})
