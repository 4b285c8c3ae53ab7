"""A conversation under several policies, and a program that goes on with it in a release that knows one more.

The program takes the store that a release without the later policy left and an empty directory, and prints what it
found as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from prme import ExtractedClaim, MemoryClient, ids
from prme.cli.main import program
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY, POLICIES
from tests.engine.conversation import Scripted, SettableClock, claim, denial, extraction

V13, V14, LATER = "speech_act_v13", "speech_act_v14", "later"
NEW_YEAR = datetime(2031, 1, 1, 9, tzinfo=UTC)
RECEIVED = NEW_YEAR + timedelta(days=100)
OWNER = "sam"


@dataclass(frozen=True)
class Line:
    """What Ines says on a day, the claim that is proposed for it, and the policy of that time."""

    day: int
    policy: str
    content: str
    claim: ExtractedClaim

    @property
    def event_id(self) -> str:
        return ids.event_id(OWNER, "personal", f"day {self.day}", RECEIVED)

    @property
    def claim_id(self) -> str:
        return ids.claim_id(self.event_id, 0)


NO_WORD_OF_CHANGE = {"temporal_intent": None}
BEFORE = (
    Line(1, V14, "I use an insulin pump.", claim("I", "uses", "insulin pump")),
    Line(2, V14, "I live in Leeds.", claim("I", "lives_in", "Leeds")),
    Line(3, V14, "My role is baker.", claim("I", "role", "baker")),
    Line(4, V14, "I no longer work as a baker.", denial("I", "works_at", "baker")),
    Line(5, V14, "I no longer use insulin pumps.", denial("I", "uses", "insulin pumps")),
    Line(6, V13, "I use Trello.", claim("I", "uses", "Trello")),
    Line(7, V13, "I don't use Trello anymore.", denial("I", "uses", "Trello")),
)
AFTER = (
    Line(8, LATER, "I don't work as a baker.", denial("I", "works_at", "baker", **NO_WORD_OF_CHANGE)),
    Line(9, LATER, "I don't use pumps.", denial("I", "uses", "pumps", **NO_WORD_OF_CHANGE)),
    Line(10, LATER, "I moved from Leeds to York.", claim("I", "moved_to", "York", replaces_object="Leeds")),
    Line(11, LATER, "Methinks I use Vim.", claim("I", "uses", "Vim")),
    Line(12, V14, "Methinks I use Figma.", claim("I", "uses", "Figma")),
    Line(13, V14, "I don't use Figma.", denial("I", "uses", "Figma", **NO_WORD_OF_CHANGE)),
    Line(14, V13, "I don't use Figma anymore.", denial("I", "uses", "Figma")),
)
LINES = (*BEFORE, *AFTER)
OLDER = tuple(line for line in LINES if line.policy != LATER)
EXTRACTOR = Scripted({line.content: extraction(line.claim) for line in LINES})


def tell(store: Path, lines: Sequence[Line], *, later: str | None = None) -> None:
    """Ingest lines in their order, each under its policy; `later` names the later one."""
    clock = SettableClock(RECEIVED)
    for policy, said in groupby(lines, key=lambda line: line.policy):
        name = later if policy == LATER else policy
        assert name is not None, "a release without the later policy was asked to use it"
        with MemoryClient(store, extractor=EXTRACTOR, clock=clock, policy=name) as memory:
            for line in said:
                clock.advance(seconds=1)
                memory.ingest(
                    line.content,
                    user_id=OWNER,
                    speaker="Ines",
                    message_id=f"day {line.day}",
                    occurred_at=NEW_YEAR + timedelta(days=line.day),
                )


def looked_at(store: Path, lines: Sequence[Line] = ()) -> dict[str, Any]:
    """Return the verdict of `verify` on a store, and for each line its plan's policy, epistemic type and decision."""
    with MemoryClient(store, extractor=EXTRACTOR) as memory:
        report = memory.verify()
        plans = {line.day: memory.get_plan(line.event_id) for line in lines}
        decisions = {line.day: memory.explain(line.claim_id).claims[0].decision for line in lines}
    return {
        "ok": report.ok,
        "state_digest": report.state_digest,
        "policies": {day: plan.policy for day, plan in plans.items()},
        "epistemic_types": {day: plan.claims[0].epistemic_type for day, plan in plans.items()},
        "decisions": {day: found and found.model_dump(mode="json") for day, found in decisions.items()},
    }


def printed(*arguments: str) -> str:
    return CliRunner().invoke(program, list(arguments), catch_exceptions=False).stdout


def main(store: Path, empty: Path) -> dict[str, Any]:
    """Go on with a store under the newest policy, tell the same in other orders, and return what was found."""
    found: dict[str, Any] = {
        "policies": list(POLICIES),
        "newest": NEWEST_POLICY.name,
        "default": DEFAULT_POLICY,
        "handed over": looked_at(store),
    }
    tell(store, AFTER, later=NEWEST_POLICY.name)
    found["gone on"] = looked_at(store, LINES)
    with MemoryClient(store, extractor=EXTRACTOR) as memory:
        found["plan"] = memory.get_plan_data(AFTER[0].event_id).decode("utf-8")
    orders = {"backwards": LINES[::-1], "later first": (*AFTER, *BEFORE), "every other": (*LINES[1::2], *LINES[::2])}
    found["orders"] = {}
    for name, lines in orders.items():
        tell(empty / name, lines, later=NEWEST_POLICY.name)
        found["orders"][name] = looked_at(empty / name, LINES)
    found["page"] = printed("policies")
    found["why"] = printed("--store", str(store), "why", AFTER[0].claim_id)
    return found


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]))))
