"""docs/glossary.md: the lists of closed words are those of the program."""

from __future__ import annotations

from typing import get_args

import pytest

from prme import NodeType, SourceType
from prme.cli.wording import FAILURES
from prme.message import ROLES
from prme.model.extraction import EpistemicType, Polarity
from prme.model.node import Status
from prme.model.receipt import ReceiptStatus
from tests.docs.pages import ROOT, codes, tables_of

PAGE = ROOT / "docs" / "glossary.md"
TABLES = {table.columns[0]: table for table in tables_of(PAGE)}


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ([node_type.value for node_type in NodeType], "Node type"),
        ([source_type.value for source_type in SourceType], "Source type"),
        (list(get_args(Status)), "Status of a claim"),
        (list(get_args(ReceiptStatus)), "Status of a receipt"),
        (list(get_args(Polarity)), "Polarity"),
        (list(get_args(EpistemicType)), "Epistemic type"),
        (list(FAILURES), "Reason of a failure"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_list_of_words_is_complete(words: list[str], heading: str):
    assert words == [codes(row[0])[0] for row in TABLES[heading].rows]


def test_each_role_stands_beside_its_source_type():
    printed = {role: codes(row[0])[0] for row in TABLES["Source type"].rows for role in codes(row[1])}

    assert {role: SourceType.of_role(role).value for role in ROLES} == printed
