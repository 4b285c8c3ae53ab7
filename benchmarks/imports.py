"""How long it takes to import the library and to start the command, in fresh interpreters."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from benchmarks.measure import MILLISECONDS, Spread, interleaved, timed
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop

STATEMENTS = {
    "prme": "import prme",
    "client": "from prme import MemoryClient",
    "floor": "import duckdb, pydantic",
}
COMMANDS = {"prme --help": ["prme", "--help"], "prme --version": ["prme", "--version"]}
ONLY_ON_USE = (
    "anthropic",
    "asyncpg",
    "dateparser",
    "fastapi",
    "httpx",
    "httpx2",
    "mcp",
    "openai",
    "rich",
    "starlette",
    "uvicorn",
)
_TIMED = """
import sys, time
began = time.perf_counter()
{statement}
print(time.perf_counter() - began, *sorted({{*{watched!r}}} & {{*sys.modules}}))
"""
_MAIN = "import sys; from prme.cli.main import main; sys.argv = {argv!r}; main()"


def measure(workshop: Workshop) -> Outcome:
    """Let the imports take turns, then the commands and an interpreter that does nothing."""
    starts = workshop.size.starts
    seconds: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    loaded: set[str] = set()
    for _ in range(starts):
        for name, statement in STATEMENTS.items():
            took, *found = _python(_TIMED.format(statement=statement, watched=ONLY_ON_USE)).split()
            seconds[name].append(float(took))
            if name == "prme":
                loaded.update(found)
    spreads = {name: Spread.of(part * MILLISECONDS for part in parts) for name, parts in seconds.items()}
    note = f"it loads {', '.join(sorted(loaded))}" if loaded else "no SDK, web or date library is loaded by it"
    floor_name = STATEMENTS["floor"]
    result = Result("import prme", "ms", spreads["prme"], floor_name, spreads["floor"], "import", (note,))
    # Public names are loaded when they are asked for, so the import alone says little.
    client = Result(STATEMENTS["client"], "ms", spreads["client"], floor_name, spreads["floor"])
    return Outcome((result, client, *_commands(starts)))


def _commands(starts: int) -> list[Result]:
    codes = {name: _MAIN.format(argv=argv) for name, argv in COMMANDS.items()}
    steps = {name: timed(partial(_run, code)) for name, code in {**codes, "nothing": "pass"}.items()}
    spreads = {name: Spread.of_walls(timings) for name, timings in interleaved(steps, range(starts)).items()}
    return [Result(name, "ms", spreads[name], "python -c pass", spreads["nothing"]) for name in COMMANDS]


def _run(code: str, _: int) -> None:
    _python(code)


def _python(code: str) -> str:
    # Where bytecode may not be written, every start would compile the source again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
