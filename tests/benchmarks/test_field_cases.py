"""Field cases are compared by what they say, and what is retired wrongly is always told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.field_cases import Outcome, Triple, main, read_cases, run_case, totals


def case(*texts: str, **expect: list[str]) -> dict[str, Any]:
    return {
        "id": "a-case",
        "kind": "a_kind",
        "messages": [
            {"role": "user", "text": text, "first_person_owner": True, "at": f"2031-01-0{day}T09:00:00Z"}
            for day, text in enumerate(texts, start=1)
        ],
        "expect": {"current": [], "retired": [], "must_not": []} | expect,
    }


def outcome(*texts: str, **expect: list[str]) -> Outcome:
    return run_case(case(*texts, **expect))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("user | uses | Vim", "user | runs | vim"),
        ("the logo | is | an owl", "logo | mascot | owl"),
        ("queue | name | otter", "queue name | is | otter"),
        ("notes repo | autosave | enabled", "notes repo | has enabled | autosave"),
        ("ana: user | likes | pizza", "user | likes | pizza"),
    ],
)
def test_a_subject_and_a_predicate_may_be_named_otherwise(one: str, other: str) -> None:
    assert Triple.written(one).means(Triple.written(other))
    assert Triple.written(other).means(Triple.written(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("user | uses | Vim", "user | uses | Emacs"),
        ("user | uses | Vim", "nadia | uses | Vim"),
        ("user | uses | insulin pump", "user | uses | pump"),
        ("port | is | 80", "port | is | 8080"),
    ],
)
def test_a_value_and_a_person_may_not(one: str, other: str) -> None:
    assert not Triple.written(one).means(Triple.written(other))


def test_a_case_is_right_when_its_values_are_live_and_no_stale_one_is() -> None:
    expect = {"current": ["user | uses | Nushell"], "retired": ["user | uses | Fish"]}
    found = outcome("I use Fish.", "I switched from Fish to Nushell.", **expect)

    assert (True, (), (), ()) == (found.is_right, found.missing, found.stale, found.wrong)
    assert ["fish"] == [claim.value for claim in found.retired]


def test_a_value_that_should_be_gone_and_is_live_is_stale() -> None:
    found = outcome("I use Fish.", current=["user | uses | Nushell"], must_not=["current: user | uses | Fish"])

    assert (False, ["nushell"], ["fish"]) == (
        found.is_right,
        [value.value for value in found.missing],
        [value.value for value in found.stale],
    )


def test_a_retired_claim_that_the_case_says_nothing_of_is_wrong() -> None:
    said = ("I use Fish.", "I no longer use Fish.")

    assert ["fish"] == [claim.value for claim in outcome(*said).wrong]
    assert () == outcome(*said, retired=["user | uses | Fish"]).wrong


def test_a_shorthand_may_name_what_was_retired() -> None:
    said = ("I use Fish shell.", "I no longer use Fish.")

    assert () == outcome(*said, retired=["user | uses | Fish"]).wrong
    assert ["fish shell"] == [claim.value for claim in outcome(*said, retired=["user | uses | Zsh"]).wrong]


def test_what_must_stay_is_wrong_to_retire_also_where_operations_follow() -> None:
    said = ("I use Fish.", "I no longer use Fish.")
    later = {"ops": [{"op": "forget"}]}

    assert () == run_case(case(*said) | later).wrong
    assert run_case(case(*said, must_not=["retired: user | uses | Fish"]) | later).wrong != ()


def test_what_is_retired_and_told_again_is_not_wrong() -> None:
    said = ("I drink mate.", "I no longer drink mate.", "I'm back to drinking mate.")

    assert () == outcome(*said, current=["user | drinks | mate"]).wrong


def test_cases_that_need_later_steps_do_not_count() -> None:
    counted = outcome("I use Fish.", current=["user | uses | Fish"])
    later = run_case(case("I use Fish.", current=["user | uses | Fish"]) | {"needs": "a later policy"})

    assert (True, False) == (counted.counts, later.counts)
    assert "1 of 1 of those that expect a current value are right: 100%" in totals([counted, later])


def test_the_command_tells_every_case_and_the_totals(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    cases = [case("I use Fish.", current=["user | uses | Fish"]), case("I use Fish.", current=["user | uses | Zsh"])]
    file.write_text("\n".join(map(json.dumps, cases)) + "\n\n", encoding="utf-8")
    done = CliRunner().invoke(main, [str(file)])

    assert 2 == len(read_cases(file))
    assert 0 == done.exit_code, done.output
    assert ["ok   a-case (a_kind)", "MISS a-case (a_kind)"] == [
        line for line in done.output.splitlines() if line.endswith("a-case (a_kind)")
    ]
    assert "a_kind: 2 cases, 1 of 2 right, 0 wrongly retired" in done.output
    assert done.output.endswith("messages a second on one core, for the extractor alone, of these 1\n")
