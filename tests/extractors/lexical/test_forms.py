"""Forms of speech about oneself: habits, back to, chosen, plans, partners, health."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [
        (c.predicate, c.object, c.polarity, str(c.temporal_intent), c.replaces_object)
        for c in extract_text(text).claims
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I swim twice a week.", ("swims", "twice a week", "positive", "assertion", None)),
        ("I garden on balconies.", ("gardens", "on balconies", "positive", "assertion", None)),
        ("I row with the Otter club.", ("rows_with", "Otter club", "positive", "assertion", None)),
        (
            "I cook with my daughter on Sundays.",
            ("cooks", "with my daughter on Sundays", "positive", "assertion", None),
        ),
        ("I don't swim on Fridays anymore.", ("swims", "on Fridays", "negative", "update", None)),
        ("I'm back to drinking mate.", ("drinks", "mate", "positive", "update", None)),
        ("I went back to drinking mate.", ("drinks", "mate", "positive", "update", None)),
        ("I'm back to preferring mate over cola.", ("prefers", "mate", "positive", "update", "cola")),
        ("I prefer mate to cola now.", ("prefers", "mate", "positive", "update", "cola")),
        ("I like mate more than cola now.", ("likes", "mate", "positive", "update", None)),
        ("I'm back to using Vim instead of Emacs.", ("uses", "Vim", "positive", "update", "Emacs")),
        ("I switched back to Vim from Emacs.", ("uses", "Vim", "positive", "update", "Emacs")),
        ("I replaced Trello with Plane.", ("uses", "Plane", "positive", "update", "Trello")),
        ("Aisle seats are what I prefer.", ("prefers", "Aisle seats", "positive", "assertion", None)),
        ("What I use is Vim.", ("uses", "Vim", "positive", "assertion", None)),
        ("The editor I use is Vim.", ("uses", "Vim", "positive", "assertion", None)),
        ("I used to play the oboe.", ("plays", "oboe", "negative", "update", None)),
        ("I plan to visit Lima in June.", ("plans_to_visit", "Lima", "positive", "assertion", None)),
        ("I'm planning to learn Rust.", ("plans_to_learn", "Rust", "positive", "assertion", None)),
        ("I no longer plan to visit Lima.", ("plans_to_visit", "Lima", "negative", "update", None)),
        ("I was diagnosed with asthma.", ("has", "asthma", "positive", "assertion", None)),
        ("I suffer from migraines.", ("has", "migraines", "positive", "assertion", None)),
        ("I'm 34.", ("age", "34", "positive", "assertion", None)),
        ("I'm based in Oslo.", ("lives_in", "Oslo", "positive", "assertion", None)),
        ("I'm married to Ines.", ("married_to", "Ines", "positive", "assertion", None)),
        ("I broke up with my boyfriend.", ("has", "boyfriend", "negative", "update", None)),
        ("Lee leads the design team.", ("leads", "design team", "positive", "assertion", None)),
        ("Sam stopped reading Dune.", ("reads", "Dune", "negative", "update", None)),
        ("Correction: I live in Bruges, not Ghent.", ("lives_in", "Bruges", "positive", "update", "Ghent")),
        ("Sorry, I play bass, not guitar.", ("plays", "bass", "positive", "update", "guitar")),
        ("I play bass, not guitar.", ("plays", "bass", "positive", "assertion", None)),
        ("Call me Sam.", ("name", "Sam", "positive", "assertion", None)),
        (
            "I'm the treasurer of the rowing club.",
            ("role", "treasurer of the rowing club", "positive", "assertion", None),
        ),
        ("Mira started learning Italian.", ("learns", "Italian", "positive", "update", None)),
    ],
)
def test_a_form_says_one_thing(text: str, expected: Said) -> None:
    # What a change denies beside it has its own tests.
    first, *denied = said(text)

    assert expected == first
    assert {expected[4]} >= {claim[1] for claim in denied}


@pytest.mark.parametrize(
    ("silent", "control"),
    [
        ("I run into Ann on Fridays.", "I run on Fridays."),
        ("I hike.", "I hike in winter."),
        ("I would swim twice a week.", "I usually swim twice a week."),
        ("I'm back to square one.", "I'm back to drinking mate."),
        ("I want to be back to drinking mate.", "I'm now back to drinking mate."),
        ("I used to play the oboe at weddings.", "I used to play the oboe."),
        ("I used to play the oboe, and I still do.", "I used to play the oboe, thanks."),
        ("I used to play the oboe. I still do.", "I used to play the oboe. Thanks."),
        ("I'm used to playing the oboe.", "I used to play the oboe."),
        ("She used to play the oboe.", "I used to play the oboe."),
        ("I used to have a dog.", "I used to walk. I have a dog."),
        ("I planned to visit Lima.", "I plan to visit Lima."),
        ("I plan to sleep.", "I plan to use Vim."),
        ("I'm 34 minutes late.", "I'm 34 years old."),
        ("I'm 5.", "I'm 50."),
        ("I'm married to my work.", "I'm married to Ines."),
        ("I replaced the battery.", "I replaced Trello with Plane."),
        ("The editor I used was Vim.", "The editor I use is Vim."),
        ("I never lived in fear.", "I never lived in Oslo."),
        ("I read Dune.", "I'm reading Dune every day."),
        ("Call me later.", "Call me Sam."),
        ("I'm the happiest person here.", "I'm the treasurer."),
    ],
)
def test_the_nearest_other_sentence_says_nothing(silent: str, control: str) -> None:
    assert [] == said(silent)
    assert said(control) != []


def test_what_was_never_so_is_denied_wherever_it_may_have_been_told() -> None:
    assert [("lives_in", "Oslo"), ("grew_up_in", "Oslo")] == [
        claim[:2] for claim in said("That was wrong, I never lived in Oslo.")
    ]
