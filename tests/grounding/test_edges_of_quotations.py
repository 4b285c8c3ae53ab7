"""What stands right beside a mark decides whether it opens or closes a quotation."""

from __future__ import annotations

import pytest

from prme.grounding.quotations import find_quotations
from prme.grounding.sentences import split_paragraphs


def quoted(text: str) -> list[str]:
    return [text[start:end] for start, end in find_quotations(text, split_paragraphs(text))]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("'I don't do'", ["I don't do"]),
        ("I don't like 'it' now", ["it"]),
        ("'I do', he said", ["I do"]),
        ("He left\n\n'I do', he said", ["I do"]),
        ("'tis what I don't", []),
        ("'tis what I do'", ["tis what I do"]),
        ("he said 'I do'", ["I do"]),
    ],
)
def test_an_apostrophe_neither_opens_nor_closes(text: str, inside: list[str]) -> None:
    assert quoted(text) == inside
