"""`prme claims` lists what holds, and with --all also what closed the rest."""

from __future__ import annotations

import json

from rich.console import Console

from prme.cli.claims_view import claims_page
from prme.cli.output import width
from prme.model.node import Node


def test_open_claims_are_listed_with_date_and_id(pumps):
    result = pumps.run("claims", "--user-id", "sam")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Since       Claim                     Id",
        f"2031-04-02  I | uses | pump (denied)  {pumps.claim(2)}",
        "            current",
        "1 claim",
    ]


def test_a_closed_claim_is_listed_with_what_closed_it(pumps, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    lines = pumps.run("claims", "--user-id", "sam", "--all").stdout.splitlines()

    assert lines[1].split("  ")[0] == "2031-04-01"
    assert 'superseded, until 2031-04-02, by "I don\'t use the pump anymore."' in lines[1]
    assert lines[1].endswith(pumps.claim(1))


def test_a_wide_page_gives_every_part_a_column(pumps, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")

    lines = pumps.run("claims", "--user-id", "sam").stdout.splitlines()

    assert lines[0].split() == ["Since", "Subject", "Predicate", "Object", "Status", "Id"]
    assert lines[1].split() == ["2031-04-02", "I", "uses", "pump", "current,", "denied", pumps.claim(2)]


def test_a_narrow_page_breaks_the_id_and_keeps_the_claim(pumps, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")

    lines = pumps.run("claims", "--user-id", "sam", "--all").stdout.splitlines()

    assert lines[0].split() == ["Since", "Claim", "Id"]
    assert "uses" in "".join(lines)
    assert not any(len(line) > 50 for line in lines)


def test_json_is_a_list_of_nodes(pumps):
    nodes = pumps.json("claims", "--user-id", "sam", "--all")

    assert [(node["object"], node["status"], node["superseded_by"]) for node in nodes] == [
        ("insulin pump", "superseded", pumps.claim(2)),
        ("pump", "current", None),
    ]
    assert nodes[0]["valid_to"] == "2031-04-02T09:00:00Z"


def test_only_the_scope_asked_for_is_listed(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"), scope="work")
    talk.say("I use Vim.", talk.states("uses", "Vim"))
    talk.ingest()

    assert [node["object"] for node in talk.json("claims", "--user-id", "sam", "--scope", "work")] == ["Figma"]
    assert [node["object"] for node in talk.json("claims", "--user-id", "sam")] == ["Figma", "Vim"]


def test_a_successor_outside_the_list_is_named_by_its_id(pumps):
    # Seen alone, the retired claim cannot quote what closed it.

    node = Node.model_validate(pumps.json("claims", "--user-id", "sam", "--all")[0])

    assert pumps.claim(2) in str(rendered(claims_page([node], width=width())))


def rendered(page):
    console = Console(width=300, markup=False)
    with console.capture() as printed:
        console.print(page)
    return printed.get()


def test_an_owner_without_claims_is_told_so(pumps):
    result = pumps.run("claims", "--user-id", "ann")

    assert (result.exit_code, result.stdout) == (0, "no claims\n")


def test_the_owner_is_required(pumps):
    assert pumps.run("claims").exit_code == 2


def test_the_text_of_a_message_is_printed_as_it_is_or_escaped(talk):
    talk.say("I use [bold]Figma[/bold]\u202e\x1b[31m.", talk.states("uses", "[bold]Figma[/bold]\u202e\x1b[31m"))
    talk.ingest()

    result = talk.run("claims", "--user-id", "sam")

    assert r"[bold]Figma[/bold]\u202e\x1b[31m" in "".join(result.stdout.split())
    assert not {"\x1b", "\u202e"} & set(result.stdout)


def test_json_escapes_what_cannot_be_seen_and_means_the_same(talk):
    content = "I use \u202e\x7f 日本 Figma."
    talk.say(content, talk.states("uses", "Figma"))
    talk.ingest()

    result = talk.run("claims", "--user-id", "sam", "--json")

    assert not {"\x7f", "\u202e"} & set(result.stdout)
    assert "日本" in result.stdout
    assert json.loads(result.stdout)[0]["evidence"][0]["quote"] == content
