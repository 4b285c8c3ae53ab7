"""What was left, cancelled, deleted or called off, each beside the nearest sentence in which nothing is over."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str]


def said(text: str) -> set[Said]:
    return {(c.predicate, c.object, c.polarity) for c in extract_text(text).claims}


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("I left Nike.", "I left Nike on the shelf.", ("works_at", "Nike", "negative")),
        ("I left Nike last month.", "I left Nike an hour ago.", ("works_at", "Nike", "negative")),
        ("I recently left Nike.", "I just left Nike.", ("works_at", "Nike", "negative")),
        ("i left nike", "i left larkspur", ("works_at", "nike", "negative")),
        ("I left Larkspur.", "I left Paris.", ("works_at", "Larkspur", "negative")),
        ("I left Larkspur.", "I left Tom.", ("works_at", "Larkspur", "negative")),
        ("I left Larkspur.", "I left Tuesday.", ("works_at", "Larkspur", "negative")),
        ("I left Larkspur.", "I left Grandma's.", ("works_at", "Larkspur", "negative")),
        ("Ann left Nike.", "Ann left Nike and the lights on.", ("works_at", "Nike", "negative")),
        ("I deleted Instagram.", "I deleted Instagram from my old phone.", ("uses", "Instagram", "negative")),
        ("i deleted instagram", "i deleted everything", ("uses", "instagram", "negative")),
        ("I deleted Obsidian.", "I deleted Obsidian notes.", ("uses", "Obsidian", "negative")),
        ("I deleted Obsidian.", "I deleted Priya.", ("uses", "Obsidian", "negative")),
        ("I deleted Obsidian.", "I deleted Google.", ("uses", "Obsidian", "negative")),
        ("I deleted my Facebook account.", "I deleted my old account.", ("uses", "Facebook", "negative")),
        ("I closed my PayPal account.", "I closed my Samsung account.", ("uses", "PayPal", "negative")),
        ("i uninstalled tinder", "i uninstalled tinder on her phone", ("uses", "tinder", "negative")),
        ("i uninstalled larkspur", "i uninstalled settings", ("uses", "larkspur", "negative")),
        ("I cancelled Netflix.", "I cancelled your Netflix.", ("has", "Netflix", "negative")),
        ("I cancelled Netflix.", "I cancelled my mom's Netflix subscription.", ("has", "Netflix", "negative")),
        ("I cancelled Netflix.", "I cancelled Christmas.", ("has", "Netflix", "negative")),
        ("I cancelled my Hulu plan.", "I cancelled my Hulu plan for mom.", ("subscribes_to", "Hulu", "negative")),
        ("I ended my gym membership.", "I ended my gym session.", ("has", "gym membership", "negative")),
        ("I unsubscribed from Netflix.", "I unsubscribed from your list.", ("subscribes_to", "Netflix", "negative")),
        (
            "I'm no longer subscribed to HBO.",
            "I'm no longer subscribed to that view.",
            ("subscribes_to", "HBO", "negative"),
        ),
        ("I stopped going to yoga.", "I stopped going to bed.", ("goes_to", "yoga", "negative")),
        ("I stopped using Slack for good.", "I stopped using Slack for good reasons.", ("uses", "Slack", "negative")),
        ("My trip to Peru is off.", "My trip to Peru is off to a good start.", ("plans_to_visit", "Peru", "negative")),
        ("My Peru trip was cancelled.", "My Peru flight was cancelled.", ("plans_to_visit", "Peru", "negative")),
        ("I'm not going to Peru anymore.", "I'm not going to Peru.", ("plans_to_go_to", "Peru", "negative")),
        ("im not going to peru anymore", "im not going to cook anymore", ("plans_to_visit", "peru", "negative")),
        ("I stopped dating Tom.", "I stopped dating men.", ("dating", "Tom", "negative")),
        ("I'm no longer with Nike.", "I'm no longer with Tom.", ("works_at", "Nike", "negative")),
        (
            "I cancelled my plan to visit Lima.",
            "I cancelled my plan to sleep in.",
            ("plans_to_visit", "Lima", "negative"),
        ),
        ("My dentist is no longer Dr. Hale.", "My dentist is no longer funny.", ("dentist", "Dr. Hale", "negative")),
        ("I stepped down as treasurer.", "I stepped down as gently as possible.", ("role", "treasurer", "negative")),
        ("I resigned as captain.", "I resigned as captain for one match.", ("role", "captain", "negative")),
        ("I dropped out of Leiden.", "I dropped out of Zoom.", ("studies_at", "Leiden", "negative")),
        ("I graduated from Leiden.", "I graduated from Leiden's kindergarten.", ("studies_at", "Leiden", "negative")),
        ("Tom and I split up last month.", "Tom and I split up last night.", ("dating", "Tom", "negative")),
        ("I left Nike! Great news.", "I left Nike! Great sale.", ("works_at", "Nike", "negative")),
        ("I left Nike.", "I left Nike or Adidas.", ("works_at", "Nike", "negative")),
        ("I left Nike.", "Turns out I left Nike.", ("works_at", "Nike", "negative")),
        ("Tom and I broke up.", "Tom and I broke up the fight.", ("dating", "Tom", "negative")),
        ("me and tom split up", "me and tom split up the bill", ("dating", "tom", "negative")),
        ("Tom and I broke up.", "He and I broke up.", ("dating", "Tom", "negative")),
        ("Joe and I got divorced.", "Joe and Kim got divorced.", ("married_to", "Joe", "negative")),
        ("My boyfriend and I broke up.", "My brother and I broke up.", ("has", "boyfriend", "negative")),
    ],
)
def test_what_ended_is_denied(text: str, control: str, expected: Said) -> None:
    assert expected in said(text)
    assert set() == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("I subscribe to Netflix.", "I subscribe to that view.", ("subscribes_to", "Netflix", "positive")),
        ("i'm subscribed to hbo", "i'm subscribed to your list", ("subscribes_to", "hbo", "positive")),
        ("I have Netflix.", "I have hope.", ("has", "Netflix", "positive")),
        ("I follow Arsenal.", "I follow your advice.", ("follows", "Arsenal", "positive")),
        ("I go to yoga.", "I go to bed.", ("goes_to", "yoga", "positive")),
        ("I started a new job at Adidas.", "I started a new job at noon.", ("works_at", "Adidas", "positive")),
        ("I switched jobs from Nike to Adidas.", "I switched jobs to nights.", ("works_at", "Adidas", "positive")),
        ("My dentist is Dr. Hale.", "My dentist is hale.", ("dentist", "Dr. Hale", "positive")),
    ],
)
def test_what_may_end_so_is_told(text: str, control: str, expected: Said) -> None:
    assert {expected} == said(text)
    assert set() == said(control)


def test_a_cancelled_subscription_is_told_of_in_both_words() -> None:
    ended = said("I cancelled my Netflix subscription.")

    assert {("has", "Netflix", "negative"), ("has", "Netflix subscription", "negative")} <= ended
    assert {("has", "gym membership", "negative")} == said("I cancelled my gym membership.")


def test_two_clauses_are_cut_where_only_one_of_two_broke_up() -> None:
    assert ("dating", "Tom", "negative") in said("I moved to Oslo and I broke up with Tom.")


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("I switched jobs from Nike to Adidas.", "Nike"),
        ("My dentist is Dr. Obi now, not Dr. Hale.", "Dr. Hale"),
    ],
)
def test_a_change_of_job_or_doctor_names_the_former_one(text: str, former: str) -> None:
    assert [former] == [claim.replaces_object for claim in extract_text(text).claims]
