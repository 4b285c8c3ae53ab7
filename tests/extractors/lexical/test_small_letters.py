"""What people type without an apostrophe or a capital, each beside a control that says something else."""

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


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        (
            "i dont work at asda anymore",
            "i dont work at height anymore",
            ("i", "works_at", "asda", "negative", None),
        ),
        ("i stopped working at asda", "i stopped working at lunch", ("i", "works_at", "asda", "negative", None)),
        ("i quit my job at shell", "i quit my job at lunch", ("i", "works_at", "shell", "negative", None)),
        ("i got fired from nike", "i got fired from work", ("i", "works_at", "nike", "negative", None)),
        ("i'm no longer at asda", "i'm no longer at home", ("i", "works_at", "asda", "negative", None)),
        ("i'm not dating tom anymore", "i'm not dating men anymore", ("i", "dating", "tom", "negative", None)),
        ("my boss isn't karen anymore", "my boss isn't angry anymore", ("my", "boss", "karen", "negative", None)),
        ("i gave up on french", "i gave up on french food", ("i", "learns", "french", "negative", None)),
        ("i gave up learning dutch", "i gave up dutch cheese", ("i", "learns", "dutch", "negative", None)),
    ],
)
def test_what_ends_was_told_before_and_may_be_written_small(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("i work at lidl now", "i work at length now", ("i", "works_at", "lidl", "positive", None)),
        ("i'm dating alex", "i'm dating online", ("i", "dating", "alex", "positive", None)),
        ("my boss is priya", "my boss is tall", ("my", "boss", "priya", "positive", None)),
        (
            "my boss is priya now, not karen",
            "my boss is nice now, not rude",
            ("my", "boss", "priya", "positive", "karen"),
        ),
        ("i moved from lyon to paris", "i moved from sales to parties", ("i", "lives_in", "paris", "positive", "lyon")),
    ],
)
def test_a_new_name_in_small_letters_is_a_known_one(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)


def test_a_new_employer_is_known_or_written_with_a_capital() -> None:
    assert [] == said("i work at larkspur now")
    assert [("i", "works_at", "Larkspur", "positive", None)] == said("i work at Larkspur now")
