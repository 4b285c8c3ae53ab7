"""What a claim may correct under each policy, or the reason why it corrects nothing (SPEC 8.1, 8.3)."""

from __future__ import annotations

from typing import Any

import pytest

from prme.policy.policy import Target
from prme.policy.speech_act_v13 import POLICY as POLICY_V13
from prme.policy.speech_act_v14 import DENIAL, NAMED_REPLACEMENT
from prme.policy.speech_act_v14 import POLICY as POLICY_V14
from tests.correction.claims import denial, update


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (denial("a", "Figma"), Target("figma", DENIAL)),
        (denial("a", "Figma", replaces="Sketch"), Target("sketch", NAMED_REPLACEMENT)),
        (update("a", "Figma", replaces="Sketch"), Target("sketch", NAMED_REPLACEMENT)),
        (update("a", "Figma"), "no_target"),
        (update("a", "Figma", subject_id=None), "no_target"),
        (denial("a", "Figma", subject_id=None), "unresolved_subject"),
        (update("a", "Figma", replaces="Sketch", subject_id=None), "unresolved_subject"),
        (update("a", "Figma", replaces="Sketch", polarity="unknown"), "polarity_unknown"),
    ],
)
def test_the_target_is_the_named_value_and_else_the_denied_object(correction: Any, expected: Target | str):
    assert expected == POLICY_V14.authority(correction)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (update("a", "Figma", replaces="Sketch"), Target("sketch", NAMED_REPLACEMENT)),
        (update("a", "Figma"), "no_target"),
        (denial("a", "Figma"), "no_target"),
        (denial("a", "Figma", replaces="Sketch"), "no_target"),
        (update("a", "Figma", replaces="Sketch", subject_id=None), "unresolved_subject"),
    ],
)
def test_the_older_policy_knows_the_named_positive_replacement_alone(correction: Any, expected: Target | str):
    assert expected == POLICY_V13.authority(correction)


@pytest.mark.parametrize("policy", [POLICY_V13, POLICY_V14], ids=lambda policy: policy.name)
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"temporal_intent": None}, "not_an_update"),
        ({"condition": "if it snows"}, "conditional"),
        ({"epistemic_type": "inferred"}, "not_asserted"),
        ({"polarity": "unknown"}, "polarity_unknown"),
    ],
)
def test_an_obstacle_comes_before_any_target(policy: Any, fields: dict[str, Any], reason: str):
    blocked = update("a", "Figma", replaces="Sketch", **fields)

    assert reason == policy.authority(blocked)


def test_only_the_newer_policy_binds_the_owner():
    assert (POLICY_V13.binds_owner, POLICY_V14.binds_owner) == (False, True)
