"""A load that is killed again and again: several clients talk to the service, and what it acknowledged must be there.

    python -m tests.http.load --seconds 600

Each client says things, asks, and decides; at moments drawn from the seed the process is killed with SIGKILL and
started again. A client that got no answer sends the same thing again. In the end the store is opened and compared with
what the clients were told.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251 - seeded, and nothing that decides
from typing import Any

import httpx2

from prme import MemoryClient
from tests.http.processes import PATIENCE, ServiceProcess

THINGS = ("Trello", "Plane", "Linear", "Jira", "Notion", "Asana")
SAYINGS = ("I use {a}.", "I don't use {a} anymore.", "I switched from {a} to {b}.", "I live in Oslo and I like {a}.")
Body = dict[str, Any]


@dataclass
class Ledger:
    """What the clients were told, and what went wrong; all of it under one lock."""

    plans: dict[str, str] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    operations: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, path: str, answer: httpx2.Response, seconds: float) -> None:
        with self.lock:
            self.counts[f"{path} {answer.status_code}"] += 1
            self.seconds.append(seconds)

    def acknowledge(self, receipt: Body) -> None:
        """Keep what a receipt says is stored; the same message must never get another plan."""
        with self.lock:
            event, checksum = receipt["event_id"], receipt["plan_checksum"]
            if self.plans.setdefault(event, checksum) != checksum:
                self.problems.append(f"event {event} has another plan than before")

    def complain(self, text: str) -> None:
        with self.lock:
            self.problems.append(text)


class Talker:
    """One client: it says, asks and decides until it is told to stop."""

    def __init__(self, number: int, seed: int, url: str, ledger: Ledger, stop: threading.Event) -> None:
        self._random = Random(f"{seed}-{number}")
        self._number = number
        self._owner = f"owner-{number // 2}"  # two clients share an owner, so that they meet
        self._ledger = ledger
        self._stop = stop
        self._said: list[Body] = []
        self._nodes: list[str] = []
        self._client = httpx2.Client(base_url=url, timeout=60, trust_env=False, verify=False)

    def talk(self) -> None:
        ways: Sequence[tuple[Callable[[], None], int]] = (
            (self._say, 50),
            (self._say_again, 6),
            (self._say_several, 6),
            (self._note, 10),
            (self._search, 12),
            (self._ask, 8),
            (self._replace, 8),
        )
        try:
            while not self._stop.is_set():
                (way,) = self._random.choices([way for way, _ in ways], [weight for _, weight in ways])
                way()
        except Exception as error:
            self._ledger.complain(f"client {self._number} ended with {type(error).__name__}: {error}")
        finally:
            self._client.close()

    def _post(self, path: str, body: Body, *expected: int) -> httpx2.Response | None:
        """Send until there is an answer; None once the test ends without one."""
        while True:
            began = time.monotonic()
            try:
                answer = self._client.post(path, json=body)
            except httpx2.HTTPError:
                with self._ledger.lock:
                    self._ledger.counts["without answer"] += 1
                if self._stop.is_set():
                    return None
                time.sleep(0.02)
                continue
            self._ledger.answered(path, answer, time.monotonic() - began)
            if answer.status_code not in (200, *expected):
                self._ledger.complain(f"{path}: {answer.status_code} {answer.text[:300]}")
                return None
            return answer

    def _message(self) -> Body:
        a, b = self._random.sample(THINGS, 2)
        message = {
            "content": self._random.choice(SAYINGS).format(a=a, b=b),
            "user_id": self._owner,
            "first_person_owner": True,
            "message_id": f"{self._number}-{len(self._said)}",
        }
        self._said.append(message)
        return message

    def _say(self) -> None:
        answer = self._post("/v1/ingest", self._message())
        if answer is not None:
            self._ledger.acknowledge(answer.json())

    def _say_again(self) -> None:
        if self._said:
            answer = self._post("/v1/ingest", self._random.choice(self._said))
            if answer is not None:
                self._ledger.acknowledge(answer.json())

    def _say_several(self) -> None:
        answer = self._post("/v1/ingest/batch", {"messages": [self._message() for _ in range(5)]})
        for receipt in [] if answer is None else answer.json():
            self._ledger.acknowledge(receipt)

    def _note(self) -> None:
        body = {"content": "A note.", "user_id": self._owner, "message_id": f"n{self._number}-{len(self._nodes)}"}
        answer = self._post("/v1/store", body)
        if answer is None:
            return
        event = answer.json()["event_id"]
        with self._ledger.lock:
            self._ledger.notes.add(event)
        try:
            self._nodes.append(self._client.get(f"/v1/events/{event}/nodes").json()[0]["id"])
        except httpx2.HTTPError:
            self._nodes.append("")  # killed in between: this note is not decided about

    def _search(self) -> None:
        answer = self._post("/v1/retrieve", {"query": self._random.choice(THINGS), "user_id": self._owner})
        if answer is not None and any(hit["node"]["user_id"] != self._owner for hit in answer.json()["hits"]):
            self._ledger.complain("a search returned what belongs to another owner")

    def _ask(self) -> None:
        self._post("/v1/assertions/state", {"user_id": self._owner, "subject": "I", "predicate": "uses"})

    def _replace(self) -> None:
        known = [node for node in self._nodes if node]
        if len(known) < 2:
            return
        old, new = self._random.sample(known, 2)
        answer = self._post("/v1/supersedences", {"old_id": old, "new_id": new, "user_id": self._owner}, 409)
        if answer is not None and answer.status_code == 200:
            with self._ledger.lock:
                self._ledger.operations.add(answer.json()["operation_id"])


@dataclass(frozen=True)
class Outcome:
    """How a load ended: `lost` names what was acknowledged and is not there."""

    kills: int
    acknowledged: int
    lost: list[str]
    problems: list[str]
    counts: dict[str, int]
    median_ms: float
    p95_ms: float


def run_load(store: Path, *, seconds: float, clients: int, seed: int, pauses: tuple[float, float]) -> Outcome:
    """Talk to a service for some seconds and kill it after random pauses in between; then compare.

    `pauses` are the shortest and the longest time, in seconds, that the service works before it is killed, from the
    first answer that it gives.
    """
    ledger, stop, random = Ledger(), threading.Event(), Random(seed)
    port = _free_port()
    talkers = [Talker(number, seed, f"http://127.0.0.1:{port}", ledger, stop) for number in range(clients)]
    threads = [threading.Thread(target=talker.talk, name=f"client {n}") for n, talker in enumerate(talkers)]
    ends, kills = time.monotonic() + seconds, 0
    process = ServiceProcess(store, port=port)
    try:
        process.wait_until_listening()
        for thread in threads:
            thread.start()
        while (left := ends - time.monotonic()) > 0:
            _wait_for_answer(ledger)
            time.sleep(min(left, random.uniform(*pauses)))
            if time.monotonic() < ends:
                process.kill()
                kills += 1
                _look_at_log(process, ledger)
                process = ServiceProcess(store, port=port)
                process.wait_until_listening()
    finally:
        stop.set()
        for thread in threads:
            thread.join(120)
        status = process.end()
    if status != 0:
        ledger.complain(f"the service ended with status {status}")
    _look_at_log(process, ledger)
    lost = missing(store, ledger)
    times = sorted(ledger.seconds) or [0.0]
    return Outcome(
        kills=kills,
        acknowledged=len(ledger.plans) + len(ledger.notes) + len(ledger.operations),
        lost=lost,
        problems=ledger.problems,
        counts=dict(sorted(ledger.counts.items())),
        median_ms=round(times[len(times) // 2] * 1000, 1),
        p95_ms=round(times[len(times) * 95 // 100] * 1000, 1),
    )


def missing(store: Path, ledger: Ledger) -> list[str]:
    """Return what was acknowledged and is not in a store, and whatever its verification finds."""
    lost: list[str] = []
    with MemoryClient(store) as memory:
        for event, checksum in ledger.plans.items():
            if memory.get_event(event) is None or memory.get_plan(event).checksum != checksum:
                lost.append(f"event {event}")
        lost += [f"note {event}" for event in ledger.notes if memory.get_event(event) is None]
        lost += [f"operation {operation}" for operation in ledger.operations - _operations(memory)]
        report = memory.verify()
        lost += [f"difference {difference.what} {difference.id}" for difference in report.differences]
    return lost


def _operations(memory: MemoryClient) -> set[str]:
    found: set[str] = set()
    after: str | None = None
    while changes := memory.changes(after=after, limit=10_000):
        found |= {change.operation_id for change in changes if change.operation_id is not None}
        after = changes[-1].cursor
    return found


def _wait_for_answer(ledger: Ledger) -> None:
    before, deadline = len(ledger.seconds), time.monotonic() + PATIENCE
    while len(ledger.seconds) == before and time.monotonic() < deadline:
        time.sleep(0.01)


def _look_at_log(process: ServiceProcess, ledger: Ledger) -> None:
    """Complain of every line that is not information; the last line of a killed process may be cut."""
    for line in process.lines:
        if '"level": "INFO"' not in line and line.endswith("}"):
            ledger.complain(line[:500])


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def main() -> None:
    """Run a load as the arguments say, and print how it ended."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--seconds", type=float, default=600)
    reader.add_argument("--clients", type=int, default=8)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--pauses", type=float, nargs=2, default=(2.0, 20.0))
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run_load(
            Path(folder) / "memory",
            seconds=asked.seconds,
            clients=asked.clients,
            seed=asked.seed,
            pauses=tuple(asked.pauses),
        )
    print(json.dumps(vars(outcome), indent=2))
    sys.exit(bool(outcome.lost or outcome.problems))


if __name__ == "__main__":
    main()
