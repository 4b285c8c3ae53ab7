"""Policies are found when the registry is loaded, so nobody has to list them."""

from __future__ import annotations

import runpy

from prme.policy import registry
from prme.policy.speech_act_v13 import POLICY as POLICY_V13
from prme.policy.speech_act_v14 import POLICY as POLICY_V14


def test_a_fresh_load_finds_every_policy():
    loaded = runpy.run_path(registry.__file__, run_name=registry.__name__)

    assert loaded["POLICIES"] == registry.POLICIES
    assert {POLICY_V13.name, POLICY_V14.name} <= loaded["POLICIES"].keys()
