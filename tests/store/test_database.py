from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest

from prme.errors import StoreCorruptError, StoreError, StoreLockedError, StoreVersionError
from prme.store.anchor import AnchorMark
from prme.store.database import IN_MEMORY, Database
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE
from prme.store.rows import TABLES, RowBatch

FIRST = AnchorMark(1, "a" * 64)
SECOND = AnchorMark(2, "b" * 64)

HOLD = """
import sys
import threading
from prme.store.database import Database
database = Database(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
database.close()
"""


def meta(key: str, value: str = "x") -> RowBatch:
    batch = RowBatch()
    batch.add("owners", (1 if key == "first" else 2, key))
    batch.add("journal", (1 if key == "first" else 2, 1, 1, "NOTE_STORED", None, 0, "c", "p", "d", value, None, None))
    return batch


def owners(database: Database) -> list[tuple[int, str]]:
    return database.query("select owner_key, user_id from owners order by owner_key")


def raw(directory: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(directory / DATABASE_FILE)) as connection:
        return connection.execute(sql).fetchall()


def made(directory: Path) -> Path:
    Database(directory).close()
    return directory


def test_a_new_store_has_every_table(tmp_path: Path):
    made(tmp_path)

    names = {row[0] for row in raw(tmp_path, "select table_name from information_schema.tables")}

    assert set(TABLES) == names


def test_the_directory_is_created_with_its_parents(tmp_path: Path):
    made(tmp_path / "a" / "b")

    assert (tmp_path / "a" / "b" / DATABASE_FILE).is_file()


def test_what_is_committed_is_there_after_reopening(tmp_path: Path):
    database = Database(tmp_path)
    database.commit(meta("first", FIRST.digest), FIRST)
    database.close()

    reopened = Database(tmp_path)

    assert [(1, "first")] == owners(reopened)
    assert reopened.last_commit == FIRST
    reopened.close()


def test_a_store_in_memory_leaves_no_file_and_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    first = Database(IN_MEMORY)
    first.commit(meta("first", FIRST.digest), FIRST)
    second = Database(IN_MEMORY)

    assert ([(1, "first")], []) == (owners(first), owners(second))
    assert [] == list(tmp_path.iterdir())
    first.close()
    second.close()


def test_a_refused_transaction_stores_nothing_and_the_next_one_works(tmp_path: Path):
    database = Database(tmp_path)
    database.commit(meta("first", FIRST.digest), FIRST)
    doubled = RowBatch()
    doubled.add("owners", (7, "half"), (7, "half"))

    with pytest.raises(StoreError, match="nothing was stored"):
        database.commit(doubled, SECOND)

    assert ([(1, "first")], FIRST) == (owners(database), database.last_commit)
    second = RowBatch()
    second.add("owners", (2, "second"))
    database.commit(second, SECOND)
    assert [(1, "first"), (2, "second")] == owners(database)
    database.close()


def test_a_row_that_does_not_fit_its_table_leaves_nothing_of_the_batch_behind(tmp_path: Path):
    database = Database(tmp_path)
    batch = RowBatch()
    batch.add("owners", (1, "good"), (2, "too", "long"))

    with pytest.raises((StoreError, ValueError, TypeError)):
        database.commit(batch, FIRST)

    later = RowBatch()
    later.add("owners", (3, "later"))
    database.commit(later, FIRST)
    assert [(3, "later")] == owners(database)
    database.close()


def test_the_error_of_a_refused_transaction_repeats_neither_values_nor_sql(tmp_path: Path):
    database = Database(tmp_path)
    batch = RowBatch()
    batch.add("owners", (7, "private"), (7, "private"))

    with pytest.raises(StoreError) as caught:
        database.commit(batch, FIRST)

    assert [] == [word for word in ("private", "owners", "owner_key", "7") if word in str(caught.value)]
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)
    database.close()


def test_a_commit_whose_anchor_cannot_be_written_is_still_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # The transaction is durable by then; a store ahead of its anchor is normal, an error would make callers repeat it.
    database = Database(tmp_path)

    def refuse(*_: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("prme.store.anchor.os.pwrite", refuse)
        database.commit(meta("first", FIRST.digest), FIRST)

    assert ([(1, "first")], FIRST) == (owners(database), database.last_commit)
    database.close()
    Database(tmp_path).close()


def test_a_snapshot_shows_one_moment_whatever_is_committed_meanwhile(tmp_path: Path):
    database = Database(tmp_path)
    with database.snapshot() as reader:
        before = reader.query("select count(*) from owners")
        database.commit(meta("first", FIRST.digest), FIRST)

        assert (before, [(0,)]) == ([(0,)], reader.query("select count(*) from owners"))

    with database.snapshot() as reader:
        assert [(1,)] == reader.query("select count(*) from owners")
    database.close()


def test_a_read_that_the_database_refuses_is_a_store_error_without_sql(tmp_path: Path):
    database = Database(tmp_path)

    with pytest.raises(StoreError) as caught:
        database.query("select secret_column from no_such_table")

    assert "secret_column" not in str(caught.value)
    database.close()


def test_a_closed_store_refuses_reads(tmp_path: Path):
    database = Database(tmp_path)
    database.close()

    with pytest.raises(StoreError, match="closed"):
        database.query("select 1")
    with pytest.raises(StoreError, match="closed"), database.snapshot():
        pass


def test_closing_twice_does_nothing(tmp_path: Path):
    database = Database(tmp_path)
    database.close()

    database.close()

    Database(tmp_path).close()


def test_a_second_client_of_the_same_process_is_refused_until_the_first_closes(tmp_path: Path):
    first = Database(tmp_path)

    with pytest.raises(StoreLockedError, match="this process"):
        Database(tmp_path)

    first.close()
    Database(tmp_path).close()


def test_another_name_for_the_same_directory_is_the_same_store(tmp_path: Path):
    first = Database(tmp_path / "store")
    (tmp_path / "other").symlink_to(tmp_path / "store")

    with pytest.raises(StoreLockedError):
        Database(tmp_path / "other")

    first.close()


def test_a_second_process_is_refused_and_told_the_way_out(tmp_path: Path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"

        with pytest.raises(StoreLockedError, match="prme serve") as caught:
            Database(tmp_path)

        assert str(tmp_path) not in str(caught.value)
        holder.communicate("\n", timeout=30)
    Database(tmp_path).close()


def test_a_failed_opening_lets_the_directory_go(tmp_path: Path):
    (tmp_path / DATABASE_FILE).write_bytes(b"not a database")
    with pytest.raises(StoreCorruptError):
        Database(tmp_path)
    (tmp_path / DATABASE_FILE).unlink()

    Database(tmp_path).close()


def test_a_path_that_is_a_file_is_a_store_error(tmp_path: Path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(StoreError, match="directory cannot be created"):
        Database(tmp_path / "file")


def test_a_directory_below_a_file_is_a_store_error(tmp_path: Path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(StoreError, match="directory cannot be created"):
        Database(tmp_path / "file" / "store")


@pytest.mark.parametrize("name", ["what?now", "a\\b", "a?b/store"])
@pytest.mark.skipif(os.name == "nt", reason="no path has these marks there")
def test_a_path_that_duckdb_misreads_is_refused_before_anything_is_made(tmp_path: Path, name: str):
    with pytest.raises(StoreError, match="which DuckDB takes for something else"):
        Database(tmp_path / name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["two words", "ü \U0001f980", "it's", 'a "b"', "50%", "a#b", "a;b", "[x]"])
def test_a_path_with_other_marks_is_not(tmp_path: Path, name: str):
    Database(tmp_path / name).close()

    assert (tmp_path / name / DATABASE_FILE).is_file()


@pytest.mark.parametrize("directory", ["", "  ", "a\0b", "a\ud800"])
def test_a_text_that_is_no_path_is_a_store_error(directory: str):
    with pytest.raises(StoreError, match=r"the store directory (is blank|has characters that no path can have)"):
        Database(directory)


def test_a_directory_that_may_not_be_entered_is_a_store_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def forbidden(_: Path) -> bool:  # permissions do not bind everyone who runs this
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "exists", forbidden)
        with pytest.raises(StoreError, match="cannot be looked into: Permission denied"):
            Database(tmp_path)

    Database(tmp_path).close()


def test_a_database_file_that_is_a_directory_is_a_store_error(tmp_path: Path):
    (tmp_path / DATABASE_FILE).mkdir()

    with pytest.raises(StoreError):
        Database(tmp_path)


def test_an_anchor_that_is_a_directory_is_a_store_error(tmp_path: Path):
    made(tmp_path)
    (tmp_path / ANCHOR_FILE).unlink()
    (tmp_path / ANCHOR_FILE).mkdir()

    with pytest.raises(StoreError, match="anchor"):
        Database(tmp_path)


@pytest.mark.parametrize("directory", ["store", "lock", "block", "wallet", "version number"])
@pytest.mark.parametrize("content", [b"", b"x", b"garbage" * 2_000], ids=["empty", "short", "garbage"])
def test_a_file_that_is_no_database_is_damage_whatever_its_directory_is_called(
    tmp_path: Path, directory: str, content: bytes
):
    # The names are words that DuckDB's own messages use, and its messages repeat the path.
    store = made(tmp_path / directory)
    (store / DATABASE_FILE).write_bytes(content)

    with pytest.raises(StoreCorruptError) as caught:
        Database(store)

    assert str(store) not in str(caught.value)
    assert content == (store / DATABASE_FILE).read_bytes()


@pytest.mark.parametrize("directory", ["store", "wallet", "corrupt", "version number"])
def test_a_database_file_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path, directory: str):
    (tmp_path / directory / DATABASE_FILE).mkdir(parents=True)

    with pytest.raises(StoreError) as caught:
        Database(tmp_path / directory)

    assert type(caught.value) is StoreError


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path):
    raw(tmp_path, "create table theirs as select 1 as x")

    with pytest.raises(StoreCorruptError, match="another program"):
        Database(tmp_path)

    assert [("theirs",)] == raw(tmp_path, "select table_name from information_schema.tables")


@pytest.mark.parametrize(
    "statement", ["update meta set value = 'prme.store/99' where key = 'format'", "delete from meta"]
)
def test_another_store_format_is_refused_and_says_what_to_do(tmp_path: Path, statement: str):
    made(tmp_path)
    raw(tmp_path, statement)

    with pytest.raises(StoreVersionError, match="upgrade prme"):
        Database(tmp_path)


def test_a_store_of_an_older_format_is_refused_and_says_what_to_do(tmp_path: Path):
    made(tmp_path)
    raw(tmp_path, "update meta set value = 'prme.store/1' where key = 'format'")

    with pytest.raises(StoreVersionError, match="ingest its conversations into a new directory"):
        Database(tmp_path)


def test_a_store_with_plans_of_a_policy_that_was_left_out_is_refused(tmp_path: Path):
    made(tmp_path)
    raw(tmp_path, "insert into meta values ('policy.12', 'speech_act_v12')")

    with pytest.raises(StoreVersionError, match=r"'speech_act_v12'.*upgrade prme"):
        Database(tmp_path)


def test_a_store_with_plans_of_a_newer_policy_is_refused_and_says_what_to_do(tmp_path: Path):
    made(tmp_path)
    raw(tmp_path, "insert into meta values ('policy.99', 'speech_act_v99')")

    with pytest.raises(StoreVersionError, match=r"'speech_act_v99'.*'speech_act_v14': upgrade prme"):
        Database(tmp_path)


def test_a_store_with_plans_of_known_policies_is_opened(tmp_path: Path):
    made(tmp_path)
    raw(tmp_path, "insert into meta values ('policy.13', 'speech_act_v13'), ('policy.14', 'speech_act_v14')")

    database = Database(tmp_path)

    assert {"speech_act_v13": 13, "speech_act_v14": 14} == database.held_policies
    database.close()


def test_a_refused_store_is_left_as_it_was(tmp_path: Path):
    made(tmp_path)
    raw(tmp_path, "insert into meta values ('policy.99', 'speech_act_v99')")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    with pytest.raises(StoreVersionError):
        Database(tmp_path)

    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_closing_waits_for_reads_in_flight(tmp_path: Path):
    database = Database(tmp_path)
    with database.snapshot() as reader:
        closing = threading.Thread(target=database.close)
        closing.start()
        closing.join(0.05)

        assert closing.is_alive()
        assert reader.query("select count(*) from owners") == [(0,)]
    closing.join(20)
    assert not closing.is_alive()


def test_a_file_of_a_newer_database_version_is_refused_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def newer(_: str) -> None:
        raise duckdb.IOException("Trying to read a database file with version number 99, but we can only read 64")

    monkeypatch.setattr("prme.store.database.duckdb.connect", newer)

    with pytest.raises(StoreVersionError, match="newer DuckDB: upgrade prme"):
        Database(tmp_path)
