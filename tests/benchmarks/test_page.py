"""The page says what is measured: the budgets, the sizes and the names are those of the benchmarks."""

from __future__ import annotations

from benchmarks.budgets import BUDGETS
from benchmarks.sizes import FULL, SIZES
from tests.docs.pages import ROOT, Table, codes, plain, tables_of

PAGE = ROOT / "docs" / "performance.md"


def table(first_column: str) -> Table:
    (found,) = [table for table in tables_of(PAGE) if table.columns[0] == first_column]
    return found


def test_the_page_lists_every_budget_and_its_target():
    listed = [(codes(row[0])[0], plain(row[-1])) for row in table("Budget").rows]

    assert [(name, str(budget)) for name, budget in BUDGETS.items()] == listed


def test_the_page_lists_the_sizes():
    expected = [
        (
            size.name,
            ", ".join(f"{claims:,}" for claims in size.one_owner),
            ", ".join(f"{claims:,}" for claims in size.one_store),
            f"{size.replay_owners * size.replay_turns:,}",
        )
        for size in SIZES.values()
    ]

    assert expected == [tuple(plain(cell) for cell in row) for row in table("Size").rows]


def test_the_full_size_is_the_one_that_the_budgets_are_meant_for():
    assert (FULL.one_owner[0], FULL.one_owner[-1], FULL.one_store[-1]) == (1_000, 100_000, 1_000_000)
    assert (FULL.late_claims, FULL.clients, FULL.open_claims) == (20_000, 32, (1_000, 100_000))
    assert (FULL.state_claims, FULL.state_values) == (100_000, 50)
