"""An ingestion that the store ends in the middle says what is stored, from which line on nothing is, and what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prme import Extraction, ExtractionRequest
from prme.cli import ingestion
from prme.cli.ingestion import Tally, ingest_entries
from prme.cli.message_lines import LineReader, read_lines
from prme.cli.stores import writing_store
from prme.errors import StoreError
from prme.service import MemoryService
from prme.store.database import Database
from tests.cli.chat_files import api, write_export

FULL = "the disk is full"
Refuse = Callable[..., None]


def talk_file(folder: Path, *lines: dict[str, Any] | str) -> Path:
    file = folder / "talk.jsonl"
    file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return file


def said(number: int, **fields: Any) -> dict[str, Any]:
    content = f"I use tool{chr(96 + number)}."
    return {"content": content, "user_id": "sam", "first_person_owner": True, "message_id": f"m{number}", **fields}


@pytest.fixture
def refuse() -> Iterator[Refuse]:
    """Let the store refuse every transaction with a row that shows one of some texts: `refuse("toolc")`."""
    with pytest.MonkeyPatch.context() as patch:
        commit = Database.commit

        def refuse(*texts: str, unreadable: bool = False) -> None:
            def failing(self: Database, batch: Any, mark: Any) -> None:
                shown = str(batch.tables)
                if not any(text in shown for text in texts):
                    return commit(self, batch, mark)
                if unreadable:
                    patch.setattr(Database, "snapshot", broken)
                raise StoreError(FULL)

            patch.setattr(Database, "commit", failing)

        def broken(self: Database) -> Any:
            raise StoreError("the file is gone")

        yield refuse


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion, "ENTRIES_PER_BATCH", 3)


def test_the_summary_counts_what_was_stored_and_the_error_names_the_first_line_that_was_not(run, tmp_path, refuse):
    refuse("toole", "toolf")

    result = run("ingest", str(talk_file(tmp_path, *map(said, range(1, 8)))))

    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        "4 messages: 4 published, 0 duplicates, 0 failed",
        "4 claims admitted, 0 retired",
    ]
    assert result.stdout.splitlines()[2].startswith("journal of sam: 8 entries, head ")
    assert result.stderr == (
        "Error: stopped at line 5, from where on nothing is stored: the disk is full. What was counted before is "
        "stored: run the file again to go on\n"
    )


def test_the_json_has_the_counts_and_the_error(run, tmp_path, refuse):
    refuse("toole", "toolf")

    summary = json.loads(run("ingest", str(talk_file(tmp_path, *map(said, range(1, 8)))), "--json").stdout)

    assert (summary["published"], summary["claims"], summary["journal"]["sam"]["seq"]) == (4, 4, 8)
    assert summary["error"] == {"message": FULL, "stored_until": "at line 5", "first_line_not_stored": 5}


def test_without_an_error_the_json_has_none(run, tmp_path):
    summary = json.loads(run("ingest", str(talk_file(tmp_path, *map(said, range(1, 8)))), "--json").stdout)

    assert (summary["published"], summary["error"]) == (7, None)


def test_running_the_file_again_goes_on_where_it_stopped(run, tmp_path, refuse):
    file = str(talk_file(tmp_path, *map(said, range(1, 8))))
    refuse("toole", "toolf")
    run("ingest", file)
    refuse()

    summary = json.loads(run("ingest", file, "--json").stdout)

    assert (summary["published"], summary["duplicates"], summary["error"]) == (3, 4, None)


def test_the_place_where_an_export_stopped_is_a_message(run, tmp_path, refuse):
    refuse("toole", "toolf")
    said = [("user", f"I use tool{letter}.") for letter in "abcdefg"]
    file = write_export(tmp_path / "talk.json", [api(*said[:2]), api(*said[2:])])

    result = run("ingest", file, "--user-id", "sam", "--json")
    summary = json.loads(result.stdout)

    assert (result.exit_code, summary["published"]) == (1, 4)
    assert summary["error"] == {
        "message": FULL,
        "stored_until": "at conversation 2, message 3",
        "first_line_not_stored": None,
    }
    assert result.stderr.startswith("Error: stopped at conversation 2, message 3, from where on nothing is stored")


def test_a_message_that_was_known_before_is_a_duplicate_still(run, tmp_path, refuse):
    run("ingest", str(talk_file(tmp_path, said(1))))
    refuse("toolc")

    summary = json.loads(run("ingest", str(talk_file(tmp_path, *map(said, range(1, 4)))), "--json").stdout)

    assert (summary["published"], summary["duplicates"]) == (1, 1)
    assert summary["error"]["first_line_not_stored"] == 3


def test_a_line_that_was_left_out_among_stored_ones_is_reported(run, tmp_path, refuse):
    refuse("toolb")

    result = run("ingest", str(talk_file(tmp_path, *map(said, range(1, 6)))), "--json")
    summary = json.loads(result.stdout)

    assert (summary["published"], summary["refused"], summary["error"]["first_line_not_stored"]) == (2, 1, 4)
    assert result.stderr.splitlines()[0] == "line 2: refused: the store did not take it; run the file again"


def test_a_conflict_before_a_stored_line_is_reported_too(run, tmp_path, refuse, monkeypatch):
    monkeypatch.setattr(ingestion, "ENTRIES_PER_BATCH", 4)
    refuse("toold")
    lines = [said(1), said(2, message_id="m1"), said(3), said(4)]

    summary = json.loads(run("ingest", str(talk_file(tmp_path, *lines)), "--json").stdout)

    assert [failure["line"] for failure in summary["failures"]] == [2]
    assert (summary["published"], summary["error"]["first_line_not_stored"]) == (2, 4)


def test_a_store_that_cannot_be_read_either_is_not_spoken_for(run, tmp_path, refuse):
    refuse("toole", unreadable=True)

    result = run("ingest", str(talk_file(tmp_path, *map(said, range(1, 8)))), "--json")
    summary = json.loads(result.stdout)

    assert result.exit_code == 1
    assert (summary["published"], summary["journal"]) == (3, {})
    assert summary["error"] == {"message": FULL, "stored_until": None, "first_line_not_stored": None}
    assert result.stderr.startswith("Error: stopped, and the store does not say any more what it holds: ")


def test_a_store_that_can_no_longer_be_read_ends_it_the_same_way(run, tmp_path, monkeypatch):
    reads = iter(range(100))
    head = MemoryService.journal_head

    def failing(self: MemoryService, user_id: str) -> Any:
        if next(reads):
            raise StoreError("the file is gone")
        return head(self, user_id)

    monkeypatch.setattr(MemoryService, "journal_head", failing)

    summary = json.loads(run("ingest", str(talk_file(tmp_path, *map(said, range(1, 8)))), "--json").stdout)

    assert (summary["published"], summary["journal"]) == (3, {})
    assert summary["error"] == {"message": "the file is gone", "stored_until": None, "first_line_not_stored": None}


class Remote:
    """An extractor that is not local: its messages are stored before they are extracted."""

    name = "remote"
    model = "remote-1"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return nothing."""
        return Extraction()


def test_a_message_that_was_stored_without_its_extraction_is_a_failure(tmp_path, refuse):
    refuse("PLAN_PUBLISHED")
    file = talk_file(tmp_path, said(1))
    tally = Tally()

    with writing_store(str(tmp_path / "memory"), Remote()) as service, file.open("rb") as stream:
        for outcome in ingest_entries(lambda: service, read_lines(stream), LineReader(default_user_id=None)):
            tally.add(outcome)

    assert [(failure.line, failure.kind, failure.reason) for failure in tally.failures] == [
        (1, "failed", "not_published")
    ]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit of size there")
def test_a_file_system_that_is_full_loses_nothing_that_was_counted(run, tmp_path, environment):
    content = "hello " * 15_000
    file = talk_file(tmp_path, *(said(1, message_id=f"m{n}", content=content) for n in range(12)))
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"content": content, "extraction": {}}))
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))"

    ended = subprocess.run(
        [
            *(sys.executable, "-c", f"from prme.cli.main import main; {limited}; main()"),
            *("ingest", file, "--extractor", f"recorded:{answers}", "--json"),
        ],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    summary = json.loads(ended.stdout)
    report = json.loads(run("verify", "--json").stdout)

    assert ended.returncode == 1
    assert 0 < summary["published"] < 12
    assert summary["error"]["first_line_not_stored"] == summary["published"] + 1
    assert (report["ok"], report["journal"]) == (True, summary["journal"])
