"""Progress is drawn on a terminal only; failures are printed anywhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from prme.cli.ingestion import LineFailure, LineOutcome, Tally
from prme.cli.message_lines import Line
from prme.cli.progress import IngestProgress
from prme.model.receipt import IngestReceipt


def drawn(*, terminal: bool, total_bytes: int | None = 10) -> str:
    stream, tally = io.StringIO(), Tally()
    receipt = IngestReceipt(event_id="e", status="published", claims=("a", "b"), retired=("c",))
    failure = LineFailure(line=2, kind="refused", reason="not JSON (column 1)")
    with IngestProgress(Console(file=stream, force_terminal=terminal, width=90), total_bytes=total_bytes) as progress:
        for outcome in (
            LineOutcome(Line(1, b"", 5), "sam", receipt),
            LineOutcome(Line(2, b"", 5), failure=failure),
        ):
            tally.add(outcome)
            progress.show(outcome, tally)
    return stream.getvalue()


@pytest.mark.parametrize("total_bytes", [10, None])
def test_a_terminal_shows_counts(total_bytes: int | None):
    assert "1 published, 1 failed, 1 retired" in drawn(terminal=True, total_bytes=total_bytes)


def test_a_pipe_shows_failures_only():
    assert drawn(terminal=False) == "line 2: refused: not JSON (column 1)\n"
