"""A process that stores messages until it is killed, and says after each receipt that it has it.

Called with the store, the file for acknowledgements, the number of its first message, and how it ingests.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from prme import MemoryEngine
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Remote, Scripted

CONTENTS = (TEA, COFFEE, NO_TEA)
AT_ONCE = 4


async def write(store: Path, acknowledgements: Path, first: int, way: str) -> None:
    """Ingest for ever.

    `alone` one message after the other, `together` several at once, `queued` without waiting; `deciding` replaces the
    last note by a new one after each message.
    """
    descriptor = os.open(acknowledgements, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    extractor = Remote() if way == "queued" else Scripted()
    latest: dict[str, str] = {}
    async with MemoryEngine(store, extractor=extractor) as engine:

        async def one(number: int) -> None:
            receipt = await engine.ingest(
                CONTENTS[number % 3],
                user_id=f"user {number % 2}",
                first_person_owner=True,
                message_id=str(number),
                wait_for_extraction=way != "queued",
            )
            if way == "deciding":
                await decide(engine, number)
            os.write(descriptor, f"{number} {receipt.event_id} {receipt.plan_checksum}\n".encode())
            os.fsync(descriptor)

        async def decide(engine: MemoryEngine, number: int) -> None:
            user = f"user {number % 2}"
            event = await engine.store(
                "A note.", user_id=user, message_id=f"note {number}", supersedes=latest.get(user)
            )
            latest[user] = (await engine.get_event_nodes(event))[0].id

        number = first
        while True:
            width = 1 if way in ("alone", "deciding") else AT_ONCE
            await asyncio.gather(*map(one, range(number, number + width)))
            number += width


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
