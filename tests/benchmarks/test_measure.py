"""Steps take turns, and what is said of many measurements is true of them."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from benchmarks.budgets import Budget
from benchmarks.contestant import Contestant
from benchmarks.measure import ENOUGH_ROUNDS, Spread, Timing, interleaved


def test_all_steps_take_turns_and_each_comes_first_as_often():
    taken: list[str] = []

    def step(name: str):
        return lambda number: taken.append(f"{name}{number}") or Timing(0.0, 0.0)

    interleaved({"a": step("a"), "b": step("b")}, range(3))

    assert taken == ["a0", "b0", "b1", "a1", "a2", "b2"]


def test_a_step_without_end_is_given_up_after_enough_rounds():
    found = interleaved({"a": lambda _: Timing(0.0, 0.0)}, range(1_000_000), patience=0)

    assert len(found["a"]) == ENOUGH_ROUNDS


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (range(1, 101), (50.5, 10, 90, 95)),
        ([3.0], (3, 3, 3, 3)),
        ([2.0, 1.0], (1.5, 1, 2, 2)),
    ],
)
def test_a_spread_names_what_so_many_measurements_stay_below(values, expected):
    spread = Spread.of(values)

    assert expected == (spread.median, spread.p10, spread.p90, spread.p95)


@pytest.mark.parametrize(("bound", "met"), [("at most", [True, True, False]), ("at least", [False, True, True])])
def test_a_budget_is_kept_up_to_its_bound(bound, met):
    budget = Budget("anything", "ratio", bound, 2)

    assert met == [budget.is_met(amount) for amount in (1.9, 2.0, 2.1)]


@contextmanager
def failing():
    def fail(_: int) -> None:
        raise ValueError("broken on purpose")

    yield fail


def test_a_process_that_breaks_ends_the_benchmark():
    contestant = Contestant(failing)
    try:
        with pytest.raises(RuntimeError, match="ended early"):
            contestant.step(0)
    finally:
        contestant.stop()
