"""What asking costs: an extractor says it as it learns it, and whoever asked adds it up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from prme.model.extractor_run import ModelUsage


@dataclass(slots=True)
class Spending:
    """A running total of calls and tokens."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input_tokens + self.output_tokens

    def add(self, usage: ModelUsage) -> None:
        """Add the tokens of one call."""
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cached_tokens += usage.cached_tokens

    def __add__(self, other: Spending) -> Spending:
        """Return the total of two totals."""
        return Spending(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
        )

    def shares(self, parts: int) -> list[Spending]:
        """Divide the total into whole parts whose sum is the total."""
        return [
            Spending(
                _share(self.calls, parts, place),
                _share(self.input_tokens, parts, place),
                _share(self.output_tokens, parts, place),
                _share(self.cached_tokens, parts, place),
            )
            for place in range(parts)
        ]


# A call hands back an extraction or raises, and a refused answer costs as much as a good one: so the cost takes its own
# way. It belongs to whoever awaits the extractor, and is not seen by anything else.
_spending: ContextVar[Spending | None] = ContextVar("prme_spending", default=None)


def record_usage(usage: ModelUsage) -> None:
    """Say what a call to a model cost; extractors call it once for each answer, usable or not.

    It does nothing where nobody counts.
    """
    spending = _spending.get()
    if spending is not None:
        spending.add(usage)


def record_call() -> None:
    """Count one time of asking an extractor."""
    spending = _spending.get()
    if spending is not None:
        spending.calls += 1


@contextmanager
def counted_spending() -> Iterator[Spending]:
    """Add up what is said inside, in this task and in those that it starts."""
    spending = Spending()
    token = _spending.set(spending)
    try:
        yield spending
    finally:
        _spending.reset(token)


def _share(total: int, parts: int, place: int) -> int:
    return total // parts + (place < total % parts)
