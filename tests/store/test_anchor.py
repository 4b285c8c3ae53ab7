from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random  # noqa: TID251 - seeded, and nothing that decides

import duckdb
import pytest

from prme import MemoryClient
from prme.errors import StoreCorruptError
from prme.service import ANCHOR_REWRITTEN
from prme.store.anchor import AnchorFile, AnchorMark
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Scripted, SettableClock

WAL_FILE = f"{DATABASE_FILE}.wal"
MARK = AnchorMark(7, "ab" * 32)


def opened(directory: Path) -> MemoryClient:
    return MemoryClient(directory, extractor=Scripted(), clock=SettableClock())


def say(directory: Path, *contents: str) -> None:
    with opened(directory) as memory:
        for content in contents:
            memory.ingest(content, user_id="sam", first_person_owner=True)


def copied_while_open(directory: Path, target: Path, *contents: str) -> Path:
    """Say something, and copy the files before the store is closed: its log still holds what was said."""
    with opened(directory) as memory:
        for content in contents:
            memory.ingest(content, user_id="sam", first_person_owner=True)
        shutil.copytree(directory, target)
    return target


def test_a_new_anchor_says_nothing(tmp_path: Path):
    anchor = AnchorFile(tmp_path / "anchor")

    assert anchor.read() is None
    anchor.close()


def test_an_anchor_says_what_was_written_last(tmp_path: Path):
    anchor = AnchorFile(tmp_path / "anchor")
    anchor.write(AnchorMark(6, "cd" * 32))
    anchor.write(MARK)
    anchor.close()
    again = AnchorFile(tmp_path / "anchor")

    assert again.read() == MARK
    again.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-1],
        lambda text: text + "x",
        lambda text: text.replace("prme-anchor/1", "prme-anchor/2"),
        lambda text: text[:-3] + "zz\n",
        lambda _: "\0" * 99,
        lambda _: "\xff\xfe",
    ],
    ids=["cut", "longer", "other version", "not hex", "zeros", "not ascii"],
)
def test_a_damaged_anchor_is_reported_and_left_alone(tmp_path: Path, damage: Callable[[str], str]):
    say(tmp_path, TEA)
    anchor = tmp_path / ANCHOR_FILE
    anchor.write_bytes(damage(anchor.read_text()).encode("latin-1"))
    before = anchor.read_bytes()

    with pytest.raises(StoreCorruptError, match="anchor file 'anchor' is damaged"):
        opened(tmp_path)

    assert before == anchor.read_bytes()


def test_the_anchor_knows_the_newest_commit_after_each_ingest(tmp_path: Path):
    numbers = []
    with opened(tmp_path) as memory:
        for content in (TEA, COFFEE):
            memory.ingest(content, user_id="sam", first_person_owner=True)
            numbers.append(int((tmp_path / ANCHOR_FILE).read_text().split()[1]))

    assert [1, 2] == numbers


@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_a_missing_anchor_is_written_again_and_noted(tmp_path: Path, empty: bool):
    say(tmp_path, TEA)
    anchor = tmp_path / ANCHOR_FILE
    before = anchor.read_bytes()
    anchor.unlink()
    if empty:
        anchor.touch()

    with opened(tmp_path) as memory:
        report = memory.verify()

    assert (True, [ANCHOR_REWRITTEN]) == (report.ok, list(report.notes))
    assert before.replace(b"\n", b" rewritten\n") == anchor.read_bytes()


def test_a_rewritten_anchor_is_noted_for_ever(tmp_path: Path):
    say(tmp_path, TEA)
    (tmp_path / ANCHOR_FILE).unlink()
    with opened(tmp_path):
        pass
    say(tmp_path, TEA)

    with opened(tmp_path) as memory:
        assert memory.verify().notes == [ANCHOR_REWRITTEN]


def test_an_anchor_that_was_always_there_is_not_noted(tmp_path: Path):
    say(tmp_path, TEA)
    say(tmp_path, TEA)

    with opened(tmp_path) as memory:
        assert memory.verify().notes == []


def test_an_anchor_that_was_there_is_not_noted(tmp_path: Path):
    say(tmp_path, TEA)

    with opened(tmp_path) as memory:
        assert [] == list(memory.verify().notes)


def test_a_new_store_has_no_note_about_its_anchor(tmp_path: Path):
    with opened(tmp_path) as memory:
        assert [] == list(memory.verify().notes)


def test_a_store_ahead_of_its_anchor_is_normal(tmp_path: Path):
    say(tmp_path, TEA)
    old_anchor = (tmp_path / ANCHOR_FILE).read_bytes()
    say(tmp_path, NO_TEA)
    (tmp_path / ANCHOR_FILE).write_bytes(old_anchor)

    with opened(tmp_path) as memory:
        report = memory.verify()

    assert (True, []) == (report.ok, list(report.notes))


def test_an_old_copy_of_the_database_is_refused(tmp_path: Path):
    say(tmp_path, TEA)
    old = (tmp_path / DATABASE_FILE).read_bytes()
    say(tmp_path, NO_TEA)
    (tmp_path / DATABASE_FILE).write_bytes(old)

    with pytest.raises(StoreCorruptError, match="commit 1, its anchor knows commit 2"):
        opened(tmp_path)


def test_an_old_copy_of_the_whole_directory_is_accepted(tmp_path: Path):
    say(tmp_path / "store", TEA)
    shutil.copytree(tmp_path / "store", tmp_path / "backup")
    say(tmp_path / "store", NO_TEA)

    with opened(tmp_path / "backup") as memory:
        assert memory.verify().ok


def test_the_database_of_another_store_is_refused(tmp_path: Path):
    say(tmp_path / "one", TEA)
    say(tmp_path / "two", COFFEE)
    shutil.copy(tmp_path / "two" / DATABASE_FILE, tmp_path / "one" / DATABASE_FILE)

    with pytest.raises(StoreCorruptError, match="commit 1 of the database is not the one its anchor knows"):
        opened(tmp_path / "one")


def test_a_deleted_database_is_refused_and_no_new_one_takes_its_place(tmp_path: Path):
    say(tmp_path, TEA)
    (tmp_path / DATABASE_FILE).unlink()

    with pytest.raises(StoreCorruptError, match="database file is gone"):
        opened(tmp_path)

    assert [ANCHOR_FILE] == [path.name for path in tmp_path.iterdir()]


def test_a_deleted_store_begins_anew(tmp_path: Path):
    say(tmp_path, TEA)
    (tmp_path / DATABASE_FILE).unlink()
    (tmp_path / ANCHOR_FILE).unlink()

    with opened(tmp_path) as memory:
        assert {} == memory.verify().owners


def test_a_log_that_was_not_merged_yet_is_read(tmp_path: Path):
    copy = copied_while_open(tmp_path / "store", tmp_path / "copy", TEA)
    assert (copy / WAL_FILE).stat().st_size > 0

    with opened(copy) as memory:
        assert ["tea"] == [node.object for node in memory.claims(user_id="sam")]


def test_a_deleted_log_is_refused(tmp_path: Path):
    copy = copied_while_open(tmp_path / "store", tmp_path / "copy", TEA)
    (copy / WAL_FILE).unlink()

    with pytest.raises(StoreCorruptError, match="commits were lost"):
        opened(copy)


def test_a_cut_log_is_refused(tmp_path: Path):
    copy = copied_while_open(tmp_path / "store", tmp_path / "copy", TEA, COFFEE)
    log = (copy / WAL_FILE).read_bytes()
    (copy / WAL_FILE).write_bytes(log[: len(log) - 40])

    with pytest.raises(StoreCorruptError):
        opened(copy)


def test_an_old_log_put_back_is_refused(tmp_path: Path):
    with opened(tmp_path / "store") as memory:
        memory.ingest(TEA, user_id="sam", first_person_owner=True)
        old = (tmp_path / "store" / WAL_FILE).read_bytes()
        memory.ingest(COFFEE, user_id="sam", first_person_owner=True)
        shutil.copytree(tmp_path / "store", tmp_path / "copy")
    (tmp_path / "copy" / WAL_FILE).write_bytes(old)

    with pytest.raises(StoreCorruptError, match="commits were lost"):
        opened(tmp_path / "copy")


def test_the_log_of_another_store_is_refused(tmp_path: Path):
    copy = copied_while_open(tmp_path / "store", tmp_path / "copy", TEA, COFFEE)
    other = copied_while_open(tmp_path / "other", tmp_path / "other copy", COFFEE, TEA)
    shutil.copy(other / WAL_FILE, copy / WAL_FILE)

    with pytest.raises(StoreCorruptError):
        opened(copy)


def flipped_log(directory: Path, position: int) -> tuple[bool, bool]:
    """Flip one byte of the log, open the store, and tell whether it was refused and whether the log is still there."""
    path = directory / WAL_FILE
    log = bytearray(path.read_bytes())
    log[position] ^= 0xFF
    path.write_bytes(log)
    try:
        opened(directory).close()
    except StoreCorruptError:
        return True, path.exists() and path.read_bytes() == bytes(log)
    return False, False


@pytest.mark.parametrize("part", [0.0, 0.001, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_of_the_log_is_refused_and_the_log_is_kept(tmp_path: Path, part: float):
    copy = copied_while_open(tmp_path / "store", tmp_path / "copy", TEA, COFFEE, NO_TEA)
    position = int(part * (copy / WAL_FILE).stat().st_size)

    assert flipped_log(copy, position) == (True, True)


@pytest.mark.parametrize("position", [0, 8, 4096, 4096 * 3 + 100])
def test_a_flipped_byte_of_the_database_is_damage(tmp_path: Path, position: int):
    say(tmp_path, TEA)
    path = tmp_path / DATABASE_FILE
    data = bytearray(path.read_bytes())
    data[position] ^= 0xFF
    path.write_bytes(data)

    with pytest.raises(StoreCorruptError):
        opened(tmp_path).verify()

    assert bytes(data) == path.read_bytes()


@pytest.mark.slow
def test_a_flipped_byte_anywhere_is_noticed_or_changes_nothing(tmp_path: Path):
    say(tmp_path / "store", TEA, COFFEE, NO_TEA, *(f"This is number {number}." for number in range(60)))
    with opened(tmp_path / "store") as memory:
        sound = memory.verify()
    size = (tmp_path / "store" / DATABASE_FILE).stat().st_size
    positions = [Random(seed).randrange(size) for seed in range(60)]
    noticed = 0
    for position in positions:
        again = tmp_path / f"flip {position}"
        shutil.copytree(tmp_path / "store", again)
        with (again / DATABASE_FILE).open("r+b") as file:
            file.seek(position)
            byte = file.read(1)[0]
            file.seek(position)
            file.write(bytes([byte ^ 0x10]))
        try:
            with opened(again) as memory:
                report = memory.verify()
        except StoreCorruptError:
            noticed += 1
            continue
        assert report.ok is False or report == sound, position
        noticed += not report.ok

    assert noticed > 0


@pytest.mark.parametrize("size", [1, 4096, 20_000])
def test_a_truncated_database_is_damage(tmp_path: Path, size: int):
    say(tmp_path, TEA)
    path = tmp_path / DATABASE_FILE
    path.write_bytes(path.read_bytes()[:size])

    with pytest.raises(StoreCorruptError):
        opened(tmp_path)


def test_the_same_store_untouched_is_opened(tmp_path: Path):
    say(tmp_path, TEA)

    with opened(tmp_path) as memory:
        assert memory.verify().ok


def test_the_connection_of_a_refused_store_is_closed(tmp_path: Path):
    say(tmp_path, TEA)
    (tmp_path / ANCHOR_FILE).write_text("damaged")
    with pytest.raises(StoreCorruptError):
        opened(tmp_path)

    with duckdb.connect(str(tmp_path / DATABASE_FILE)) as connection:
        assert [(1,)] == connection.execute("select count(*) from events").fetchall()
