"""What `lexical` reads about things, and about what is the speaker's: one form, any words in it."""

from __future__ import annotations

import pytest

from prme.model.extraction import ExtractedClaim
from prme_extractors.lexical import extract_text

Told = tuple[str, str, str]


def told(text: str) -> list[Told]:
    return [(claim.subject, claim.predicate, claim.object) for claim in extract_text(text).claims]


def only(text: str) -> ExtractedClaim:
    (claim,) = extract_text(text).claims
    return claim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The office printer is called Boris.", ("office printer", "name", "Boris")),
        ("The name of the office printer is Boris.", ("office printer", "name", "Boris")),
        ("The office printer's name is Boris.", ("office printer", "name", "Boris")),
        ("Printer name: Boris.", ("Printer", "name", "Boris")),
        ("The wifi code is 9317.", ("wifi code", "is", "9317")),
        ("Our wifi code is kestrel9.", ("wifi code", "is", "kestrel9")),
        ("The default branch is trunk.", ("default branch", "is", "trunk")),
        ("The theme is dusk.", ("theme", "is", "dusk")),
        ("The workshop is in hall B.", ("workshop", "hall", "B")),
        ("The spare key is under the mat.", ("spare key", "under", "mat")),
        ("Release 1.2 adds dark mode.", ("Release 1.2", "adds", "dark mode")),
        ("The logo is dark green.", ("logo", "color", "dark green")),
        ("The emblem is a heron.", ("emblem", "is", "heron")),
        ("The gate opens at 7:30.", ("gate", "opens_at", "7:30")),
        ("The standup is at 9:30.", ("standup", "at", "9:30")),
        ("The review is on 3 May 2031.", ("review", "on", "3 May 2031")),
        ("The workshop is in room 12.", ("workshop", "room", "12")),
        ("The relay listens on port 8125.", ("relay", "port", "8125")),
        ("The archive is in Antwerp.", ("archive", "located_in", "Antwerp")),
        ("The archive is stored on tape.", ("archive", "stored_on", "tape")),
        ("The importer relies on Redis.", ("importer", "relies_on", "Redis")),
        ("Nightly builds run at 03:00.", ("Nightly builds", "runs_at", "03:00")),
        ("File names end with .md.", ("File names", "ends_with", ".md")),
        ("Logs go to Loki.", ("Logs", "goes_to", "Loki")),
        ("Node B is a Fennos NAS.", ("Node B", "is", "Fennos NAS")),
        ("PR 88 renamed the config flag.", ("PR 88", "renamed", "config flag")),
        ("The bridge was opened on 2031-02-01.", ("bridge", "was_opened_on", "2031-02-01")),
        ("The CEO of Palora is Imre.", ("Palora", "ceo", "Imre")),
        ("Palora's CEO is Imre.", ("Palora", "ceo", "Imre")),
        ("Retry limit: 3.", ("Retry limit", "is", "3")),
        ("My suitcase is orange.", ("My", "suitcase_color", "orange")),
        ("My locker is 212.", ("My", "locker", "212")),
        ("My new laptop is a Framework 13.", ("My", "laptop", "Framework 13")),
        ("My sister's name is Ana.", ("My", "sister_name", "Ana")),
        ("My dog is called Rex.", ("My", "dog_name", "Rex")),
        ("My tent sleeps four.", ("My", "tent_sleeps", "four")),
        ("My passport expires in 2031.", ("My", "passport_expires_in", "2031")),
        ("My flight is on Tuesday.", ("My", "flight", "Tuesday")),
        ("My team uses Zulip.", ("My", "team_uses", "Zulip")),
    ],
)
def test_a_statement_about_a_thing_is_a_fact(text: str, expected: Told) -> None:
    claim = only(text)

    assert expected == (claim.subject, claim.predicate, claim.object)
    assert ("fact", "positive", "assertion", None) == (
        claim.kind,
        claim.polarity,
        claim.temporal_intent,
        claim.replaces_object,
    )


def test_a_thing_is_an_entity_of_its_own_type() -> None:
    extraction = extract_text("The logo is green. Nadia uses Figma. My suitcase is orange.")

    assert [("logo", "thing"), ("Nadia", "person")] == [(e.name, e.entity_type) for e in extraction.entities]
    assert ["thing", "person", None] == [claim.subject_entity_type for claim in extraction.claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The logo is green now, not red.", ("logo", "color", "green", "red")),
        ("The logo is green, not red.", ("logo", "color", "green", "red")),
        ("The logo is not red but green.", ("logo", "color", "green", "red")),
        ("The logo is not red, it's green.", ("logo", "color", "green", "red")),
        ("The logo isn't red. It's green.", ("logo", "color", "green", "red")),
        ("The logo was red, now it's green.", ("logo", "color", "green", "red")),
        ("The logo used to be red but now it is green.", ("logo", "color", "green", "red")),
        ("The logo was red but is now green.", ("logo", "color", "green", "red")),
        ("The logo is green (was red).", ("logo", "color", "green", "red")),
        ("The logo is green now, previously red.", ("logo", "color", "green", "red")),
        ("The logo is green instead of red now.", ("logo", "color", "green", "red")),
        ("The logo changed from red to green.", ("logo", "color", "green", "red")),
        ("We changed the logo from red to green.", ("logo", "color", "green", "red")),
        ("Correction: the logo is green, not red.", ("logo", "color", "green", "red")),
        ("Sorry, the logo is green, not red.", ("logo", "color", "green", "red")),
        ("The standup moved from 9:30 to 9:45.", ("standup", "at", "9:45", "9:30")),
        ("The standup is at 9:45, not at 9:30.", ("standup", "at", "9:45", "9:30")),
        ("The workshop is in room 14, not in room 12.", ("workshop", "room", "14", "12")),
        ("The workshop is not in room 12, it is in room 14.", ("workshop", "room", "14", "12")),
        ("The archive moved from Antwerp to Ghent.", ("archive", "located_in", "Ghent", "Antwerp")),
        ("The gym used to close at 22:00, now it closes at 21:00.", ("gym", "closes_at", "21:00", "22:00")),
        ("The printer was called Boris but it's called Igor now.", ("printer", "name", "Igor", "Boris")),
        ("We replaced Redis with Valkey in the importer.", ("importer", "depends_on", "Valkey", "Redis")),
        ("The train moved from platform 3 to platform 4.", ("train", "platform", "4", "3")),
        ("File names end with .rst now, not .md.", ("File names", "ends_with", ".rst", ".md")),
        ("The importer uses Valkey instead of Redis now.", ("importer", "uses", "Valkey", "Redis")),
        ("Retry limit: 5, replaces 3.", ("Retry limit", "is", "5", "3")),
        ("Retry limit: 5 (was 3).", ("Retry limit", "is", "5", "3")),
        ("The repo was renamed from otter to heron.", ("repo", "name", "heron", "otter")),
        ("We renamed the repo from otter to heron.", ("repo", "name", "heron", "otter")),
        ("My rent went up from 900 to 950.", ("My", "rent", "950", "900")),
        ("The doctor lowered my dose from 20 mg to 10 mg.", ("my", "dose", "10 mg", "20 mg")),
        ("My flight is on Friday, not Thursday.", ("My", "flight", "Friday", "Thursday")),
        ("My sister's name is Ana, not Anna.", ("My", "sister_name", "Ana", "Anna")),
        ("My suitcase is petrol now, not brown.", ("My", "suitcase_color", "petrol", "brown")),
    ],
)
def test_a_change_of_a_thing_names_its_former_value(text: str, expected: tuple[str, str, str, str]) -> None:
    claim = extract_text(text).claims[-1]

    assert expected == (claim.subject, claim.predicate, claim.object, claim.replaces_object)
    assert ("positive", "update") == (claim.polarity, claim.temporal_intent)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The logo is no longer red.", ("logo", "color", "red")),
        ("The logo isn't red anymore.", ("logo", "color", "red")),
        ("The printer is no longer called Boris.", ("printer", "name", "Boris")),
        ("The archive is no longer in Antwerp.", ("archive", "located_in", "Antwerp")),
        ("The importer doesn't rely on Redis anymore.", ("importer", "relies_on", "Redis")),
        ("The importer stopped using Redis.", ("importer", "uses", "Redis")),
        ("My locker is no longer 212.", ("My", "locker", "212")),
        ("I disabled autosave in the notes repo.", ("notes repo", "has_enabled", "autosave")),
        ("We removed the autosave setting from the notes repo.", ("notes repo", "has_enabled", "autosave")),
    ],
)
def test_an_ending_of_a_thing_is_a_negative_update(text: str, expected: Told) -> None:
    claim = only(text)

    assert expected == (claim.subject, claim.predicate, claim.object)
    assert ("negative", "update") == (claim.polarity, claim.temporal_intent)


PARTS = ("depends_on", "uses", "needs", "relies_on", "contains", "includes")


def test_a_part_that_is_dropped_is_denied_in_every_way_in_which_it_is_told() -> None:
    assert [("crawler", name, "Quillset") for name in PARTS] == told("We dropped Quillset from the crawler.")


@pytest.mark.parametrize(
    ("silent", "control"),
    [
        ("Is the logo green?", "The logo is green."),
        ("The logo would be green.", "The logo is still green."),
        ("Maybe the logo is green.", "Actually the logo is green."),
        ("If the logo is green, I am happy.", "The logo is green, I am happy."),
        ("I wish the logo is green.", "I see the logo. The logo is green."),
        ("Imagine the logo is green.", "Actually the logo is green."),
        ('"The logo is green," she read.', "The logo is green, she likes it."),
        ("> The logo is green.", "The logo is green."),
        ("`The logo is green`", "The logo is green"),
        ("Ann thinks the logo is green.", "And the logo is green."),
        ("The logo is green, I think.", "The logo is green, I saw it."),
        ("The logo is green. Just kidding.", "The logo is green. Just saying."),
        ("The logo is not only green.", "The logo is also green."),
        ("The logo is a joke.", "The logo is a heron."),
        ("The logo is ugly.", "The logo is ultramarine."),
        ("The logo is mine.", "The logo is mint."),
        ("The logo is GORGEOUS.", "The logo is Gorgon."),
        ("The weather is a mess.", "The emblem is a mace."),
        ("The problem is 5.", "The limit is 5."),
        ("My mom is a baker.", "My label is a baker."),
        ("My sister lives in Turku.", "My cabin lives in Turku."),
        ("My boss is busy.", "My boss is Ines."),
        ("Dogs need food.", "The dogs need food."),
        ("People run on coffee.", "Buses run on hydrogen."),
        ("The party starts in two weeks.", "The term starts in May."),
        ("The launch is tomorrow.", "The launch is on 3 May."),
        ("My favourite colours are red, green, blue.", "My favourite colours are red and green."),
        ("The score went from 2 to 3.", "The limit went from 2 to 3."),
        ("Ann: 5", "Retry limit: 5"),
        ("Question: 5", "Batch size: 5"),
        ("The old limit is 5.", "The new limit is 5."),
        ("10/10", "The rating limit is 10."),
        ("The film is a 10/10.", "The ratio is 10/12."),
        ("The pump has become louder.", "The pump has a filter."),
    ],
)
def test_what_is_no_fact_about_a_thing_is_left_alone(silent: str, control: str) -> None:
    assert [] == told(silent)
    assert 1 == len(told(control))


@pytest.mark.parametrize(
    ("blocked", "control"),
    [
        ("The logo is green, not red, in the mockup.", "The logo is green, not red, thanks."),
        ("In the mockup, the logo is green, not red.", "In fact, the logo is green, not red."),
        ("On phones, the logo is green, not red.", "Correction, the logo is green, not red."),
        ("The logo is green, not red, or so they say.", "The logo is green, not red."),
        ("The logo is not red at night, it's green.", "The logo is not red, it's green."),
        ("The logo isn't red yet, it's green.", "The logo isn't red anymore, it's green."),
        ("The limit is not 5. They are 6.", "The limit is not 5. It is 6."),
        ("The limits are not 5. It is 6.", "The limits are not 5. They are 6."),
        ("Nothing changed the limit from 5 to 6.", "Bruno changed the limit from 5 to 6."),
        ("We dropped Quillset from the crawler, but only in staging.", "We dropped Quillset from the crawler."),
        ("We dropped Quillset from the crawler for a day.", "We dropped Quillset from the crawler last week."),
        ("We never dropped Quillset from the crawler.", "We just dropped Quillset from the crawler."),
        ("Nobody dropped Quillset from the crawler.", "Bruno dropped Quillset from the crawler."),
        ("We removed dust from the printer.", "We removed Quillset from the crawler."),
        ("I moved the couch from the wall to the door.", "I moved the couch from Antwerp to Ghent."),
        ("She wants to lower my dose from 20 mg to 10 mg.", "She lowered my dose from 20 mg to 10 mg."),
        ("I traded my lunch for a cookie.", "I traded my bike for a scooter."),
        ("Old retry limit: 5, was 3.", "New retry limit: 5, was 3."),
    ],
)
def test_a_doubtful_or_partial_change_of_a_thing_retires_nothing(blocked: str, control: str) -> None:
    def retiring(text: str) -> list[ExtractedClaim]:
        return [
            claim
            for claim in extract_text(text).claims
            if claim.temporal_intent == "update" and (claim.polarity == "negative" or claim.replaces_object)
        ]

    assert [] == retiring(blocked)
    assert retiring(control) != []


def test_a_contrast_beside_something_unread_still_tells_its_value() -> None:
    beside = only("The review is on Thursday, not Tuesday. Can you tell Ann?")
    alone = only("The review is on Thursday, not Tuesday.")

    assert ("Thursday", "assertion", None) == (beside.object, beside.temporal_intent, beside.replaces_object)
    assert ("Thursday", "update", "Tuesday") == (alone.object, alone.temporal_intent, alone.replaces_object)


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("I no longer drink cola. My favourite drink is mate.", "cola"),
        ("I quit coffee, my favourite drink is mate now.", "coffee"),
        ("I like cola. My favourite drink is mate.", None),
        ("I sold my bike. My drink is mate.", None),
        ("My favourite drink is mate. I no longer drink cola.", None),
        ("I no longer drink cola. Mate is my favourite.", None),
    ],
)
def test_what_the_speaker_has_just_ended_is_the_former_value_of_what_is_so_now(text: str, former: str | None) -> None:
    found = [claim.replaces_object for claim in extract_text(text).claims if claim.object == "mate"]

    assert [former] * len(found) == found


@pytest.mark.parametrize(
    "text", ["Сервер находится в Риге.", "猫の名前はムーシャです。", "Der Drucker heißt Boris.", "Le logo est vert."]
)
def test_other_languages_say_nothing(text: str) -> None:
    assert [] == told(text)
