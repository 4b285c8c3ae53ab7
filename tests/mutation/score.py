"""The outcome of a mutation run: how many mutants of each module some test killed, and which ones none did."""

from __future__ import annotations

import json
import sys
from pathlib import Path

MUTANTS = Path("mutants")
LEAST_KILLED = 0.90

# What mutmut records for a mutant: a failed test, an error inside pytest, or a loop that was cut off for its time.
KILLED = frozenset({1, 3, 24, 36, 152, 255, -24})


def outcomes(meta: Path) -> dict[str, bool]:
    """Return, for every mutant of a module, whether it was killed."""
    recorded = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    return {mutant: code in KILLED for mutant, code in recorded.items()}


def row(name: str, killed: list[bool]) -> str:
    return f"| {name} | {len(killed)} | {sum(killed)} | {len(killed) - sum(killed)} |"


def main() -> int:
    """Print the table and the survivors; 1 when too few were killed, in any module or in all together."""
    modules = {
        meta.relative_to(MUTANTS).with_suffix("").as_posix(): found
        for meta in sorted(MUTANTS.rglob("*.py.meta"))
        if (found := outcomes(meta))
    }
    if not modules:
        sys.exit("no mutants found: run `make mutation`")
    scores = {name: list(found.values()) for name, found in modules.items()}
    scores["all"] = [killed for found in modules.values() for killed in found.values()]
    print("| Module | Mutants | Killed | Survived |\n|---|---|---|---|")
    print(*(row(name, killed) for name, killed in scores.items()), sep="\n")
    print("\nSurvivors (`mutmut show NAME` prints the change):")
    print(*(mutant for found in modules.values() for mutant, killed in found.items() if not killed), sep="\n")
    return int(any(sum(killed) < LEAST_KILLED * len(killed) for killed in scores.values()))


if __name__ == "__main__":
    sys.exit(main())
