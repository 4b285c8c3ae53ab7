"""`prme policies` lists the rule sets of this release, or shows everything that one of them decides by."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from prme.policy.policy import Policy
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY, POLICIES

every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


@every_policy
def test_the_list_says_the_rules_of_a_policy(run, policy: Policy):
    page = " ".join(run("policies").stdout.split())

    assert [rule for rule in policy.rules if f"{rule.name}: {rule.says}" not in page] == []


def test_the_list_goes_from_old_to_new_and_marks_default_and_newest(run):
    headings = [line for line in run("policies").stdout.splitlines() if not line.startswith(" ")]

    assert [heading.split()[0] for heading in headings] == list(POLICIES)
    assert [heading.split()[0] for heading in headings if "default" in heading] == [DEFAULT_POLICY]
    assert [heading.split()[0] for heading in headings if "newest" in heading] == [NEWEST_POLICY.name]


def test_the_list_as_json_is_what_the_page_says(run):
    listed = json.loads(run("policies", "--json").stdout)

    assert [(found["name"], found["number"]) for found in listed] == [(p.name, p.number) for p in POLICIES.values()]
    assert [found["name"] for found in listed if found["default"]] == [DEFAULT_POLICY]
    assert [found["name"] for found in listed if found["newest"]] == [NEWEST_POLICY.name]
    assert [found["rules"] for found in listed] == [[asdict(r) for r in p.rules] for p in POLICIES.values()]


def test_a_policy_is_shown_with_its_rules_predicates_transitions_and_bounds(run):
    page = run("policies", "speech_act_v14").stdout

    assert page.startswith("speech_act_v14 (default")
    assert 'The "I" of a declared owner is the same person in every message.' in page
    assert "  denial: a denial that says something changed ends what it denies\n" in page
    assert "  employed_at, employed_by, joined, works_at\n" in page
    assert "  switched_to replaces use, uses, each a fact\n" in page
    assert "    most words of a shorthand: 3\n" in page


def test_what_a_policy_does_not_have_is_not_on_its_page(run):
    page = run("policies", "speech_act_v13").stdout

    assert 'The "I" of a declared owner is known in its own message only.' in page
    assert "Transitions" not in page
    assert "most words" not in page
    assert "denial" not in page


@every_policy
def test_the_page_gives_the_size_of_every_word_list(run, policy: Policy):
    lines = [line.split() for line in run("policies", policy.name).stdout.splitlines()]

    assert [
        [name, f"{len(words):,}"]
        for name, words in asdict(policy.words).items()
        if [name, f"{len(words):,}"] not in lines
    ] == []


@every_policy
def test_one_policy_as_json_is_its_data(run, policy: Policy):
    data = json.loads(run("policies", policy.name, "--json").stdout)

    assert data["binds_owner"] is policy.binds_owner
    assert tuple(map(frozenset, data["predicate_classes"])) == policy.predicate_classes
    assert [(t["predicate"], frozenset(t["replaces"]), t["kind"]) for t in data["transitions"]] == [
        (t.predicate, t.replaces, t.kind) for t in policy.transitions
    ]
    assert data["objects"] == {"says": policy.objects.says, "bounds": [asdict(b) for b in policy.objects.bounds]}
    assert data["words"] == json.loads(json.dumps(asdict(policy.words)))


def test_one_policy_as_json_begins_with_what_the_list_says_of_it(run):
    [first, *_] = json.loads(run("policies", "--json").stdout)
    one = json.loads(run("policies", first["name"], "--json").stdout)

    assert first.items() <= one.items()


def test_an_unknown_policy_is_one_line_that_names_it_and_the_way_out(run):
    result = run("policies", "speech_act_v99")

    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert "'speech_act_v99' is not known to this release" in result.stderr
    assert "upgrade prme" in result.stderr


@pytest.mark.parametrize("arguments", [(), ("speech_act_v13",)])
def test_it_needs_no_store_and_makes_none(run, tmp_path: Path, arguments: tuple[str, ...]):
    assert run("--store", "nowhere", "policies", *arguments).exit_code == 0
    assert list(tmp_path.iterdir()) == []
