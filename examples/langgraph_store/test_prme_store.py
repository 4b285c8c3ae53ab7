"""The store through LangGraph's own interface."""

from __future__ import annotations

import asyncio

import pytest
from prme_store import PrmeStore

from prme import MemoryClient, MessageConflictError

SAM = ("memories", "sam")


@pytest.fixture
def store():
    with MemoryClient(":memory:") as memory:
        yield PrmeStore(memory)


def put(store: PrmeStore, *texts: str) -> None:
    for number, text in enumerate(texts):
        store.put(SAM, f"m{number}", {"text": text})


def test_what_was_put_is_found_as_a_claim(store: PrmeStore):
    put(store, "I use an insulin pump.", "I ride a road bike.")
    (item,) = store.search(SAM, query="pump")

    assert (item.value["predicate"], item.value["object"]) == ("uses", "insulin pump")
    assert item.value["text"] == "I use an insulin pump."
    assert store.get(SAM, item.key).value == item.value


def test_what_is_over_is_not_found(store: PrmeStore):
    put(store, "I use an insulin pump.", "I don't use an insulin pump anymore.")

    assert [item.value["polarity"] for item in store.search(SAM, query="insulin pump")] == ["negative"]


def test_without_a_query_the_newest_come_first(store: PrmeStore):
    put(store, "I use Figma.", "I use Trello.", "I use Vim.")
    found = store.search(SAM, limit=2)

    assert [item.value["object"] for item in found] == ["Vim", "Trello"]
    assert [item.value["object"] for item in store.search(SAM, limit=2, offset=2)] == ["Figma"]


def test_a_filter_compares_what_a_claim_says(store: PrmeStore):
    put(store, "I use Figma.", "I ride a road bike.")

    assert [item.value["object"] for item in store.search(SAM, filter={"predicate": "rides"})] == ["road bike"]
    with pytest.raises(ValueError, match="equality"):
        store.search(SAM, filter={"predicate": {"$ne": "rides"}})


def test_owners_are_apart(store: PrmeStore):
    put(store, "I use Figma.")
    (item,) = store.search(SAM)

    assert store.search(("memories", "kim")) == []
    assert store.get(("memories", "kim"), item.key) is None


def test_the_same_put_again_changes_nothing_and_another_under_its_key_is_refused(store: PrmeStore):
    put(store, "I use Figma.")
    put(store, "I use Figma.")

    assert len(store.search(SAM)) == 1
    with pytest.raises(MessageConflictError):
        put(store, "I use Trello.")


def test_what_a_memory_does_not_do_is_refused(store: PrmeStore):
    with pytest.raises(ValueError, match="deletes nothing"):
        store.delete(SAM, "m0")
    with pytest.raises(ValueError, match="what was said"):
        store.put(SAM, "m0", {"rating": 5})
    with pytest.raises(ValueError, match="owners"):
        store.list_namespaces()


def test_it_works_from_asynchronous_programs(store: PrmeStore):
    async def session() -> list[str]:
        await store.aput(SAM, "m0", {"text": "I use Figma."})
        return [item.value["object"] for item in await store.asearch(SAM, query="Figma")]

    assert asyncio.run(session()) == ["Figma"]
