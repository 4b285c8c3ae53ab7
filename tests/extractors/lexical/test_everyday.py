"""Everyday verbs and nouns: one table for the speaker and for named persons, open objects with reasons to refuse."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text
from prme_extractors.lexical.vocabulary import table, vocabulary

Said = tuple[str, str, str, str, str | None]

EVERYDAY = table("verbs.toml")


def said(text: str) -> list[Said]:
    return [
        (c.predicate, c.object, c.polarity, str(c.temporal_intent), c.replaces_object)
        for c in extract_text(text).claims
    ]


def test_what_a_verb_refuses_is_written_for_a_verb_there_is() -> None:
    predicates = {verb.predicate for verb in vocabulary().verbs}

    assert [] == sorted((EVERYDAY["refuse"].keys() | EVERYDAY["also"].keys()) - predicates - {"any"})


@pytest.mark.parametrize("who", ["I", "Mira"])
@pytest.mark.parametrize(
    ("base", "s", "value"),
    [
        ("keep", "keeps", "bees"),
        ("grow", "grows", "tomatoes"),
        ("bake", "bakes", "bread"),
        ("sing", "sings", "tenor"),
        ("read", "reads", "thrillers"),
        ("follow", "follows", "chess rankings"),
        ("pay for", "pays for", "Notely"),
        ("back up to", "backs up to", "Dropnest"),
        ("subscribe to", "subscribes to", "Cinemo"),
        ("bank with", "banks with", "Nordia"),
        ("own", "owns", "billing service"),
        ("drive", "drives", "Seat"),
        ("attend", "attends", "yoga classes"),
        ("have", "has", "season ticket"),
        ("speak", "speaks", "Basque"),
        ("work on", "works on", "scheduler"),
        ("prefer", "prefers", "early shift"),
    ],
)
def test_a_habit_is_read_of_the_speaker_and_of_a_named_person(who: str, base: str, s: str, value: str) -> None:
    article = {"chess rankings": "the ", "billing service": "the ", "Seat": "a ", "season ticket": "a "}
    article |= {"scheduler": "the ", "early shift": "the "}
    claims = said(f"{who} {base if who == 'I' else s} {article.get(value, '')}{value}.")

    assert [(s.replace(" ", "_"), value, "positive", "assertion", None)] == claims


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have one daughter.", ("has", "one daughter", "positive", "assertion", None)),
        ("My usual breakfast is porridge.", ("usual_breakfast", "porridge", "positive", "assertion", None)),
        ("My favourite sport is curling.", ("favorite_sport", "curling", "positive", "assertion", None)),
        ("My weekend hobby is fishing.", ("weekend_hobby", "fishing", "positive", "assertion", None)),
        ("My office is room 212.", ("office", "room 212", "positive", "assertion", None)),
        ("Test files end in _spec.", ("ends_in", "_spec", "positive", "assertion", None)),
        ("Room 4 has the sofa.", ("has", "sofa", "positive", "assertion", None)),
        ("The clinic treats dogs.", ("treats", "dogs", "positive", "assertion", None)),
        ("The spare key hangs behind the freezer.", ("hangs_behind", "freezer", "positive", "assertion", None)),
        ("I work from home on Fridays.", ("works", "from home on Fridays", "positive", "assertion", None)),
        ("I work on Fridays.", ("works", "on Fridays", "positive", "assertion", None)),
        ("I drive to the office.", ("drives", "to the office", "positive", "assertion", None)),
        ("I live on Harbour Street.", ("lives_on", "Harbour Street", "positive", "assertion", None)),
        ("I live on a farm.", ("lives_on", "farm", "positive", "assertion", None)),
        ("I live in a houseboat.", ("lives_in", "houseboat", "positive", "assertion", None)),
        ("I read on a Kobo.", ("reads_on", "Kobo", "positive", "assertion", None)),
        ("Large print is what I need.", ("needs", "Large print", "positive", "assertion", None)),
        ("I studied law.", ("studied", "law", "positive", "assertion", None)),
        ("Ana reviewed the pricing page.", ("reviewed", "pricing page", "positive", "assertion", None)),
        ("Mira started taking paracetamol.", ("takes", "paracetamol", "positive", "update", None)),
        ("Jo started training with the Comets.", ("trains_with", "Comets", "positive", "update", None)),
        ("Jo stopped training with the Comets.", ("trains_with", "Comets", "negative", "update", None)),
        ("I'm no longer subscribed to Cinemo.", ("subscribes_to", "Cinemo", "negative", "update", None)),
        ("I unsubscribed from Cinemo.", ("subscribes_to", "Cinemo", "negative", "update", None)),
        ("I no longer read thrillers but biographies.", ("reads", "biographies", "positive", "update", "thrillers")),
        ("Correction: I retired in June, not April.", ("retired_in", "June", "positive", "update", "April")),
        ("Correction: I keep hens, not rabbits.", ("keeps", "hens", "positive", "update", "rabbits")),
        ("Correction: I drive a Seat, not a Skoda.", ("drives", "Seat", "positive", "update", "Skoda")),
    ],
)
def test_a_plain_statement_says_one_thing(text: str, expected: Said) -> None:
    assert [expected] == said(text)


@pytest.mark.parametrize(
    ("silent", "control"),
    [
        ("I keep forgetting.", "I keep bees."),
        ("I keep secrets.", "I keep hens."),
        ("I grow weary.", "I grow leeks."),
        ("I want a coffee.", "I want short answers."),
        ("I want answers.", "I want short answers."),
        ("I need a break.", "I need large print."),
        ("I need help.", "I need captions."),
        ("I follow you.", "I follow cycling."),
        ("I follow the game.", "I follow the chess rankings."),
        ("I read Dune.", "I read thrillers."),
        ("I read the news today.", "I read thrillers."),
        ("I read on Reddit that it works.", "I read on a Kindle."),
        ("I write to say thanks.", "I write thrillers."),
        ("I run late.", "I run a bakery."),
        ("I pay for dinner.", "I pay for Notely."),
        ("I work on my essay.", "I work on compilers."),
        ("I live on coffee.", "I live on Harbour Street."),
        ("I live in a bubble.", "I live in a cottage."),
        ("I have a job interview.", "I have a season ticket."),
        ("I have one question.", "I have one daughter."),
        ("I prefer the movie.", "I prefer the early shift."),
        ("My usual breakfast is delicious.", "My usual breakfast is muesli."),
        ("My usual route is blocked.", "My usual route is Elm Road."),
        ("My favourite band is touring.", "My favourite hobby is knitting."),
        ("Sleep repairs muscles.", "Mira repairs clocks."),
        ("Ana fixed the problem.", "Ana fixed the login page."),
        ("Ana never reviewed the pricing page.", "Ana recently reviewed the pricing page."),
        ("I retired in style.", "I retired in June."),
        ("I studied all night.", "I studied law."),
        ("My neighbour keeps bees.", "Mira keeps bees."),
        ("I'm going to Blauhaus.", "I go to Blauhaus."),
        ("I cancelled dinner.", "I cancelled Netflix."),
        ("I cancelled Monday.", "I cancelled Netflix."),
        ("I pay for REALLY.", "I pay for Notely."),
        ("I stopped working on the scheduler today.", "I stopped working on the scheduler last week."),
        ("Jo started training yesterday.", "Jo started training with the Comets."),
    ],
)
def test_the_nearest_other_sentence_says_nothing(silent: str, control: str) -> None:
    assert [] == said(silent)
    assert said(control) != []


def test_a_habit_that_ended_makes_way_for_what_is_usual_now() -> None:
    assert ("main_language", "Elixir", "positive", "update", "Ruby") in said(
        "I don't write Ruby anymore. My main language is Elixir."
    )
    assert ("main_language", "Elixir", "positive", "assertion", None) in said(
        "I don't write Ruby. My main language is Elixir."
    )


@pytest.mark.parametrize("told", ["I read on a tablet now instead of a Kobo.", "I code in bed now instead of Perl."])
def test_what_may_be_done_for_once_replaces_nothing(told: str) -> None:
    assert [] == [claim for claim in extract_text(told).claims if claim.replaces_object is not None]


def test_a_cancelled_subscription_ends_what_was_paid_for() -> None:
    ended = {(claim.predicate, claim.object) for claim in extract_text("I cancelled my Netflix subscription.").claims}

    assert {("has", "Netflix subscription"), ("subscribes_to", "Netflix"), ("pays_for", "Netflix")} <= ended
