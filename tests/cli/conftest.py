"""What tests of the command line share: the program as it is installed, and a talk whose extractions are recorded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from prme import ids
from prme.cli.main import program

ROOT = Path(__file__).parents[2]
PROGRAM = "from prme.cli.main import main; main()"
Run = Callable[..., Result]
Claim = dict[str, Any]
# Any time will do: an id that has a `message_id` does not depend on it.
RECEIVED = datetime(2031, 4, 1, tzinfo=UTC)


class Talk:
    """What Sam says, with recorded extractions, and the store it is taken into. Message n is said on day n at nine."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._run = run
        self.store = str(folder / "memory")
        self.file = folder / "talk.jsonl"
        self.recordings = folder / "recordings.jsonl"
        self.lines: list[dict[str, Any]] = []
        self.recorded: list[dict[str, Any]] = []

    def say(self, content: str, *claims: Claim, recorded: bool = True, **fields: Any) -> None:
        number = len(self.lines) + 1
        line = {"content": content, "user_id": "sam", "first_person_owner": True, "message_id": f"m{number}"}
        self.lines.append({**line, "occurred_at": f"2031-04-{number:02}T09:00:00Z", **fields})
        if recorded:
            self.recorded.append({"content": content, "extraction": {"claims": list(claims)}})

    @staticmethod
    def states(predicate: str, obj: str, **fields: Any) -> Claim:
        return {"subject": "I", "predicate": predicate, "object": obj, "polarity": "positive", **fields}

    @classmethod
    def denies(cls, predicate: str, obj: str, **fields: Any) -> Claim:
        return cls.states(predicate, obj, **{"polarity": "negative", "temporal_intent": "update", **fields})

    def ingest(self, *options: str) -> Result:
        write_lines(self.file, self.lines)
        write_lines(self.recordings, self.recorded)
        return self.run("ingest", str(self.file), "--extractor", f"recorded:{self.recordings}", *options)

    def run(self, *arguments: str) -> Result:
        return self._run("--store", self.store, *arguments)

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json").stdout)

    def event(self, number: int, *, user_id: str = "sam") -> str:
        return ids.event_id(user_id, "personal", f"m{number}", RECEIVED)

    def claim(self, number: int, position: int = 0) -> str:
        return ids.claim_id(self.event(number), position)


def write_lines(file: Path, documents: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")


@pytest.fixture(scope="session")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that declares the extractors as the installed distribution does, also where it is not installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = "".join(f"{name} = {value}\n" for name, value in project["entry-points"]["prme.extractors"].items())
    folder = tmp_path_factory.mktemp("metadata")
    (folder / "prme-0.dist-info").mkdir()
    (folder / "prme-0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: prme\nVersion: 0\n")
    (folder / "prme-0.dist-info" / "entry_points.txt").write_text(f"[prme.extractors]\n{declared}")
    return folder


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, metadata: Path, tmp_path: Path) -> None:
    """Every test runs in a folder of its own, 80 columns wide, without the variables of whoever runs it."""
    monkeypatch.syspath_prepend(metadata)
    # A relative entry of the path would be lost in another folder.
    monkeypatch.syspath_prepend(ROOT / "extractors")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for variable in ("PRME_STORE", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def run() -> Run:
    """Run the program in this process: `run("claims", "--user-id", "sam")`."""

    def invoke(*arguments: str, input: bytes | str | None = None) -> Result:
        return CliRunner().invoke(program, list(arguments), input=input, prog_name="prme", catch_exceptions=False)

    return invoke


@pytest.fixture
def talk(run: Run, tmp_path: Path) -> Talk:
    return Talk(run, tmp_path)


@pytest.fixture
def pumps(talk: Talk) -> Talk:
    """A talk that is stored: a statement, and the denial that retired it."""
    talk.say("I use an insulin pump.", talk.states("uses", "insulin pump"))
    talk.say("I don't use the pump anymore.", talk.denies("uses", "pump"))
    assert talk.ingest().exit_code == 0
    return talk


@pytest.fixture
def environment(metadata: Path, surroundings: None) -> dict[str, str]:
    """The variables with which a process of its own finds the program and its extractors."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "extractors", metadata)))}


@pytest.fixture
def process(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start the program as a process of its own, with pipes for its three streams."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, **variables: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=tmp_path,
            env={**environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Whoever starts the tests in the background lets all that they start ignore an interrupt.
            preexec_fn=None if os.name == "nt" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()
