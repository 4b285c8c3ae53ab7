"""changes: the journal as a feed behind an opaque cursor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import Change, MemoryClient
from tests.decisions.conversation import COFFEE, NO_TEA, TEA, noted, opened, said


@pytest.fixture
def memory() -> Iterator[MemoryClient]:
    with opened() as memory:
        yield memory


def test_every_entry_tells_what_it_changed(memory: MemoryClient):
    tea, denial = said(memory, TEA), said(memory, NO_TEA)

    changes = memory.changes(user_id="sam")

    assert [change.kind for change in changes] == ["NOTE_STORED", "PLAN_PUBLISHED"] * 2
    assert [change.seq for change in changes] == [1, 2, 3, 4]
    assert changes[1].nodes == (tea.id,)
    assert (changes[3].event_id, changes[3].retired) == (denial.event_id, (tea.id,))
    assert set(changes[3].nodes) == {tea.id, denial.id}
    assert {change.actor for change in changes} == {"sam"}


def test_the_cursor_of_the_last_change_leads_to_what_follows(memory: MemoryClient):
    said(memory, TEA)
    seen = memory.changes(user_id="sam")
    assert memory.changes(user_id="sam", after=seen[-1].cursor) == []

    coffee = said(memory, COFFEE)

    assert [change.event_id for change in memory.changes(user_id="sam", after=seen[-1].cursor)] == [coffee.event_id] * 2


@pytest.mark.parametrize("user", ["sam", None])
def test_pages_of_any_size_give_the_same_feed(memory: MemoryClient, user: str | None):
    for number in range(4):
        said(memory, TEA)
        noted(memory, f"note {number}", user_id="ann")
    whole = memory.changes(user_id=user)

    for size in (1, 2, 3, 100):
        pages: list[Change] = []
        while page := memory.changes(user_id=user, after=pages[-1].cursor if pages else None, limit=size):
            pages += page
        assert pages == whole


def test_an_operator_follows_all_owners_in_the_order_committed(memory: MemoryClient):
    said(memory, TEA)
    noted(memory, "theirs", user_id="ann")
    noted(memory, "mine")

    assert [(change.user_id, change.kind) for change in memory.changes()] == [
        ("sam", "NOTE_STORED"),
        ("sam", "PLAN_PUBLISHED"),
        ("ann", "NOTE_STORED"),
        ("sam", "NOTE_STORED"),
    ]


def test_the_feed_of_an_unknown_owner_is_empty(memory: MemoryClient):
    said(memory, TEA)

    assert memory.changes(user_id="nobody") == []


@pytest.mark.parametrize(
    "cursor", ["", "0", "owner:x", "owner:-1", "store:1.1", "owner:1 or 1=1", 7, "owner:" + "9" * 40]
)
def test_another_cursor_is_refused(memory: MemoryClient, cursor: str):
    said(memory, TEA)

    with pytest.raises(ValueError, match="cursor"):
        memory.changes(user_id="sam", after=cursor)


def test_the_cursor_of_one_feed_is_none_of_the_other(memory: MemoryClient):
    said(memory, TEA)

    with pytest.raises(ValueError, match="cursor"):
        memory.changes(after=memory.changes(user_id="sam")[0].cursor)
    with pytest.raises(ValueError, match="cursor"):
        memory.changes(user_id="sam", after=memory.changes()[0].cursor)


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_limit_out_of_range_is_refused(memory: MemoryClient, limit: int):
    with pytest.raises(ValueError, match="limit"):
        memory.changes(limit=limit)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.tuples(st.sampled_from(("sam", "ann")), st.integers(0, 3)), max_size=12))
def test_a_follower_sees_every_change_once_whenever_it_looks(steps: list[tuple[str, int]]):
    followed: list[Change] = []
    with opened() as memory:
        for owner, pages in steps:
            said(memory, TEA, user_id=owner)
            for _ in range(pages):
                followed += memory.changes(after=followed[-1].cursor if followed else None, limit=2)
        followed += memory.changes(after=followed[-1].cursor if followed else None)

        assert followed == memory.changes()
