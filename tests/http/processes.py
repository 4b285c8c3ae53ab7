"""The service as a process of its own, for signals and for being killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = "from prme.cli.main import main; main()"
PATIENCE = 60.0


class ServiceProcess:
    """A started `prme serve`; what it writes to standard error is kept."""

    def __init__(self, store: Path, *options: str, port: int = 0, **variables: str) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "extractors")]), **variables}
        arguments = ["--store", str(store), "serve", "--port", str(port), *options]
        self.child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments], env=environment, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self.url = ""
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stderr is not None
        for line in self.child.stderr:
            self.lines.append(line.rstrip("\n"))
            if '"listening"' in line:
                self.url = json.loads(line)["url"]
                self._listening.set()
        self._listening.set()

    def wait_until_listening(self) -> str:
        """Return the address once the service listens."""
        assert self._listening.wait(PATIENCE)
        assert self.url, "\n".join(self.lines)
        return self.url

    def events(self) -> list[dict[str, Any]]:
        """Return what was logged."""
        return [json.loads(line) for line in self.lines if line.startswith("{")]

    def send(self, number: signal.Signals) -> None:
        self.child.send_signal(number)

    def wait(self) -> int:
        """Return the exit status once the process has ended."""
        status = self.child.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self.child.stderr is not None:
            self.child.stderr.close()
        return status

    def end(self) -> int:
        """Tell the process to end, and return its exit status."""
        self.send(signal.SIGTERM)
        return self.wait()

    def kill(self) -> None:
        """Kill the process, wherever it is."""
        self.child.kill()
        self.wait()


@contextmanager
def started(store: Path, *options: str, port: int = 0, **variables: str) -> Iterator[ServiceProcess]:
    """Start a service, and kill it at the end of the block if it still runs."""
    process = ServiceProcess(store, *options, port=port, **variables)
    try:
        yield process
    finally:
        if process.child.poll() is None:
            process.kill()
