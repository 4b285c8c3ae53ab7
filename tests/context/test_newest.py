"""The newest claims are found without reading all of them, and all of them are counted."""

from __future__ import annotations

from pathlib import Path

from prme.store.database import Database
from prme.store.newest import newest_current
from prme.store.owners import find_owner
from tests.engine.conversation import SettableClock
from tests.retrieval.talking import client, say


def test_the_newest_open_claims_are_found_and_all_are_counted(tmp_path: Path, clock: SettableClock):
    with client(tmp_path, clock) as memory:
        said = []
        for content in ("I use a.", "I use b.", "I use c.", "I use d."):
            said += say(memory, content)
            clock.advance(days=1)
        (denial,) = say(memory, "I don't use d anymore.")
        say(memory, "I use a.")  # confirms the first
        (at_work,) = say(memory, "I use a.", scope="work")
        memory.contradict(said[1], said[2])
    database = Database(tmp_path)
    with database.snapshot() as reader:
        owner_key = find_owner(reader, "sam")
        found = [newest_current(reader, owner_key, scope, limit=2) for scope in (None, "work", "home")]
    database.close()

    assert ({at_work, denial}, 3) == (set(found[0][0]), found[0][1])
    assert [([at_work], 1), ([], 0)] == found[1:]
