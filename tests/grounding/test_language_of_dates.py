"""Only English words name a time, whatever other languages a date parser may know."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from prme.grounding.dates import resolve_temporal_ref

SAID_AT = datetime(2031, 4, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", ["vor zwei Wochen", "hace dos semanas", "il y a deux semaines", "два недели назад"])
def test_words_of_another_language_name_no_time(text: str) -> None:
    assert resolve_temporal_ref(text, SAID_AT) is None
    assert resolve_temporal_ref("two weeks ago", SAID_AT) == datetime(2031, 3, 18, 9, 0, tzinfo=UTC)
