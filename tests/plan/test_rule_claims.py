"""The words that a claim's decision rests on: what names its target, its condition, or its own sentences."""

from __future__ import annotations

from typing import Any

import pytest

from prme.model.claim import Claim, Evidence
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction
from prme.plan.codec import decode_plan
from prme.plan.rule_claims import rule_claims
from tests.plan.plans import event, prepared

V13, V14 = "speech_act_v13", "speech_act_v14"


def seen_by_the_rules(
    content: str,
    *claims: ExtractedClaim,
    entities: tuple[str, ...] = (),
    policy: str = V14,
    **said: Any,
) -> list[Claim]:
    listed = tuple(ExtractedEntity(name=name, entity_type="person") for name in entities)
    plan = prepared(event(content, **said), Extraction(entities=listed, claims=claims), policy=policy).plan
    return list(rule_claims(plan))


def states(predicate: str, obj: str, **fields: Any) -> ExtractedClaim:
    plain = {"subject": "I", "polarity": "positive", "temporal_intent": "update"}
    return ExtractedClaim(predicate=predicate, object=obj, **{**plain, **fields})


def denies(predicate: str, obj: str, **fields: Any) -> ExtractedClaim:
    return states(predicate, obj, **{"polarity": "negative", **fields})


def trigger(content: str, claim: ExtractedClaim, **options: Any) -> str:
    """Return the trigger of the one claim of a message, after its span is seen to slice the message to it."""
    [found] = seen_by_the_rules(content, claim, **options)
    words = found.trigger
    assert content[words.start : words.end] == words.quote
    assert words.event_id == found.event_id
    return words.quote


def test_a_denial_rests_on_the_words_for_what_it_denies():
    assert trigger("I don't use the pump anymore.", denies("uses", "pump")) == "pump"


def test_a_named_replacement_rests_on_the_former_value():
    assert trigger("I use Plane, not Trello.", states("uses", "Plane", replaces_object="Trello")) == "Trello"


def test_a_denial_that_names_a_former_value_rests_on_that_value():
    left = denies("uses", "Trello", replaces_object="Jira")

    assert trigger("I never used Trello, I dropped Jira.", left) == "Jira"


def test_the_claims_own_sentences_come_before_those_around_them():
    content = "Trello is old. I use Plane, not Trello. Trello was slow."
    [found] = seen_by_the_rules(content, states("uses", "Plane", replaces_object="Trello"))

    assert (found.trigger.start, found.trigger.end) == (32, 38)


def test_a_former_value_of_another_sentence_is_found_there():
    content = "I use Plane now. Trello was slow, and Trello was dear."
    [found] = seen_by_the_rules(content, states("uses", "Plane", replaces_object="Trello"))

    assert found.trigger == Evidence(event_id=found.event_id, start=17, end=23, quote="Trello")


def test_a_quote_keeps_the_search_in_its_passage():
    content = "Trello is old.\n\nI use Plane now. Trello was slow."
    plane = states("uses", "Plane", replaces_object="Trello")
    [quoting] = seen_by_the_rules(content, plane.model_copy(update={"evidence_quote": "I use Plane now."}))
    [whole] = seen_by_the_rules(content, plane)

    assert (quoting.trigger.start, whole.trigger.start) == (33, 0)


def test_part_of_a_word_is_not_what_names_the_target():
    content = "I hate pumps. I don't use the pump."
    [found] = seen_by_the_rules(content, denies("uses", "pump"))

    assert (found.trigger.start, found.trigger.quote) == (30, "pump")


def test_a_condition_of_the_message_is_what_its_claim_rests_on():
    quit_if = denies("takes", "metformin", condition="if I fast")

    assert trigger("I no longer take metformin if I  fast.", quit_if) == "if I  fast"


def test_a_condition_that_the_message_does_not_contain_leaves_the_own_sentences():
    quit_if = denies("takes", "metformin", condition="on fasting days")

    assert trigger("Hello. I no longer take metformin.", quit_if) == "I no longer take metformin."


def test_a_condition_of_a_claim_that_is_no_update_is_not_what_decides():
    takes_if = states("takes", "metformin", condition="if I fast", temporal_intent=None)

    assert trigger("I take metformin if I fast.", takes_if) == "I take metformin if I fast."


@pytest.mark.parametrize(
    "fields",
    [
        {"temporal_intent": None},
        {"polarity": "unknown"},
        {"epistemic_type": "inferred"},
        {"polarity": "positive"},
    ],
)
def test_a_claim_without_authority_rests_on_its_own_sentences(fields: dict[str, Any]):
    content = "Hello there. I don't use Trello."

    assert trigger(content, denies("uses", "Trello", **fields)) == "I don't use Trello."
    assert trigger(content, denies("uses", "Trello")) == "Trello"


def test_a_claim_about_somebody_unknown_rests_on_its_own_sentences():
    content = "Hello there. Nadia left chess."
    left = denies("plays", "chess", subject="Nadia")

    assert trigger(content, left) == "Nadia left chess."
    assert trigger(content, left, entities=("Nadia",)) == "chess"


def test_a_former_value_that_grounding_dropped_leaves_no_target_to_name():
    plane = states("uses", "Plane", replaces_object="Trello")

    assert trigger("Hello there. I use Plane.", plane) == "I use Plane."


def test_the_policy_of_the_plan_decides_what_is_a_target():
    content = "Hello there. I don't use Trello."

    assert trigger(content, denies("uses", "Trello"), policy=V13) == "I don't use Trello."


def test_a_target_of_the_first_person_may_be_any_of_its_forms():
    left = denies("employs", "me", subject="Acme")

    assert trigger("Acme, my old firm, dropped me.", left, entities=("Acme",)) == "my"


def test_own_sentences_are_the_words_when_the_subject_is_the_first_person():
    assert trigger("Hello. My role is baker.", states("role", "baker")) == "My role is baker."


@pytest.mark.parametrize(
    ("content", "obj", "words"),
    [
        ("I don't use the Insulin \n Pump.", "insulin pump", "Insulin \n Pump"),
        ("\U0001f980\U0001f980 I don't use \U0001f980 Figma.", "figma", "Figma"),
        ("I don't drink \U0001f375.", "\U0001f375", "\U0001f375"),
        ("I don't visit the Cafe\u0301 anymore.", "Caf\u00e9", "Cafe\u0301"),
        ("I don't visit the Caf\u00e9 anymore.", "Cafe\u0301", "Caf\u00e9"),
        ("I don't live in STRASSE 5.", "Stra\u00dfe 5", "STRASSE 5"),
        ("I don't use \uff26\uff49\uff47\uff4d\uff41.", "Figma", "\uff26\uff49\uff47\uff4d\uff41"),
        ("I don't use инсулиновый насос.", "Инсулиновый насос", "инсулиновый насос"),
        ("I don't live in 東京 anymore.", "東京", "東京"),
        ("I don't read \u201cMaus\u201d.", "'maus'", "\u201cMaus\u201d"),
    ],
    ids=["blanks", "emoji before it", "emoji", "combining", "composed", "sharp s", "wide", "Cyrillic", "Han", "quotes"],
)
def test_words_of_any_script_are_sliced_as_they_stand(content: str, obj: str, words: str):
    assert trigger(content, denies("uses", obj)) == words


def test_each_claim_of_a_message_has_its_own_trigger():
    content = "I don't use Trello. I don't use Jira. I use Plane."
    found = seen_by_the_rules(
        content, denies("uses", "Jira"), denies("uses", "Trello"), states("uses", "Plane", replaces_object="Jira")
    )

    assert [claim.trigger.start for claim in found] == [32, 12, 32]


def test_a_rejected_claim_before_it_does_not_shift_a_claims_quote():
    content = "Trello is old.\n\nI don't use Trello. Trello was slow."
    rejected = states("uses", "Figma")
    quoting = denies("uses", "Trello", evidence_quote="I don't use Trello.")
    [found] = seen_by_the_rules(content, rejected, quoting)

    assert (found.position, found.trigger.start) == (1, 28)


def test_a_plan_read_back_gives_the_same_values():
    new = prepared(event("I don't use Trello."), Extraction(claims=(denies("uses", "Trello"),)))

    assert rule_claims(new.plan) == rule_claims(decode_plan(new.data))
