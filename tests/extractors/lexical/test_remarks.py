"""Remarks that change nothing, values that the next clause names, attributes that are one however they are spelt."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [(c.predicate, c.object, c.polarity, c.replaces_object) for c in extract_text(text).claims]


ENDED = [("uses", "Slack", "negative", None)]


@pytest.mark.parametrize(
    "remark",
    ["thank god", "thank goodness", "thankfully", "luckily", "finally", "at last", "tbh", "btw", "phew", "yay"],
)
def test_a_remark_leaves_a_change_whole(remark: str) -> None:
    assert said(f"I no longer use Slack, {remark}.") == ENDED
    assert said(f"I no longer use Slack. {remark.capitalize()}!") == ENDED
    assert said(f"I no longer use Slack, {remark} only at home.") == []


@pytest.mark.parametrize(
    "remark", ["thank god", "thank goodness", "thankfully", "luckily", "finally", "at last", "tbh"]
)
def test_a_remark_may_stand_without_a_comma(remark: str) -> None:
    assert said(f"I no longer use Slack {remark}.") == ENDED
    assert said(f"{remark.capitalize()}, I no longer use Slack.") == ENDED


@pytest.mark.parametrize("laughter", ["lol", "haha"])
def test_laughter_is_sincere_as_often_as_not(laughter: str) -> None:
    assert said(f"I no longer use Slack, {laughter}.") == []


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("I'm off sertraline now.", "I'm off sertraline currently."),
        ("I've been off sertraline now.", "I've been off sertraline for now."),
        ("My doctor took me off sertraline now.", "My doctor took me off sertraline right now."),
    ],
)
def test_a_medicine_is_over_now(text: str, control: str) -> None:
    assert said(text) == [("takes", "sertraline", "negative", None)]
    assert said(control) == []


@pytest.mark.parametrize("job", ["trainee", "apprentice", "intern", "paralegal", "teller"])
def test_the_next_clause_may_name_the_new_job(job: str) -> None:
    assert said(f"I'm not a student anymore, I'm a {job}.") == [
        ("role", "student", "negative", None),
        ("role", job, "positive", None),
    ]
    assert said(f"I'm not a student anymore, I'm a {job} at heart of it.") == []


def test_the_next_clause_may_name_the_new_person() -> None:
    assert said("My boss isn't Karen anymore, it's Priya.") == [
        ("boss", "Karen", "negative", None),
        ("boss", "Priya", "positive", "Karen"),
    ]
    assert said("My boss isn't Karen anymore, they're Priya.") == []


@pytest.mark.parametrize("favourite", ["favourite", "favorite"])
@pytest.mark.parametrize("colour", ["colour", "color"])
def test_an_attribute_is_one_however_it_is_spelt(favourite: str, colour: str) -> None:
    assert said(f"My {favourite} {colour} is green.") == [("favorite_color", "green", "positive", None)]
    assert said(f"My suitcase {colour} is green.") == said("My suitcase is green.")
    assert said(f"The logo's {colour} is green.") == said("The logo is green.")


@pytest.mark.parametrize(
    ("text", "control", "trait"),
    [
        ("I've been vegan for 6 years.", "I've been vegan.", "vegan"),
        ("I have been a vegetarian since 2019.", "I have been a vegetarian for fun.", "vegetarian"),
        ("Ann has been vegan for six years.", "Ann has been vegan at times.", "vegan"),
        ("I've been vegan for 6 years now.", "I've been vegan for 6 years, not anymore.", "vegan"),
    ],
)
def test_what_has_lasted_holds(text: str, control: str, trait: str) -> None:
    assert said(text) == [("is", trait, "positive", None)]
    assert said(control) == []
