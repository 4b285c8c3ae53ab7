"""What people type without an apostrophe or a capital, each beside a control that differs in the one thing that counts."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [(c.subject, c.predicate, c.object, c.polarity, c.replaces_object) for c in extract_text(text).claims]


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("im vegan", "IM vegan", ("i", "is", "vegan", "positive", None)),
        ("Im vegan", "IM vegan", ("I", "is", "vegan", "positive", None)),
        ("im on sertraline now", "him on sertraline now", ("i", "takes", "sertraline", "positive", None)),
        ("im no longer using dropbox", "im no longer using it", ("i", "uses", "dropbox", "negative", None)),
        ("ive stopped using slack", "ive stopped using slack?", ("i", "uses", "slack", "negative", None)),
        ("Ive stopped using slack", "Ive almost stopped using slack", ("I", "uses", "slack", "negative", None)),
        ("turns out im allergic to dust", "turns out im used to dust", ("i", "allergic_to", "dust", "positive", None)),
        ("wait no im 35, not 34", "wait no im not 35, im 34ish", ("i", "age", "35", "positive", "34")),
    ],
)
def test_im_and_ive_are_read_as_they_are_meant(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)


def test_im_opens_every_clause_that_i_opens() -> None:
    expected = [("i", "role", "student", "negative", None), ("i", "role", "trainee", "positive", None)]

    assert expected == said("im not a student anymore, im a trainee")
