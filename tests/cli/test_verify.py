"""`prme verify` computes everything again, and its exit status says whether all is well."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import duckdb

from prme import MemoryClient, MemoryEngine
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE


def damage(store: str, sql: str) -> None:
    with duckdb.connect(str(Path(store, DATABASE_FILE))) as connection:
        connection.execute(sql)


def test_a_sound_store_is_ok(pumps):
    result = pumps.run("verify")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "ok: everything computed again is as stored"
    assert "  sam: 4 journal entries" in result.stdout.splitlines()


def test_the_page_and_the_json_name_digest_and_head(pumps):
    report, page = pumps.json("verify"), pumps.run("verify").stdout

    assert (report["ok"], report["differences"]) == (True, [])
    assert f"  state {report['owners']['sam']}\n" in page
    assert f"  head  {report['journal']['sam']['digest']}\n" in page
    assert report["journal"]["sam"]["seq"] == 4


def test_a_changed_interval_is_a_difference(pumps):
    damage(pumps.store, "update intervals set status = 'contested' where status = 'superseded'")

    result = pumps.run("verify")

    assert result.exit_code == 1
    assert re.match(r"NOT OK: \d+ differences?\n", result.stdout)
    assert f"(interval): {pumps.claim(1)}" in " ".join(result.stdout.split())


def test_a_difference_is_in_the_json_with_what_is_stored_and_expected(pumps):
    damage(pumps.store, "update claims set object = 'trampoline' where object = 'pump'")

    result = pumps.run("verify", "--json")

    assert result.exit_code == 1
    assert '"trampoline"' in result.stdout
    assert pumps.json("verify")["ok"] is False


def test_only_the_owner_asked_for_is_verified(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.say("I use Vim.", talk.states("uses", "Vim"), user_id="ann")
    talk.ingest()

    assert set(talk.json("verify", "--user-id", "ann")["owners"]) == {"ann"}
    assert set(talk.json("verify", "--user-id", "ann")["journal"]) == {"ann"}
    assert set(talk.json("verify")["owners"]) == {"ann", "sam"}


def test_an_owner_of_whom_nothing_is_stored_is_told_so(pumps):
    result = pumps.run("verify", "--user-id", "nobody")

    assert result.exit_code == 0
    assert " ".join(result.stdout.split()) == (
        "ok: there was nothing to compute again nothing is stored here for the owner 'nobody': prme verify without "
        "--user-id lists all owners"
    )


def test_the_json_of_an_owner_without_records_says_so_in_a_note(pumps):
    report = pumps.json("verify", "--user-id", "nobody")

    assert (report["ok"], report["owners"], report["journal"]) == (True, {}, {})
    assert [note.partition(":")[0] for note in report["notes"]] == ["nothing is stored here for the owner 'nobody'"]


def test_an_owner_with_records_has_no_such_note(pumps):
    assert pumps.json("verify", "--user-id", "sam")["notes"] == []


def test_a_store_without_records_is_told_so(run, tmp_path):
    with MemoryClient(tmp_path / "memory"):
        pass

    assert run("verify").stdout == "ok: there was nothing to compute again\n  nothing is stored here\n"


def test_a_rewritten_anchor_is_a_remark_and_no_difference(pumps):
    Path(pumps.store, ANCHOR_FILE).unlink()

    result = pumps.run("verify")

    assert result.exit_code == 0
    assert "the anchor file was missing" in result.stdout


def test_a_damaged_file_is_one_clear_line(pumps):
    Path(pumps.store, DATABASE_FILE).write_bytes(b"not a database" * 1000)

    result = pumps.run("verify")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_every_front_gives_the_journal_head(pumps):
    expected = pumps.json("verify")["journal"]["sam"]["digest"]
    with MemoryClient(pumps.store) as memory:
        head, unknown = memory.journal_head("sam"), memory.journal_head("ann")

    async def ask():
        async with MemoryEngine(pumps.store) as engine:
            return await engine.journal_head("sam")

    assert head is not None
    assert (head.digest, unknown) == (expected, None)
    assert asyncio.run(ask()) == head
