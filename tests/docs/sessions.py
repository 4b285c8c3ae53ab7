"""Console blocks: what is typed, what is printed, and how the two are run and compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.docs.pages import ROOT, Block, blocks_of, write_page

ELISION = "…"
SETUP = frozenset({"make demo", "make test", "pip install ."})
_EXIT_STATUS = re.compile(r"# exit status (\d+)$")
# What differs from run to run: the time of receipt, and digests that cover it or a random key. State digests do not.
_MASKS = (
    (re.compile(r"(?<![\w-])(?<!state )(?<!state sha256:)[0-9a-f]{16,}(?![\w-])"), "<digest>"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?: UTC|Z)"), "<time>"),
)


@dataclass(frozen=True)
class Step:
    """One command of a session, and the lines that follow it."""

    command: str
    printed: tuple[str, ...]

    @property
    def exit_status(self) -> int:
        found = _EXIT_STATUS.search(self.command)
        return int(found[1]) if found else 0


def steps_of(block: Block) -> list[Step]:
    """Return the commands of a block: `$ ` begins one, `> ` goes on with it, everything else was printed."""
    steps: list[Step] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            steps.append(Step(line[2:], ()))
        elif line.startswith("> ") and not steps[-1].printed:
            steps[-1] = replace(steps[-1], command=f"{steps[-1].command}\n{line[2:]}")
        else:
            steps[-1] = replace(steps[-1], printed=(*steps[-1].printed, line))
    return steps


def sessions_of(page: Path) -> list[Block]:
    return [block for block in blocks_of(page) if block.language == "console"]


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it printed, standard error last."""

    status: int
    lines: tuple[str, ...]


class Shell:
    """A directory like a clone, in which commands run one after the other."""

    def __init__(self, directory: Path) -> None:
        shutil.copytree(ROOT / "plans", directory / "plans")
        program = directory / ".bin" / "prme"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c 'from prme.cli.main import main; main()' \"$@\"\n")
        program.chmod(0o755)
        self._directory = directory
        self._environment = {
            **{name: value for name, value in os.environ.items() if name != "PRME_STORE"},
            "COLUMNS": "100",
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path if entry),
        }

    def run(self, step: Step) -> Ran | None:
        """Run a command and return how it ended; None for a command that only sets up what the tests have already."""
        if step.command in SETUP:
            return None
        ended = subprocess.run(
            ["sh", "-c", step.command],
            cwd=self._directory,
            env=self._environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        lines = (ended.stdout + ended.stderr).splitlines()
        return Ran(ended.returncode, tuple(line.rstrip() for line in lines))


def masked(lines: Sequence[str]) -> list[str]:
    """Return lines without what differs from run to run."""
    found = [line.rstrip() for line in lines]
    for pattern, replacement in _MASKS:
        found = [pattern.sub(replacement, line) for line in found]
    return found


def is_shown_by(kept: Sequence[str], actual: Sequence[str]) -> bool:
    """Return whether the kept lines are the actual ones, with any number of lines where an elision stands."""
    pieces = [""] + [re.escape(line) + "\n" if line.strip() != ELISION else "(?:.*\n)*?" for line in masked(kept)]
    return re.fullmatch("".join(pieces), "".join(f"{line}\n" for line in masked(actual))) is not None


def is_as_shown(step: Step, ran: Ran) -> bool:
    """Return whether a command ended with the status that the page gives, 0 if none, and printed what it shows."""
    return step.exit_status == ran.status and is_shown_by(step.printed, ran.lines)


def renew_sessions(page: Path, ran: Sequence[Sequence[Ran | None]]) -> None:
    """Write what the commands of a page print now, where that differs; what is shown in part stays as it is."""
    lines = page.read_text(encoding="utf-8").split("\n")
    for block, results in reversed(list(zip(sessions_of(page), ran, strict=True))):
        shown = [line for step, result in zip(steps_of(block), results, strict=True) for line in _renewed(step, result)]
        lines[block.line : block.line + block.text.count("\n")] = shown
    write_page(page, "\n".join(lines))


def _renewed(step: Step, ran: Ran | None) -> list[str]:
    first, *rest = step.command.split("\n")
    keep = ran is None or ELISION in step.printed or is_shown_by(step.printed, ran.lines)
    return [f"$ {first}", *(f"> {line}" for line in rest), *(step.printed if keep or ran is None else ran.lines)]
