"""A writer whose thread can be held, so that a test decides what shares a batch."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from prme.errors import StoreError
from prme.message import validate_message
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.model.receipt import IngestReceipt
from prme.pipeline import PipelineSettings, ingest_answered
from prme.policy.registry import get_policy
from prme.store.anchor import AnchorMark
from prme.store.database import Database
from prme.store.rows import RowBatch
from prme.verification import verify_store
from prme.writer import Writer, WriteSession
from tests.engine.conversation import DRINKS, TEA, SettableClock

SETTINGS = PipelineSettings(
    policy=get_policy("speech_act_v14"),
    options=PlanOptions(enable_speaker_references=True),
    extractor=ExtractorIdentity(name="scripted", model="1"),
)


class Refusing(Database):
    """A store that refuses the transactions for which `refuses` says so."""

    refuses: Callable[[RowBatch], bool] = staticmethod(lambda batch: False)

    attempts = 0

    def commit(self, batch: RowBatch, mark: AnchorMark) -> None:
        self.attempts += 1
        if self.refuses(batch):
            raise StoreError("the store refused the transaction; nothing was stored")
        super().commit(batch, mark)


class Desk:
    """A writer whose thread can be held, so that what is submitted meanwhile shares a batch."""

    def __init__(self, directory: Path) -> None:
        self.database = Refusing(directory)
        self.writer = Writer(self.database, clock=SettableClock(), entropy=lambda size: b"k" * size)

    def submit(self, user_id: str, run: Callable[[WriteSession], Any]) -> Future[Any]:
        return self.writer.submit(user_id, run)

    def ingest(self, user_id: str, content: str = TEA, message_id: str | None = None) -> Future[IngestReceipt]:
        message = validate_message(content, user_id=user_id, first_person_owner=True, message_id=message_id)
        return self.submit(
            user_id, partial(ingest_answered, message=message, answer=DRINKS[content], settings=SETTINGS)
        )

    def together(self, *submissions: Callable[[], Future[Any]]) -> list[Future[Any]]:
        """Submit while the writer is busy, let it go on, and wait until everything ended."""
        busy, go_on = threading.Event(), threading.Event()

        def hold(_: WriteSession) -> None:
            busy.set()
            assert go_on.wait(30)

        held = self.submit("holder", hold)
        assert busy.wait(30)
        futures = [submission() for submission in submissions]
        go_on.set()
        held.result(30)
        for future in futures:
            if not future.cancelled():
                future.exception(30)
        return futures

    def commits(self) -> list[tuple[int, int]]:
        return self.database.query("select commit_no, count(*) from journal group by commit_no order by commit_no")

    def owners(self) -> list[tuple[int, str]]:
        return self.database.query("select owner_key, user_id from owners order by owner_key")

    def is_sound(self) -> bool:
        with self.database.snapshot() as reader:
            return verify_store(reader).ok

    def close(self) -> None:
        self.writer.close()
        self.database.close()
