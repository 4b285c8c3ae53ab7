"""What asking costs reaches whoever asked, and nobody else."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from prme.extraction.spending import Spending, counted_spending, record_call, record_usage
from prme.model.extractor_run import ModelUsage

USAGE = ModelUsage(input_tokens=100, output_tokens=20, cached_tokens=50)
counts = st.integers(0, 10**6)


def test_calls_and_tokens_are_added_up():
    with counted_spending() as spending:
        for _ in range(2):
            record_call()
            record_usage(USAGE)

    assert (spending, spending.tokens) == (Spending(2, 200, 40, 100), 240)


def test_where_nobody_counts_nothing_happens():
    record_call()
    record_usage(USAGE)
    with counted_spending() as spending:
        pass

    assert spending == Spending()


def test_what_a_started_task_spends_counts_as_well():
    async def session() -> Spending:
        with counted_spending() as spending:
            await asyncio.gather(*(asyncio.create_task(spend()) for _ in range(3)))
        return spending

    async def spend() -> None:
        record_usage(USAGE)

    assert asyncio.run(session()).input_tokens == 300


def test_two_questions_at_once_are_counted_apart():
    async def question(times: int) -> Spending:
        with counted_spending() as spending:
            for _ in range(times):
                record_usage(USAGE)
                await asyncio.sleep(0)
        return spending

    async def session() -> list[Spending]:
        return await asyncio.gather(question(1), question(3))

    assert [spending.output_tokens for spending in asyncio.run(session())] == [20, 60]


@given(st.builds(Spending, counts, counts, counts, counts), st.integers(1, 50))
def test_the_shares_of_a_total_add_up_to_it(total: Spending, parts: int):
    shares = total.shares(parts)

    assert len(shares) == parts
    assert sum(shares, Spending()) == total
    assert max(share.tokens for share in shares) - min(share.tokens for share in shares) <= 2
