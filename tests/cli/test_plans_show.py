"""`prme plans show` prints a plan for a person, or exactly its saved bytes."""

from __future__ import annotations

import pytest

from prme import ids
from prme.plan.codec import plan_checksum


def test_json_is_the_saved_bytes_and_a_line_break(pumps):
    data = pumps.run("plans", "show", pumps.event(1), "--json").stdout_bytes

    assert data.endswith(b"}\n")
    assert plan_checksum(data[:-1]) in pumps.run("plans", "show", pumps.event(1)).stdout


def test_the_page_says_what_the_plan_holds(talk):
    talk.say(
        "I switched from Figma to Penpot yesterday. Do I use Vim?",
        talk.states(
            "switched_to", "Penpot", temporal_intent="update", replaces_object="Figma", temporal_ref="yesterday"
        ),
        talk.states("uses", "Vim"),
    )
    talk.recorded[0]["extraction"]["entities"] = [{"name": "Penpot", "entity_type": "tool"}]
    talk.ingest()

    text = " ".join(talk.run("plans", "show", talk.event(1)).stdout.split())

    assert "prme.plan/1 under speech_act_v14, speaker references on" in text
    assert 'Message "I switched from Figma to Penpot yesterday. Do I use Vim?"' in text
    assert "Claim 1: I | switched_to | Penpot Fact, a plain statement; in effect from 2031-03-31" in text
    assert 'It says that something changed. The former value is "Figma".' in text
    assert '"I switched from Figma to Penpot yesterday.", characters 0 to 42' in text
    assert "Not admitted I | uses | Vim: the sentence asks, it does not state (question)" in text
    assert "Entities Penpot (tool)" in text


def test_what_grounding_changed_is_on_the_page(talk):
    talk.say("I may use Figma.", talk.states("uses", "Figma"))
    talk.ingest()

    assert "(modal)" in talk.run("plans", "show", talk.event(1)).stdout


def test_an_event_without_a_plan_is_one_clear_line(talk):
    talk.say("I use Figma.", recorded=False)
    talk.ingest()

    result = talk.run("plans", "show", talk.event(1))

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: this message has no plan: its extraction is pending or failed")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("unknown", ["no-id", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_id_is_one_line_that_says_what_to_do(pumps, unknown: str):
    result = pumps.run("plans", "show", unknown)

    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
    assert f"nothing in the store {pumps.store!r} has this id: prme claims --user-id OWNER --all" in result.stderr


def test_a_foreign_event_reads_like_an_unknown_one(pumps):
    foreign = pumps.run("plans", "show", pumps.event(1), "--user-id", "ann", "--json")

    assert (foreign.exit_code, foreign.stdout) == (1, "")
    assert foreign.stderr == pumps.run("plans", "show", "no-id", "--user-id", "ann").stderr


def test_the_id_of_a_claim_or_a_note_leads_to_its_message(pumps):
    claim, note = pumps.claim(1), ids.note_id(pumps.event(1))

    found = [pumps.run("plans", "show", wanted).stderr for wanted in (claim, note)]

    assert found == [
        f"Error: this is the id of a {kind}, and plans belong to messages: its message is {pumps.event(1)}\n"
        for kind in ("claim", "note")
    ]


def test_a_foreign_claim_leads_nowhere(pumps):
    foreign = pumps.run("plans", "show", pumps.claim(1), "--user-id", "ann")

    assert foreign.stderr == pumps.run("plans", "show", "no-id", "--user-id", "ann").stderr


def test_blanks_around_an_id_do_not_matter(pumps):
    event = pumps.event(1)

    assert pumps.run("plans", "show", f" {event}\n").stdout == pumps.run("plans", "show", event).stdout
