"""One owner's search says nothing of another's: not by a hit, a score, a rank or a count."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from tests.retrieval.talking import client, contents, say, seen

WORDS = st.sampled_from(("tea", "milk", "soap", "bread"))
SENTENCES = st.builds("I {} {} {}.".format, st.sampled_from(("use", "like")), WORDS, WORDS)


def answers(memory: MemoryClient) -> list[object]:
    found = [memory.retrieve(query, user_id="sam") for query in ("tea", "milk soap", "use bread tea", "nothing")]
    return [(seen(each), dict(each.excluded)) for each in found]


@settings(max_examples=25)
@given(own=st.lists(SENTENCES, min_size=1, max_size=5), foreign=st.lists(SENTENCES, min_size=1, max_size=8))
def test_what_others_store_changes_nothing(own: list[str], foreign: list[str]):
    with client() as memory:
        say(memory, *own)
        alone = answers(memory)
        say(memory, *foreign, user_id="ann")
        memory.retrieve("tea", user_id="ann")
        beside = answers(memory)
        memory.rebuild_index()
        rebuilt = answers(memory)

    assert alone == beside == rebuilt


def test_what_the_owner_stores_changes_scores(memory: MemoryClient):
    say(memory, "I use tea.", "I use milk.")
    before = answers(memory)
    say(memory, "I like tea.")

    assert answers(memory) != before


def test_each_owner_finds_its_own(memory: MemoryClient):
    say(memory, "I use black tea.")
    say(memory, "I use green tea.", user_id="ann")

    assert set(contents(memory.retrieve("tea", user_id="sam"))) == {"I use black tea."}
    assert set(contents(memory.retrieve("tea", user_id="ann"))) == {"I use green tea."}
    assert memory.retrieve("green", user_id="sam").excluded == {}


def test_an_owner_may_bear_any_name(memory: MemoryClient):
    names = ["%", "a' or 1=1 --", "words_1", "Zoë", "😀", "x" * 256]
    for name in names:
        say(memory, "I use tea.", user_id=name)

    assert [{hit.node.user_id for hit in memory.retrieve("tea", user_id=name)} for name in names] == [
        {n} for n in names
    ]
