from __future__ import annotations

from prme.store.rows import RowBatch


def test_rows_stay_in_the_order_they_were_added():
    batch = RowBatch()
    batch.add("events", (1,), (2,))
    batch.add("events", (3,))

    assert {"events": [(1,), (2,), (3,)]} == batch.tables


def test_adding_no_rows_names_no_table():
    batch = RowBatch()
    batch.add("events")

    assert {} == batch.tables


def test_batches_are_joined_in_order_and_left_as_they_were():
    first, second, joined = RowBatch(), RowBatch(), RowBatch()
    first.add("events", (1,))
    second.add("events", (2,))
    second.add("claims", (9,))

    joined.extend([first, second])

    assert {"events": [(1,), (2,)], "claims": [(9,)]} == joined.tables
    assert {"events": [(1,)]} == first.tables
