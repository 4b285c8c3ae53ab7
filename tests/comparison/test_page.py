"""docs/comparing-policies.md lists every aspect and every format, as the program has them."""

from __future__ import annotations

from typing import get_args

from prme.cli.diff_view import ASPECTS
from prme.comparison.outcome import Aspect
from prme.plan.document import PLAN_FORMAT
from prme.records.writing import DECISION_FORMAT, EVENT_FORMAT, MANIFEST_FORMAT
from tests.docs.pages import ROOT, codes, tables_of

PAGE = ROOT / "docs" / "comparing-policies.md"


def test_the_page_lists_every_aspect_in_order():
    (table,) = [table for table in tables_of(PAGE) if table.columns[0] == "Aspect"]

    assert [codes(row[0])[0] for row in table.rows] == list(get_args(Aspect))


def test_every_aspect_has_words_of_its_own():
    assert list(ASPECTS) == list(get_args(Aspect))
    assert len(set(ASPECTS.values())) == len(ASPECTS)


def test_the_page_names_every_format_that_is_read_or_passed_over():
    text = PAGE.read_text(encoding="utf-8")

    assert [] == [
        name for name in (PLAN_FORMAT, DECISION_FORMAT, EVENT_FORMAT, MANIFEST_FORMAT) if f"`{name}`" not in text
    ]
