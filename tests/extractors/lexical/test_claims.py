"""What `lexical` reads: one plain sentence, one claim, word for word."""

from __future__ import annotations

import pytest

from prme.model.extraction import ExtractedClaim
from prme_extractors.lexical import extract_text


def claims(text: str) -> list[ExtractedClaim]:
    return extract_text(text).claims


def said(text: str) -> list[tuple[str, str, str, str, str | None]]:
    return [(c.subject, c.predicate, c.object, c.polarity, c.temporal_intent) for c in claims(text)]


def only(text: str) -> ExtractedClaim:
    (claim,) = claims(text)
    return claim


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I use a standing desk.", "uses", "standing desk"),
        ("I use VS Code for everything.", "uses", "VS Code"),
        ("I take metformin every morning.", "takes", "metformin"),
        ("I'm taking calculus.", "takes", "calculus"),
        ("I eat fish.", "eats", "fish"),
        ("I drink coffee, it helps.", "drinks", "coffee"),
        ("I play the cello.", "plays", "cello"),
        ("I play a lot of chess.", "plays", "chess"),
        ("I wear glasses.", "wears", "glasses"),
        ("I have two cats.", "has", "two cats"),
        ("I have asthma.", "has", "asthma"),
        ("I own a kayak.", "owns", "kayak"),
        ("I speak Spanish.", "speaks", "Spanish"),
        ("I'm studying industrial design.", "studies", "industrial design"),
        ("I live in Oulu.", "lives_in", "Oulu"),
        ("i live in provo", "lives_in", "provo"),
        ("I still live in Austin.", "lives_in", "Austin"),
        ("I work at a bakery.", "works_at", "bakery"),
        ("I work for Larkspur.", "works_at", "Larkspur"),
        ("I'm a software engineer at Larkspur.", "role", "software engineer"),
        ("I work as a nurse.", "role", "nurse"),
        ("I'm vegetarian.", "is", "vegetarian"),
        ("I'm allergic to peanuts.", "allergic_to", "peanuts"),
        ("I'm originally from Texas.", "from", "Texas"),
        ("I was born in May.", "born_in", "May"),
        ("I grew up in Oslo.", "grew_up_in", "Oslo"),
        ("My name is Robin.", "name", "Robin"),
        ("I'm called Robin.", "name", "Robin"),
        ("My desk extension is 4410.", "desk_extension", "4410"),
        ("My favourite food is pasta.", "favorite_food", "pasta"),
        ("My printer is a Tonga 5!", "printer", "Tonga 5"),
        ("My new manager is Priya.", "manager", "Priya"),
        ("I've been using Vim for two years.", "uses", "Vim"),
        ("Yeah, I use Vim too.", "uses", "Vim"),
        ("I do use Vim.", "uses", "Vim"),
    ],
)
def test_a_plain_statement_is_a_positive_fact(text: str, predicate: str, value: str) -> None:
    claim = only(text)

    assert (predicate, value) == (claim.predicate, claim.object)
    assert ("fact", "positive", "asserted") == (claim.kind, claim.polarity, claim.epistemic_type)
    assert claim.replaces_object is None


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I like pizza.", "likes", "pizza"),
        ("I love rock and roll.", "loves", "rock and roll"),
        ("I really enjoy hiking in the mountains.", "enjoys", "hiking in the mountains"),
        ("I like travelling by night train.", "likes", "travelling by night train"),
        ("I hate essays.", "hates", "essays"),
        ("I prefer Python over Go.", "prefers", "Python"),
        ("I prefer tea to coffee.", "prefers", "tea"),
        ("I'm really into comic books.", "is_into", "comic books"),
    ],
)
def test_a_taste_is_a_preference(text: str, predicate: str, value: str) -> None:
    claim = only(text)

    assert (predicate, value, "preference", "positive") == (
        claim.predicate,
        claim.object,
        claim.kind,
        claim.polarity,
    )


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I don't use an insulin pump anymore.", "uses", "insulin pump"),
        ("I don\u2019t use an insulin pump any more.", "uses", "insulin pump"),
        ("i dont use an insulin pump any longer", "uses", "insulin pump"),
        ("I no longer eat meat.", "eats", "meat"),
        ("I'm no longer using Dropbox.", "uses", "Dropbox"),
        ("I'm not using Dropbox anymore.", "uses", "Dropbox"),
        ("I'm not into comic books anymore.", "is_into", "comic books"),
        ("I stopped taking metformin last week.", "takes", "metformin"),
        ("I've quit playing chess.", "plays", "chess"),
        ("I gave up drinking wine.", "drinks", "wine"),
        ("I gave up coffee.", "drinks", "coffee"),
        ("I quit smoking two years ago.", "does", "smoking"),
        ("I never drink wine anymore.", "drinks", "wine"),
        ("I don't live in Las Vegas anymore.", "lives_in", "Las Vegas"),
        ("I stopped working at the media center last year.", "works_at", "media center"),
        ("I quit my job at Larkspur.", "works_at", "Larkspur"),
        ("I am no longer employed at Larkspur.", "employed_at", "Larkspur"),
        ("I'm not a nurse anymore.", "role", "nurse"),
        ("I'm not vegetarian anymore.", "is", "vegetarian"),
        ("My favourite food is no longer pasta.", "favorite_food", "pasta"),
        ("My editor isn't Vim anymore.", "editor", "Vim"),
        ("I cancelled my gym membership.", "has", "gym membership"),
        ("I used to play the violin but I stopped.", "plays", "violin"),
        ("I used to play the violin, but not anymore.", "plays", "violin"),
    ],
)
def test_an_ending_is_a_negative_update_of_the_positive_predicate(text: str, predicate: str, value: str) -> None:
    claim = only(text)

    assert (predicate, value) == (claim.predicate, claim.object)
    assert ("negative", "update", "asserted") == (claim.polarity, claim.temporal_intent, claim.epistemic_type)
    assert claim.replaces_object is None


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I don't drink coffee.", "drinks", "coffee"),
        ("I never eat meat.", "eats", "meat"),
        ("I don't like cilantro.", "likes", "cilantro"),
        ("I don't have any kids.", "has", "kids"),
    ],
)
def test_a_denial_without_a_cue_is_no_update(text: str, predicate: str, value: str) -> None:
    claim = only(text)

    assert (predicate, value, "negative", "assertion") == (
        claim.predicate,
        claim.object,
        claim.polarity,
        claim.temporal_intent,
    )


@pytest.mark.parametrize(
    ("text", "predicate", "value", "former"),
    [
        ("I switched from Fish to Nushell.", "uses", "Nushell", "Fish"),
        ("I just switched over to Nushell from Fish.", "uses", "Nushell", "Fish"),
        ("I moved from Boston to Chicago last month.", "lives_in", "Chicago", "Boston"),
        ("I moved to Chicago from Boston.", "lives_in", "Chicago", "Boston"),
        ("I drink tea instead of coffee now.", "drinks", "tea", "coffee"),
        ("I prefer coffee now instead of cola.", "prefers", "coffee", "cola"),
        ("I used to play the violin, now I play the cello.", "plays", "cello", "violin"),
        ("I left Acme and started at Globex last week.", "works_at", "Globex", "Acme"),
        ("My favourite colour is yellow, not blue.", "favorite_color", "yellow", "blue"),
        ("My desk extension changed from 4410 to 4822.", "desk_extension", "4822", "4410"),
        ("I changed my major from Biology to Nutrition.", "major", "Nutrition", "Biology"),
        ("Correction: I was born in March, not May.", "born_in", "March", "May"),
    ],
)
def test_a_change_that_names_the_old_value_replaces_it(text: str, predicate: str, value: str, former: str) -> None:
    claim, *denied = extract_text(text).claims

    assert {(former, "negative")} >= {(other.object, other.polarity) for other in denied}
    assert (predicate, value, former) == (claim.predicate, claim.object, claim.replaces_object)
    assert ("positive", "update") == (claim.polarity, claim.temporal_intent)


@pytest.mark.parametrize(
    "text",
    [
        "I switched to Nushell.",
        "I moved to Chicago.",
        "I drink almond milk instead of regular milk.",
        "I used to row, now I play the cello.",
        "I used to play chess, now I use Vim.",
        "I left. I work at Globex.",
    ],
)
def test_a_change_without_a_named_old_value_replaces_nothing(text: str) -> None:
    assert [None] == [claim.replaces_object for claim in claims(text)]


def test_parting_with_a_thing_denies_owning_and_having_it() -> None:
    expected = [("I", "owns", "motorcycle", "negative", "update"), ("I", "has", "motorcycle", "negative", "update")]

    assert expected == said("I sold my motorcycle.")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I ride a road bike and a mountain bike.", ["road bike", "mountain bike"]),
        ("I don't use Trello or Jira anymore.", ["Trello", "Jira"]),
        ("I speak German and Danish.", ["German", "Danish"]),
        ("I play piano and I drink tea.", ["piano", "tea"]),
        ("I use Vim and Ann uses Emacs.", ["Vim", "Emacs"]),
        ("I work at Larkspur and live in Oulu.", ["Larkspur", "Oulu"]),
        ("I stopped taking metformin and started taking insulin.", ["metformin", "insulin"]),
        ("I like cats. I like dogs.", ["cats", "dogs"]),
        ("I like cats\nI like dogs", ["cats", "dogs"]),
    ],
)
def test_a_list_or_a_second_clause_makes_claims_of_its_own(text: str, values: list[str]) -> None:
    assert values == [claim.object for claim in claims(text)]


@pytest.mark.parametrize(
    "text",
    [
        "I use Trello or Jira.",
        "I don't use Trello and Jira anymore.",
        "I take spring and summer classes.",
    ],
)
def test_a_list_that_can_be_read_in_two_ways_makes_no_claim(text: str) -> None:
    assert [] == claims(text)


def test_a_name_with_a_verb_of_the_third_person_is_a_person() -> None:
    extraction = extract_text("Nadia no longer uses Figma. Nadia uses Penpot.")

    assert [("Nadia", "person")] == [(entity.name, entity.entity_type) for entity in extraction.entities]
    assert [("Nadia", "Figma", "negative"), ("Nadia", "Penpot", "positive")] == [
        (claim.subject, claim.object, claim.polarity) for claim in extraction.claims
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Everyone uses Figma.",
        "Nobody uses Figma.",
        "She uses Figma.",
        "Our people use Figma.",
        "Georgia uses Figma.",
        "Nadia use Figma.",
        "nadia uses Figma.",
        "Design uses Figma, and design is hard.",
    ],
)
def test_only_a_clear_name_is_a_subject(text: str) -> None:
    assert [] == claims(text)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("I stopped using Figma two weeks ago.", "two weeks ago"),
        ("I gave up coffee last month.", "last month"),
        ("I moved to Chicago in March.", "in March"),
        ("I stopped using Figma.", None),
        ("I recently stopped using Figma.", None),
    ],
)
def test_when_it_happened_is_kept_word_for_word(text: str, reference: str | None) -> None:
    assert reference == only(text).temporal_ref


def test_a_place_lends_its_kind_to_the_other_end_of_a_move() -> None:
    assert [("I", "lives_in", "Smallbrook", "positive", "update")] == said("I moved from Boston to Smallbrook.")
    assert [] == said("I moved from Emacs to Smallbrook.")


def test_words_that_only_lead_in_are_skipped() -> None:
    assert said("I use Vim.") == said("Oh well, actually I use Vim.")


def test_the_quote_is_the_clause() -> None:
    assert "I use Vim" == only("The weather is fine, and I use Vim. What about you?").evidence_quote
