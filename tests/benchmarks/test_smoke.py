"""Every benchmark runs and reports what it must; how long anything takes is no matter here."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import plots
from benchmarks.budgets import BUDGETS
from benchmarks.command import main
from benchmarks.measure import Spread
from benchmarks.report import Report
from benchmarks.result import Curve, Outcome, Point
from benchmarks.run import BENCHMARKS, run
from benchmarks.sizes import SMOKE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the benchmarks need Linux or macOS")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def report(place: Path) -> Report:
    return run(BENCHMARKS, SMOKE, place, tell=lambda _: None)


def test_every_budget_is_reported_once(report: Report):
    reported = [result.budget for result in report.results if result.budget is not None]

    assert sorted(BUDGETS) == sorted(reported)


def test_every_number_is_positive_and_finite(report: Report):
    numbers = [
        number
        for result in report.results
        for number in (result.amount, result.ratio, result.floor.median, result.value.p10, result.value.p90)
    ]

    assert [] == [number for number in numbers if not (math.isfinite(number) and number > 0)]


def test_the_curves_cover_all_sizes_in_order_and_late(report: Report):
    covered = [(curve.plot, [point.claims for point in curve.points]) for curve in report.curves]

    one_owner, one_store = list(SMOKE.one_owner), list(SMOKE.one_store)
    assert [("claims of one owner", one_owner)] * 2 + [("claims in the store", one_store)] * 2 == covered


def test_no_store_is_left_behind(report: Report, place: Path):
    assert report.results
    assert [] == list(place.iterdir())


def test_the_command_writes_json_and_markdown(tmp_path: Path):
    done = CliRunner().invoke(main, ["install", "--size", "smoke", "--out", str(tmp_path)])

    assert done.exit_code == 0, done.output
    written = json.loads((tmp_path / "smoke.json").read_text(encoding="utf-8"))
    assert [result["budget"] for result in written["results"]] == ["install"]
    assert "installed size without extras" in (tmp_path / "smoke.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("limit", "verdict"), [(1, "1 of 1 budgets are missed: install."), (10_000, "All 1 budgets are kept.")]
)
def test_a_missed_budget_is_told_and_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: float, verdict: str
):
    monkeypatch.setitem(BUDGETS, "install", replace(BUDGETS["install"], limit=limit))

    done = CliRunner().invoke(main, ["install", "--size", "smoke", "--out", str(tmp_path)])

    assert done.exit_code == 0
    assert verdict in done.output


def curve() -> Curve:
    return Curve("claims of one owner", "in order", tuple(Point(n, Spread.of([n, n + 1])) for n in (10, 1_000)))


def test_without_a_drawing_library_the_run_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plots, "can_plot", lambda: False)
    monkeypatch.setitem(BENCHMARKS, "growth", lambda _: Outcome((), (curve(),)))

    done = CliRunner().invoke(main, ["growth", "--size", "smoke", "--out", str(tmp_path)])

    assert done.exit_code == 0, done.output
    assert plots.HOW_TO_INSTALL in done.output


def test_curves_of_the_same_claims_share_a_picture(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="only `make bench` installs it")

    files = plots.draw([curve(), replace(curve(), name="late")], tmp_path, "smoke")

    assert [file.read_bytes()[1:4] for file in files] == [b"PNG"]
