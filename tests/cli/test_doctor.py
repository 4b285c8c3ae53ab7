from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from prme import MemoryClient
from prme.cli.doctor import _extras
from prme.store.anchor import AnchorFile
from tests.cli.conftest import Talk

HOLD = "import sys; from prme import MemoryClient; MemoryClient(sys.argv[1]); print('open', flush=True); input()"


def contents(talk: Talk) -> dict[str, Any]:
    return dict(talk.json("doctor")["contents"])


def digests(store: str) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(Path(store).iterdir())}


def test_a_sound_store_is_ok(pumps: Talk):
    found = pumps.json("doctor")

    assert (True, [], False, None) == (found["ok"], found["problems"], found["is_locked"], found["holder"])
    assert 0 == pumps.run("doctor").exit_code


def test_it_counts_what_is_stored(pumps: Talk):
    found = contents(pumps)

    assert (1, 2, 2, "prme.store/3") == tuple(found[name] for name in ("owners", "messages", "claims", "format"))


def test_it_changes_nothing(pumps: Talk):
    pumps.run("retrieve", "pump", "--user-id", "sam")
    before = digests(pumps.store)
    pumps.run("doctor")

    assert before == digests(pumps.store)


def test_versions_and_files_are_named(pumps: Talk):
    found = pumps.json("doctor")

    assert {"prme", "python", "duckdb", "sqlite", "platform"} == set(found["versions"])
    assert {"memory.duckdb", "anchor"} <= set(found["bytes"])
    assert {"lexical", "recorded"} <= set(found["extractors"])


def test_the_page_says_the_same(pumps: Talk):
    page = pumps.run("doctor").stdout

    assert page.startswith("ok\n")
    assert "1 owner, 2 messages, 2 claims" in page
    assert "extractions: 0 pending, 0 failed" in page


def test_a_missing_store_is_a_problem_and_is_not_made(run, tmp_path: Path):
    found = run("--store", "nowhere", "doctor")

    assert found.exit_code == 1
    assert "there is no store in 'nowhere'" in found.stdout
    assert not (tmp_path / "nowhere").exists()


def test_a_store_that_another_process_holds_names_that_process(pumps: Talk, environment: dict[str, str]):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, pumps.store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        found = pumps.run("doctor", "--json")
        holder.communicate(b"\n")
    told = json.loads(found.stdout)

    assert (1, True, holder.pid, None) == (found.exit_code, told["is_locked"], told["holder"], told["contents"])
    assert [f"process {holder.pid} has the store open"] == [problem.split(",")[0] for problem in told["problems"]]


def test_a_store_that_this_process_holds_is_held_by_somebody(pumps: Talk):
    with MemoryClient(pumps.store):
        found = pumps.run("doctor")

    assert found.exit_code == 1
    assert "another process has the store open" in found.stdout


def test_a_damaged_store_is_a_problem(pumps: Talk):
    file = Path(pumps.store, "memory.duckdb")
    file.write_bytes(b"\0" * 8_192 + file.read_bytes()[8_192:])
    found = pumps.run("doctor")

    assert found.exit_code == 1
    assert "the database file cannot be read" in found.stdout.replace("\n ", "")


def test_a_store_behind_its_anchor_is_a_problem(pumps: Talk):
    anchor = Path(pumps.store, "anchor")
    anchor.write_text(re.sub(r" \d{20} ", f" {9:020} ", anchor.read_text()))
    found = pumps.run("doctor")

    assert found.exit_code == 1
    assert "as its anchor knows it" in found.stdout.replace("\n ", "")


def test_the_state_of_the_anchor_is_told(pumps: Talk):
    anchor = Path(pumps.store, "anchor")
    written = anchor.read_text()
    in_step = contents(pumps)["anchor"]
    anchor.unlink()
    missing = contents(pumps)["anchor"]
    MemoryClient(pumps.store).close()
    rewritten = contents(pumps)["anchor"]

    assert "knows commit" in in_step
    assert in_step.endswith(", the newest")
    assert missing.startswith("missing: it is written")
    assert rewritten.endswith("it was missing once")
    assert written != anchor.read_text()


def test_an_anchor_behind_its_store_is_normal(pumps: Talk):
    with MemoryClient(pumps.store) as memory:
        anchor = AnchorFile(Path(pumps.store, "anchor"))
        earlier = anchor.read()
        memory.store("One more.", user_id="sam")
    anchor.write(earlier)
    anchor.close()
    found = pumps.json("doctor")

    assert found["ok"]
    assert "as after a crash" in found["contents"]["anchor"]


def test_the_state_of_the_text_index_is_told(pumps: Talk):
    index = Path(pumps.store, "text-index.sqlite")
    states = [contents(pumps)["index"]]
    pumps.run("retrieve", "pump", "--user-id", "sam")
    states.append(contents(pumps)["index"])
    with MemoryClient(pumps.store) as memory:
        memory.store("One more.", user_id="sam")
    states.append(contents(pumps)["index"])
    connection = sqlite3.connect(index)
    connection.execute("update format set name = 'other'")
    connection.commit()
    connection.close()
    states.append(contents(pumps)["index"])
    index.write_bytes(b"no database")
    states.append(contents(pumps)["index"])

    assert [
        "missing: it is made with the first search",
        "up to date for 1 of 1 owners",
        "up to date for 0 of 1 owners; the others follow with their next search",
        "of another release: it is made again with the next search",
        "cannot be read: it is made again with the next search",
    ] == states


def test_failed_and_pending_extractions_are_remarks(talk: Talk):
    talk.say("I use a kite.", recorded=False)
    talk.ingest()
    found = talk.json("doctor")

    assert (True, 1, 0) == (found["ok"], found["contents"]["failed"], found["contents"]["pending"])
    assert ["1 extraction failed"] == [remark.split(":")[0] for remark in found["remarks"]]


def test_extras_are_complete_when_all_their_packages_are_there():
    requirements = [
        "click>=8.2",
        'pydantic>=2; extra == "two"',
        "click>=8; extra == 'two'",
        'click>=8; extra == "half"',
        'no-such-package>=1; python_version > "3" and extra == "half"',
    ]

    assert {"half": False, "two": True} == _extras(requirements)


def test_an_empty_store_needs_no_anchor_yet(run, tmp_path: Path):
    MemoryClient(tmp_path / "memory").close()
    os.truncate(tmp_path / "memory" / "anchor", 0)

    assert "anchor: not needed yet" in run("--store", str(tmp_path / "memory"), "doctor").stdout
