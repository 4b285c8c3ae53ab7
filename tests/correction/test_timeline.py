"""A timeline answers as a sorted list does, and leaves the one that it was made of as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.correction.timeline import EMPTY_TIMELINE, LONGEST_CHUNK, Key, Timeline
from tests.correction.claims import at

SEVERAL_CHUNKS = 3 * LONGEST_CHUNK + 1


def key(day: float, position: int = 0) -> Key:
    return (at(day), at(0), position)


def timeline(*days: float) -> Timeline:
    made = EMPTY_TIMELINE
    for day in days:
        made = made.add(key(day), f"{day}")
    return made


@given(
    arrived=st.permutations(range(SEVERAL_CHUNKS)),
    removed=st.sets(st.integers(0, SEVERAL_CHUNKS - 1)),
    place=st.integers(-1, SEVERAL_CHUNKS),
)
def test_whatever_was_added_and_removed_it_answers_as_a_sorted_list_does(
    arrived: list[int], removed: set[int], place: int
):
    made = timeline(*arrived)
    for day in removed:
        made = made.remove(key(day), f"{day}")
    left = sorted(set(arrived) - removed)

    assert list(made.after(key(place))) == [f"{day}" for day in left if day > place]
    assert list(made.back_from(key(place))) == [f"{day}" for day in reversed(left) if day <= place]
    assert list(made.latest_first()) == [f"{day}" for day in reversed(left)]


@pytest.mark.parametrize("days", [range(SEVERAL_CHUNKS), range(SEVERAL_CHUNKS, 0, -1)])
def test_a_chunk_is_never_longer_than_it_may_be(days: range):
    chunks = timeline(*days).chunks

    assert sum(map(len, chunks)) == SEVERAL_CHUNKS
    assert all(0 < len(chunk) <= LONGEST_CHUNK for chunk in chunks)


def test_ids_at_one_key_are_all_kept():
    made = EMPTY_TIMELINE.add(key(1), "b").add(key(1), "a")

    assert list(made.back_from(key(1))) == ["b", "a"]
    assert list(made.remove(key(1), "b").after(key(0))) == ["a"]


def test_an_earlier_timeline_stays_as_it_was():
    before = timeline(1, 3)
    before.add(key(2), "2")
    before.remove(key(1), "1")

    assert list(before.after(key(0))) == ["1", "3"]
