"""What must be so of every policy that the registry finds, whatever its rules are."""

from __future__ import annotations

import pkgutil
import re
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prme.policy
from prme.model.claim import Claim
from prme.model.decision import Match, Reason
from prme.model.extraction import EpistemicType, Kind, Polarity, TemporalIntent
from prme.policy.object_match import ObjectMatching
from prme.policy.policy import Policy, Target
from prme.policy.registry import POLICIES, predicate_family
from prme.text_folding import fold_text
from tests.correction.claims import claim

every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)

PREDICATES = sorted(
    {"likes"}
    | {name for policy in POLICIES.values() for predicates in policy.predicate_classes for name in predicates}
    | {name for policy in POLICIES.values() for t in policy.transitions for name in (t.predicate, *t.replaces)}
)
words = st.one_of(
    st.sampled_from(["pump", "pumps", "insulin", "tv", "b12", "x-ray", "tom's", "ß", "насос", "東京", "i\u0307"]),
    st.text(min_size=1, max_size=4),
)
folded_texts = st.lists(words, min_size=1, max_size=6).map(" ".join).map(fold_text).filter(bool)


@st.composite
def targets_and_objects(draw: st.DrawFn) -> tuple[str, str]:
    """Return two folded texts, the first of them often a run of words of the second, so that many pairs match."""
    object_key = draw(folded_texts)
    parts = object_key.split()
    first = draw(st.integers(0, len(parts) - 1))
    last = draw(st.integers(first + 1, len(parts)))
    run = " ".join(parts[first:last])
    return draw(st.sampled_from([run, f"{run}s", run.removesuffix("s") or run]) | folded_texts), object_key


claims = st.builds(
    claim,
    st.just("a"),
    folded_texts,
    predicate=st.sampled_from(PREDICATES),
    replaces=st.none() | folded_texts,
    kind=st.sampled_from(get_args(Kind)),
    subject_id=st.sampled_from([None, "owner"]),
    polarity=st.sampled_from(get_args(Polarity)),
    epistemic_type=st.sampled_from(get_args(EpistemicType)),
    condition=st.sampled_from([None, "if it snows"]),
    temporal_intent=st.sampled_from([None, *get_args(TemporalIntent)]),
)


def is_found_where_it_is_sought(objects: ObjectMatching, target: str, object_key: str) -> bool:
    """Whether the target's cue leads to an object that the target names; nothing is asked of other objects."""
    return objects.match(target, object_key) is None or objects.target_cue(target) in objects.object_cues(object_key)


@every_policy
@given(pair=targets_and_objects())
def test_whatever_a_target_names_is_kept_under_its_cue(policy: Policy, pair: tuple[str, str]):
    assert is_found_where_it_is_sought(policy.objects, *pair)


@every_policy
@given(text=folded_texts)
def test_a_target_names_its_own_text(policy: Policy, text: str):
    assert policy.objects.match(text, text) == "exact"


@every_policy
@given(pair=targets_and_objects())
def test_a_match_is_one_that_decisions_can_name(policy: Policy, pair: tuple[str, str]):
    assert policy.objects.match(*pair) in (None, *get_args(Match))


def test_an_object_that_its_cues_leave_out_is_noticed():
    shorthand = POLICIES["speech_act_v14"].objects
    broken = ObjectMatching(shorthand.match, lambda text: (text.split()[0],), shorthand.target_cue, says="")

    assert not is_found_where_it_is_sought(broken, "pump", "insulin pump")
    assert is_found_where_it_is_sought(broken, "insulin", "insulin pump")


@every_policy
@given(correction=claims)
def test_a_claim_has_a_target_by_a_rule_that_the_policy_lists_or_a_reason(policy: Policy, correction: Claim):
    concluded = policy.authority(correction)

    if isinstance(concluded, Target):
        assert concluded.rule in policy.rules
    else:
        assert concluded in get_args(Reason)


@every_policy
@given(correction=claims)
def test_a_claim_of_an_unresolved_subject_corrects_nothing(policy: Policy, correction: Claim):
    assert correction.subject_id is not None or not isinstance(policy.authority(correction), Target)


@every_policy
def test_every_rule_of_a_policy_gives_some_claim_a_target(policy: Policy):
    ways: list[dict[str, Any]] = [
        {"polarity": polarity, "replaces": former, "temporal_intent": intent}
        for polarity, former, intent in product(get_args(Polarity), (None, "Sketch"), (None, *get_args(TemporalIntent)))
    ]
    found = (policy.authority(claim("a", predicate=name, **way)) for name, way in product(PREDICATES, ways))

    assert {target.rule for target in found if isinstance(target, Target)} == set(policy.rules)


@every_policy
def test_the_rules_of_a_policy_have_names_of_their_own(policy: Policy):
    assert len({rule.name for rule in policy.rules}) == len(policy.rules)


@every_policy
def test_predicates_that_a_policy_relates_are_of_one_family(policy: Policy):
    strangers = [
        (later, earlier)
        for later, earlier in product(PREDICATES, PREDICATES)
        if policy.relation(claim("b", predicate=later), claim("a", predicate=earlier)) is not None
        and earlier not in predicate_family(later)
    ]

    assert strangers == []


def test_every_policy_stands_under_the_name_and_number_of_its_module():
    modules = [found.name for found in pkgutil.iter_modules(prme.policy.__path__)]
    named = {name: int(name.removeprefix("speech_act_v")) for name in modules if re.search(r"_v\d+$", name)}

    assert {name: (policy.name, policy.number) for name, policy in POLICIES.items()} == {
        name: (name, number) for name, number in named.items()
    }


def test_policies_stand_in_order_from_old_to_new():
    numbers = [policy.number for policy in POLICIES.values()]

    assert numbers == sorted(set(numbers))
