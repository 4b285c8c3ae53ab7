"""`prme retrieve` finds what holds and says what it left out; `prme index rebuild` makes the index again."""

from __future__ import annotations

import pytest

from prme.cli.retrieve_view import LEFT_OUT
from prme.model.retrieval import EXCLUSION_REASONS
from prme.retrieval.index_file import INDEX_FILE

CLAIMS = ("--exclude-type", "note")


def test_hits_are_listed_with_rank_text_and_id(pumps):
    result = pumps.run("retrieve", "pump", "--user-id", "sam", *CLAIMS)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[:4] == [
        "Rank  Found                                 Id",
        f"1     I | uses | pump (denied)              {pumps.claim(2)}",
        '      "I don\'t use the pump anymore."',
        "      current, in effect since 2031-04-02",
    ]
    assert "1 hit\n" in result.stdout


def test_what_was_left_out_is_said(pumps):
    lines = pumps.run("retrieve", "pump", "--user-id", "sam").stdout.splitlines()

    assert lines[-2:] == ["1 row with these words was left out: 1 superseded", "--all shows what is closed"]


def test_found_but_stale_is_told_from_not_found(pumps):
    stale = pumps.run("retrieve", "insulin", "--user-id", "sam", *CLAIMS)
    unknown = pumps.run("retrieve", "cello", "--user-id", "sam", *CLAIMS)

    assert stale.exit_code == unknown.exit_code == 0
    assert unknown.stdout == "nothing found\n"
    assert stale.stdout.startswith("nothing found\n2 rows with these words were left out: ")
    assert "1 superseded" in " ".join(stale.stdout.split())


def test_a_closed_claim_is_shown_when_asked_for(pumps):
    result = pumps.run("retrieve", "insulin", "--user-id", "sam", "--all", *CLAIMS)
    text = " ".join(result.stdout.split())

    assert f"historical, replaced by {pumps.claim(2)}" in text
    assert "--all" not in text


def test_a_note_says_that_part_of_it_was_retired(pumps):
    text = " ".join(pumps.run("retrieve", "insulin", "--user-id", "sam").stdout.split())

    assert 'note: "I use an insulin pump."' in text
    assert "its text also says something that was retired" in text


def test_json_holds_hits_and_what_was_left_out(pumps):
    found = pumps.json("retrieve", "pump", "--user-id", "sam", *CLAIMS)

    assert [(hit["rank"], hit["node"]["id"], hit["excerpt"]) for hit in found["hits"]] == [
        (1, pumps.claim(2), "I don't use the pump anymore.")
    ]
    assert found["excluded"] == {"node_type": 2, "superseded": 1}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {"Figma", "Figma too"}),
        (("--scope", "work"), {"Figma"}),
        (("--source-type", "system_inferred"), set()),
        (("--source-type", "user_stated", "--source-type", "tool_output"), {"Figma", "Figma too"}),
        (("--limit", "1"), {"Figma"}),
        (("--exclude-type", "FACT"), set()),
        (("--valid-at", "2031-04-02"), {"Figma"}),
        (("--known-at", "2001-01-01"), set()),
        (("--no-contested",), {"Figma", "Figma too"}),
    ],
)
def test_the_options_are_the_filters(talk, options, expected):
    talk.say("I use Figma.", talk.states("uses", "Figma"), scope="work")
    talk.say("I use Figma too.", talk.states("uses", "Figma too"))
    talk.ingest()

    found = talk.json("retrieve", "figma", "--user-id", "sam", *CLAIMS, *options)

    assert {hit["node"]["object"] for hit in found["hits"]} == expected


def test_a_query_that_looks_like_syntax_is_words(pumps):
    assert pumps.run("retrieve", '"pump* NEAR(', "--user-id", "sam").exit_code == 0


@pytest.mark.parametrize(
    "options",
    [("--limit", "0"), ("--limit", "1001"), ("--exclude-type", "cat"), ("--source-type", "x"), ("--scope", "A B"), ()],
)
def test_wrong_usage_ends_with_status_2(pumps, options):
    owner = ("--user-id", "sam") if options else ()

    assert pumps.run("retrieve", "pump", *owner, *options).exit_code == 2


def test_text_of_messages_is_printed_safely(talk):
    talk.say("I use [bold]Figma[/bold]\u202e\x1b[31m.", talk.states("uses", "[bold]Figma[/bold]\u202e\x1b[31m"))
    talk.ingest()

    result = talk.run("retrieve", "figma", "--user-id", "sam")

    assert not {"\x1b", "\u202e"} & set(result.stdout)


def test_every_reason_has_its_words():
    assert set(LEFT_OUT) == set(EXCLUSION_REASONS)


def test_the_index_is_made_again(pumps, tmp_path):
    index = tmp_path / "memory" / INDEX_FILE
    index.write_bytes(b"no index")

    result = pumps.run("index", "rebuild")

    assert (result.exit_code, result.stdout) == (0, "the text index was made again: 2 notes and 2 claims of 1 owner\n")
    assert pumps.json("index", "rebuild") == {"owners": 1, "notes": 2, "claims": 2}
    assert index.stat().st_size > 100
    assert pumps.json("retrieve", "pump", "--user-id", "sam")["hits"]


@pytest.mark.parametrize("command", [("index", "rebuild"), ("retrieve", "tea", "--user-id", "sam")])
def test_a_directory_without_a_store_is_refused(run, command, tmp_path):
    result = run("--store", str(tmp_path / "nowhere"), *command)

    assert result.exit_code == 1
    assert "there is no store" in result.output
