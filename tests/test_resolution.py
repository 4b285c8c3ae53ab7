"""Whom a claim is about: a name that is listed, a declared first person, or somebody in this event only (SPEC 6)."""

from __future__ import annotations

from typing import Any

import pytest

from prme import ids
from prme.model.claim import GroundedClaim
from prme.model.extraction import ExtractedEntity, Extraction
from prme.model.message import Event
from prme.model.plan import PlannedClaim, PlannedEntity
from prme.policy.registry import POLICIES
from prme.resolution import OTHER_PRONOUNS, is_local, resolve_entities, resolve_subjects
from tests.correction.claims import V13, V14
from tests.plan.plans import FIGMA, OCCURRED_AT, event, prepared

FIVE_FORMS = ["I", "me", "my", "mine", "myself"]
OWNER = ids.owner_identity("u1", "personal")


def named(name: str, entity_type: str = "person", scope: str = "personal", owner: str = "u1") -> str:
    return ids.entity_id(owner, scope, entity_type, name)


def listed(*entities: tuple[str, str]) -> Extraction:
    return Extraction(
        entities=tuple(ExtractedEntity(name=name, entity_type=entity_type) for name, entity_type in entities)
    )


def subject(
    name: str,
    entities: Extraction = Extraction(),  # noqa: B008 - frozen
    *,
    of: Event | None = None,
    subject_entity_type: str | None = None,
    policy: str = V14,
    speaker_references: bool = True,
) -> str | None:
    claim = GroundedClaim(
        position=0,
        subject=name,
        predicate="uses",
        object="Figma",
        kind="fact",
        polarity="positive",
        epistemic_type="asserted",
        condition=None,
        condition_supported=None,
        temporal_intent=None,
        replaces_object=None,
        temporal_ref=None,
        effective_at=OCCURRED_AT,
        confidence=None,
        subject_entity_type=subject_entity_type,
        object_entity_type=None,
        spans=(),
        content="",
    )
    [found] = resolve_subjects(
        event(first_person_owner=False) if of is None else of,
        [claim],
        entities,
        policy=POLICIES[policy],
        enable_speaker_references=speaker_references,
    )
    return found


def local(of: Event, pronoun: str) -> str:
    return ids.local_identity(of.id, pronoun)


OF_THE_OWNER = event()
OF_NOBODY = event(first_person_owner=False)
OF_INES = event(first_person_owner=False, speaker="Ines")


# names


def test_a_listed_name_is_the_entity_of_its_type():
    assert subject("Nadia", listed(("Nadia", "person"))) == named("Nadia")


def test_a_name_that_is_not_listed_stays_unresolved():
    assert subject("Nadia", listed(("Omar", "person"))) is None


@pytest.mark.parametrize("name", ["NADIA", " nadia", "\uff2eadia"])
def test_a_name_is_compared_folded(name: str):
    assert subject(name, listed(("Nadia", "person"))) == named("Nadia")


@pytest.mark.parametrize("entity_type", ["Person", " person ", "PERSON"])
def test_a_type_is_trimmed_and_case_folded(entity_type: str):
    assert subject("Nadia", listed(("Nadia", entity_type))) == named("Nadia")
    assert subject("Nadia", listed(("Nadia", "person")), subject_entity_type=entity_type) == named("Nadia")


def test_a_type_that_differs_in_form_is_listed_once():
    assert subject("Nadia", listed(("Nadia", "person"), ("nadia", " Person "))) == named("Nadia")


def test_a_name_with_several_types_stays_unresolved():
    assert subject("Georgia", listed(("Georgia", "person"), ("Georgia", "country"))) is None


def test_a_name_with_several_types_is_the_one_that_the_claim_names():
    both = listed(("Georgia", "person"), ("Georgia", "country"))

    assert subject("Georgia", both, subject_entity_type="country") == named("Georgia", "country")


def test_a_type_that_is_not_listed_leaves_the_name_unresolved():
    assert subject("Nadia", listed(("Nadia", "person")), subject_entity_type="company") is None


def test_a_blank_name_of_a_type_lists_nothing():
    assert subject("Nadia", listed(("Nadia", " "))) is None
    assert subject("Nadia", listed(("Nadia", " "), ("Nadia", "person"))) == named("Nadia")


def test_the_same_name_is_another_entity_in_another_scope_and_of_another_owner():
    found = {
        subject("Nadia", listed(("Nadia", "person")), of=event(first_person_owner=False, scope=scope, user_id=owner))
        for scope in ("personal", "work")
        for owner in ("u1", "u2")
    }

    assert found == {named("Nadia", "person", scope, owner) for scope in ("personal", "work") for owner in ("u1", "u2")}


def test_a_name_is_the_same_entity_in_every_event():
    other = event(first_person_owner=False, message_id="m2")

    assert subject("Nadia", listed(("Nadia", "person")), of=other) == named("Nadia")


# the declared owner


@pytest.mark.parametrize("form", [*FIVE_FORMS, "MYSELF", " Me "])
def test_the_five_forms_of_a_declared_owner_are_one_identity(form: str):
    assert subject(form, of=OF_THE_OWNER) == OWNER


def test_without_the_declaration_the_first_person_is_local():
    assert subject("I", of=OF_NOBODY) == local(OF_NOBODY, "i")


def test_the_owner_is_another_identity_per_owner_and_scope():
    found = {
        subject("I", of=event(user_id=owner, scope=scope)) for owner in ("u1", "u2") for scope in ("personal", "work")
    }

    assert len(found) == 4


def test_the_owner_is_the_same_identity_in_every_event():
    assert subject("I", of=event(message_id="m2")) == OWNER


def test_the_owner_never_merges_with_a_named_entity():
    assert subject("u1", listed(("u1", "person")), of=OF_THE_OWNER) == named("u1") != OWNER


def test_the_older_policy_has_no_owner():
    assert subject("I", of=OF_THE_OWNER, policy=V13) == local(OF_THE_OWNER, "i")


def test_speaker_references_do_not_matter_to_the_owner():
    assert subject("I", of=OF_THE_OWNER, speaker_references=False) == OWNER


# a named speaker


@pytest.mark.parametrize("form", FIVE_FORMS)
def test_the_five_forms_of_a_named_speaker_are_the_person_of_that_name(form: str):
    assert subject(form, of=OF_INES) == named("Ines")


def test_what_is_said_about_the_speaker_by_name_is_about_the_same_person():
    assert subject("ines", listed(("Ines", "person"))) == subject("I", of=OF_INES)


def test_speaker_references_can_be_turned_off():
    assert subject("I", of=OF_INES, speaker_references=False) == local(OF_INES, "i")


def test_the_older_policy_knows_the_speaker():
    assert subject("I", of=OF_INES, policy=V13) == named("Ines")


def test_another_speaker_is_another_person():
    assert subject("I", of=event(first_person_owner=False, speaker="Omar")) == named("Omar") != named("Ines")


# pronouns of this event only


@pytest.mark.parametrize("form", FIVE_FORMS)
def test_undeclared_forms_are_one_somebody_of_this_event(form: str):
    assert subject(form, of=OF_NOBODY) == local(OF_NOBODY, "i")


def test_an_undeclared_first_person_is_another_one_in_the_next_event():
    other = event(first_person_owner=False, message_id="m2")

    assert subject("I", of=other) == local(other, "i") != local(OF_NOBODY, "i")


@pytest.mark.parametrize("of", [OF_THE_OWNER, OF_INES, OF_NOBODY], ids=["owner", "speaker", "nobody"])
@pytest.mark.parametrize("pronoun", ["we", "our", "ourselves", "you", "they", "he", "she", "her", "it", "this", "who"])
def test_every_other_pronoun_is_local_whoever_speaks(pronoun: str, of: Event):
    assert subject(pronoun.upper(), of=of) == local(of, pronoun)


def test_two_other_pronouns_are_two_identities():
    assert subject("he") != subject("she")


def test_no_first_person_form_is_among_the_other_pronouns():
    assert OTHER_PRONOUNS.isdisjoint(form.lower() for form in FIVE_FORMS)


def test_a_pronoun_that_is_listed_as_a_person_is_a_pronoun_still():
    assert subject("I", listed(("I", "person")), of=OF_THE_OWNER) == OWNER
    assert subject("she", listed(("She", "Person")), of=OF_THE_OWNER) == local(OF_THE_OWNER, "she")


def test_a_word_that_is_listed_as_something_else_is_no_pronoun():
    assert subject("I", listed(("I", "chemical")), of=OF_THE_OWNER) == named("I", "chemical")
    assert subject("It", listed(("It", "novel")), of=OF_THE_OWNER) == named("It", "novel")


def test_a_word_that_is_listed_as_both_is_a_pronoun_unless_the_claim_types_it():
    both = listed(("I", "person"), ("I", "chemical"))

    assert subject("I", both, of=OF_THE_OWNER) == OWNER
    assert subject("I", both, of=OF_THE_OWNER, subject_entity_type="person") == OWNER
    assert subject("I", both, of=OF_THE_OWNER, subject_entity_type="chemical") == named("I", "chemical")


def test_a_pronoun_that_the_claim_types_as_something_unlisted_stays_unresolved():
    assert subject("I", of=OF_THE_OWNER, subject_entity_type="chemical") is None


def test_a_pronoun_that_the_claim_types_as_a_person_is_one():
    assert subject("I", of=OF_THE_OWNER, subject_entity_type=" Person ") == OWNER


@pytest.mark.parametrize("name", ["I.", "i'm", "Mine Ltd", "meme", "ii"])
def test_a_word_that_only_begins_like_one_is_no_pronoun(name: str):
    assert subject(name, of=OF_THE_OWNER) is None


# entities


def test_entities_are_listed_once_in_order_of_first_mention():
    extraction = listed(("Nadia", "person"), ("Figma", " Tool "), ("NADIA", "Person"), ("Nadia", "boat"))

    assert resolve_entities(OF_NOBODY, extraction) == (
        PlannedEntity(id=named("Nadia"), name="Nadia", entity_type="person"),
        PlannedEntity(id=named("Figma", "tool"), name="Figma", entity_type="tool"),
        PlannedEntity(id=named("Nadia", "boat"), name="Nadia", entity_type="boat"),
    )


@pytest.mark.parametrize("entity", [("I", "person"), ("She", " Person"), ("", "person"), (" ", "tool"), ("Figma", " ")])
def test_pronouns_and_blanks_are_no_entities(entity: tuple[str, str]):
    assert resolve_entities(OF_NOBODY, listed(entity)) == ()


def test_what_is_left_out_hides_no_entity_after_it():
    [found] = resolve_entities(OF_NOBODY, listed(("I", "person"), ("Figma", " "), ("Nadia", "person")))

    assert found.id == named("Nadia")


def test_a_pronoun_of_another_type_is_an_entity():
    [found] = resolve_entities(OF_NOBODY, listed(("I", "chemical")))

    assert found.id == named("I", "chemical")


def test_entities_belong_to_owner_and_scope():
    [found] = resolve_entities(event(user_id="u2", scope="work"), listed(("Nadia", "person")))

    assert found.id == named("Nadia", "person", "work", "u2")


# what can be known outside the event


def planned(name: str, of: Event, entities: tuple[ExtractedEntity, ...] = ()) -> PlannedClaim:
    extraction = Extraction(entities=entities, claims=(FIGMA.model_copy(update={"subject": name}),))
    fields: dict[str, Any] = of.model_dump(exclude={"id", "content", "content_digest", "metadata_json"})
    [claim] = prepared(event(f"{name} work with Figma.", **fields), extraction).plan.claims
    return claim


@pytest.mark.parametrize(
    ("name", "of", "expected"),
    [
        ("I", OF_NOBODY, True),
        ("Me", OF_NOBODY, True),
        ("We", OF_THE_OWNER, True),
        ("They", OF_INES, True),
        ("Nadia", OF_NOBODY, True),
        ("I", OF_THE_OWNER, False),
        ("I", OF_INES, False),
    ],
    ids=["I of nobody", "me of nobody", "we", "they", "unlisted", "I of the owner", "I of a speaker"],
)
def test_pronouns_and_unresolved_names_are_local_and_declared_people_are_not(name: str, of: Event, expected: bool):
    assert is_local(of, planned(name, of)) is expected


def test_a_listed_name_is_not_local():
    assert (
        is_local(OF_NOBODY, planned("Nadia", OF_NOBODY, (ExtractedEntity(name="Nadia", entity_type="person"),)))
        is False
    )
