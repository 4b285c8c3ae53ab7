"""`prme diff` shows what two policies would do with the same extractions, and stores nothing."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient, ids
from prme.canonical import canonical_document, digest_document
from prme.clock import utc_text, utc_text_or_none
from prme.policy.registry import POLICIES
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE
from tests.cli.conftest import Talk
from tests.comparison.worlds import policy_of_more_words
from tests.plan.golden import GOLDEN, explicit_decisions, labels_of, saved_plans

V13, V14 = "speech_act_v13", "speech_act_v14"
BOTH = ("--policy", V13, "--policy", V14)
SAME = ("--policy", V14, "--policy", V14)


def contents(directory: str) -> dict[str, tuple[str, int]]:
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in Path(directory).iterdir()
    }


def golden(case: str) -> str:
    return str(GOLDEN / case / "plans.jsonl")


def decision_lines(case: str) -> bytes:
    """Return the decisions made by hand in a golden case as records."""
    plans = saved_plans(GOLDEN / case)
    found = b""
    for made in explicit_decisions(GOLDEN / case, labels_of(plans)):
        document = {
            "actor": "operator",
            "at": utc_text_or_none(made.at),
            "evidence_id": None,
            "format": "prme.decision/1",
            "kind": made.kind,
            "mark": utc_text(made.mark),
            "new": made.new,
            "number": made.number,
            "old": made.old,
            "operation_id": ids.operation_id(made.kind, made.old, made.new),
            "user_id": plans[0].event.user_id,
        }
        found += canonical_document({**document, "checksum": digest_document(document)}) + b"\n"
    return found


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_retirement_by_one_policy_alone_is_shown_with_its_rule_and_the_claim_that_did_it(run):
    result = run("diff", golden("policies-side-by-side"), *BOTH)

    assert result.exit_code == 1
    assert (
        f"Nadia | uses | Figma differs in what closes it {V13} in effect since 2031-05-01 09:00 UTC {V14} in effect "
        "from 2031-05-01 09:00 UTC to 2031-05-02 09:00 UTC retired by Nadia | uses | Figma (denied): a denial that "
        "says something changed ends what it denies; both name the same object, with the same predicate claim"
    ) in words(result.stdout)


def test_a_correction_that_one_policy_refuses_says_why_it_retires_nothing_there(run):
    printed = words(run("diff", golden("policies-side-by-side"), *BOTH).stdout)

    assert (
        f"{V13} retires nothing: it names no former value that it would replace; naming it would make it a correction "
        f'(no_target) its decision rests on "Nadia no longer uses Figma." {V14} retires Nadia | uses | Figma'
    ) in printed


def test_an_ambiguous_correction_lists_what_it_fits(run):
    printed = words(run("diff", golden("ambiguous-denial"), *BOTH).stdout)

    assert "it fits I | keeps | road bike it fits I | keeps | mountain bike" in printed


def test_whom_a_claim_is_about_is_said_in_words(talk: Talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.ingest()
    printed = words(talk.run("diff", talk.store, *BOTH).stdout)

    assert f'{V13} about "I" of this message only {V14} about the owner, in every message' in printed


def test_other_words_show_as_guesses_conditions_and_repetitions(talk: Talk, monkeypatch: pytest.MonkeyPatch):
    policy = policy_of_more_words()
    monkeypatch.setitem(POLICIES, policy.name, policy)
    talk.say("Methinks I use Vim.", talk.states("uses", "Vim"))
    talk.say("I use Vim.", talk.states("uses", "Vim"))
    talk.say("I use Emacs lest I forget it.", talk.states("uses", "Emacs"))
    talk.ingest()
    printed = words(talk.run("diff", talk.store, "--policy", V14, "--policy", policy.name).stdout)

    assert (
        f"{V14} a plain statement taken as it was proposed {policy.name} only a guess or a plan kept as hypothetical: "
        "the sentence says what may, might or could be (modal)"
    ) in printed
    assert f"{V14} repeats I | uses | Vim {policy.name} repeats no open claim" in printed
    assert (
        f"{V14} admitted a plain statement in effect since 2031-04-03 09:00 UTC retires nothing: it states something "
        "and does not say that something changed; an update that names a former value could correct (not_an_update) "
        f"{policy.name} not admitted: the sentence depends on a condition that the claim leaves out (conditional)"
    ) in printed


def test_what_a_note_replaced_names_the_note(pumps: Talk):
    with MemoryClient(pumps.store) as memory:
        note = memory.get_event_nodes(memory.store("The patch is on.", user_id="sam", scope="personal"))[0].id
        memory.supersede(pumps.claim(2), note)
    claim = pumps.json("diff", pumps.store, *BOTH)["messages"][1]["claims"][0]

    assert (claim["b"]["closing"]["by"], claim["b"]["closing"]["decision"]) == (note, 1)


def test_each_message_is_quoted_and_long_ones_are_shortened(talk: Talk):
    talk.say("I use Figma. " + "We talked for a long time. " * 10, talk.states("uses", "Figma"))
    talk.ingest()
    printed = words(talk.run("diff", talk.store, *BOTH).stdout)

    assert '"I use Figma. We talked for a long time.' in printed
    assert "(283 characters)" in printed


def test_the_end_says_how_much_differs_and_in_what(run):
    end = run("diff", golden("denial-retires"), *BOTH).stdout.rpartition("claims of 2 messages differ")[2]

    assert "1  what closes it (closing)" in end
    assert "2  whom it is about (subject)" in end
    assert [line.split() for line in end.splitlines() if line.startswith("  speech")] == [
        [V13, "2", "0", "0", "0", "0", "0"],
        [V14, "2", "0", "0", "1", "0", "0"],
    ]


def test_nothing_that_is_the_same_is_listed(run):
    result = run("diff", golden("policies-side-by-side"), *SAME)

    assert result.exit_code == 0
    assert result.stdout.startswith("no difference: both policies do the same with every claim\n")
    assert "Figma" not in result.stdout


def test_the_json_has_everything_of_both_verdicts(run):
    result = run("diff", golden("policies-side-by-side"), *BOTH, "--json")
    document = json.loads(result.stdout)
    claim = document["messages"][0]["claims"][0]

    assert result.exit_code == 1
    assert list(document) == ["policies", "messages", "unread", "summary"]
    assert (document["policies"], document["unread"]) == ([V13, V14], [])
    assert document["messages"][0]["event"]["content"] == "Nadia uses Figma."
    assert (claim["a"]["status"], claim["b"]["status"], claim["differs"]) == ("current", "superseded", ["closing"])
    assert document["summary"]["differing_claims"] == 3


def test_the_json_of_no_difference_is_whole_too(run):
    document = json.loads(run("diff", golden("policies-side-by-side"), *SAME, "--json").stdout)

    assert (document["messages"], document["unread"], document["summary"]["messages"]) == ([], [], 3)


def test_text_of_messages_cannot_break_the_json_or_move_the_cursor(talk: Talk):
    talk.say("I use \x1b[2J Figma\u2028 now.", talk.states("uses", "Figma"))
    talk.ingest()
    page, document = talk.run("diff", talk.store, *BOTH).stdout, talk.run("diff", talk.store, *BOTH, "--json").stdout

    assert "\x1b" not in page + document
    assert json.loads(document)["messages"][0]["event"]["content"] == "I use \x1b[2J Figma\u2028 now."


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_a_closed_store_is_as_it_was_before(pumps: Talk, options: tuple[str, ...]):
    before = contents(pumps.store)

    assert pumps.run("diff", pumps.store, *BOTH, *options).exit_code == 1
    assert contents(pumps.store) == before


def test_a_store_without_anchor_does_not_get_one(pumps: Talk):
    Path(pumps.store, ANCHOR_FILE).unlink()

    assert pumps.run("diff", pumps.store, *SAME).exit_code == 0
    assert not Path(pumps.store, ANCHOR_FILE).exists()


def test_a_store_and_its_saved_plans_give_the_same(pumps: Talk, tmp_path: Path):
    plans = [pumps.run("plans", "show", pumps.event(number), "--json").stdout for number in (1, 2)]
    (tmp_path / "plans.jsonl").write_text("".join(plans), encoding="utf-8")

    stored = pumps.json("diff", pumps.store, *BOTH)
    assert stored["summary"]["b"]["retired"] == 1
    assert pumps.json("diff", "plans.jsonl", *BOTH) == stored


@pytest.mark.parametrize("target", ["export.jsonl", "export.jsonl.gz", "export"])
def test_a_store_and_its_export_give_the_same(pumps: Talk, target: str):
    pumps.run("contradict", pumps.claim(2), pumps.json("why", pumps.event(1))["note"]["node"]["id"])
    assert pumps.run("plans", "export", target).exit_code == 0

    stored = pumps.json("diff", pumps.store, *BOTH)
    assert stored["summary"]["decisions"] == 1
    assert pumps.json("diff", target, *BOTH) == stored


def test_saved_plans_come_compressed_or_from_standard_input(run, tmp_path: Path):
    data = Path(golden("denial-retires")).read_bytes()
    (tmp_path / "plans.jsonl.gz").write_bytes(gzip.compress(data))
    plain = run("diff", golden("denial-retires"), *BOTH).stdout

    assert run("diff", "plans.jsonl.gz", *BOTH).stdout == plain
    assert run("diff", "-", *BOTH, input=data).stdout == plain


def test_only_the_owner_asked_for_is_compared(talk: Talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.say("I use Vim.", talk.states("uses", "Vim"), user_id="ann")
    talk.ingest()
    every, one = (talk.json("diff", talk.store, *BOTH, *asked) for asked in ((), ("--user-id", "ann")))

    assert [message["event"]["user_id"] for message in every["messages"]] == ["ann", "sam"]
    assert [message["event"]["user_id"] for message in one["messages"]] == ["ann"]


def test_a_decision_by_hand_counts_under_both_policies(run, tmp_path: Path):
    case = "contested-by-hand"
    (tmp_path / "export.jsonl").write_bytes(Path(golden(case)).read_bytes() + decision_lines(case))
    alone = json.loads(run("diff", golden(case), *BOTH, "--json").stdout)
    decided = json.loads(run("diff", "export.jsonl", *BOTH, "--json").stdout)

    def denial(document: dict[str, Any]) -> dict[str, Any]:
        return document["messages"][2]["claims"][0]["b"]["decision"]

    assert (alone["summary"]["decisions"], decided["summary"]["decisions"]) == (0, 1)
    assert (alone["summary"]["b"]["retired"], decided["summary"]["b"]["retired"]) == (1, 0)
    assert (denial(alone)["outcome"], denial(decided)["reason"]) == ("retired", "contested")


def test_what_was_closed_by_hand_names_the_decision(run, tmp_path: Path):
    case = "superseded-by-hand-before-the-denial"
    (tmp_path / "export.jsonl").write_bytes(Path(golden(case)).read_bytes() + decision_lines(case))
    document = json.loads(run("diff", "export.jsonl", *BOTH, "--json").stdout)
    old = explicit_decisions(GOLDEN / case, labels_of(saved_plans(GOLDEN / case)))[0].old
    (claim,) = [claim for message in document["messages"] for claim in message["claims"] if claim["claim_id"] == old]

    assert (claim["a"]["closing"]["decision"], claim["b"]["closing"]["decision"]) == (1, 1)
    assert [document["summary"][side]["closed_by_hand"] for side in ("a", "b")] == [1, 1]


def test_a_record_that_cannot_be_read_is_told_by_place_and_the_rest_goes_on(run, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(b"{\n" + Path(golden("policies-side-by-side")).read_bytes())
    result = run("diff", "plans.jsonl", *SAME)

    assert result.exit_code == 1
    assert result.stderr == "plans.jsonl, line 1: not JSON (column 2)\n"
    assert "compared: 3 claims of 3 messages of 1 owner" in result.stdout
    assert "1 record could not be used" in result.stdout


def test_the_json_lists_what_cannot_be_read(run, tmp_path: Path):
    (tmp_path / "plans.jsonl").write_bytes(b"{\n[]\n")
    result = run("diff", "plans.jsonl", *SAME, "--json")

    assert result.exit_code == 1
    assert [(found["line"], found["reason"]) for found in json.loads(result.stdout)["unread"]] == [
        (1, "not JSON (column 2)"),
        (2, "not a JSON object"),
    ]


def test_a_source_without_plans_is_told_so(run, tmp_path: Path):
    (tmp_path / "plans.jsonl").touch()
    result = run("diff", "plans.jsonl", *BOTH)

    assert (result.exit_code, result.stdout) == (0, "nothing to compare: no saved plan was read\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((*BOTH,), "Missing argument 'SOURCE...'"),
        ((golden("denial-retires"),), "Missing option '--policy'"),
        ((golden("denial-retires"), "--policy", V14), "two policies are compared, and 1 given"),
        ((golden("denial-retires"), *BOTH, "--policy", V14), "two policies are compared, and 3 given"),
        (("missing.jsonl", *BOTH), "Path 'missing.jsonl' does not exist"),
        ((".", *BOTH), f"there is neither a store ({DATABASE_FILE}) nor a record (*.json) in '.'"),
        (
            (golden("denial-retires"), "--policy", V14, "--policy", "speech_act_v98"),
            "policy 'speech_act_v98' is not known to this release, which knows speech_act_v13",
        ),
    ],
)
def test_wrong_usage_ends_with_2_and_says_why(run, arguments: tuple[str, ...], complaint: str):
    result = run("diff", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in words(result.stderr)


def test_a_store_that_is_open_elsewhere_is_one_clear_line(pumps: Talk):
    with MemoryClient(pumps.store):
        result = pumps.run("diff", pumps.store, *BOTH)

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: another process or client writes to the store")
