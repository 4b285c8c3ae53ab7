"""What stands right beside a mark decides whether it opens or closes a quotation."""

from __future__ import annotations

import pytest

from tests.grounding.cut import quoted


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
