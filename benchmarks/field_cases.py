"""Field cases through the embedded extractor: which expected values are live, which stale, and what is retired wrongly.

`python -m benchmarks.field_cases FILE` runs a JSONL file of cases, each with its messages and what they must leave. It
measures truth before time, so it stands beside the other benchmarks and is no part of their report.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from prme import MemoryClient, Node, NodeType
from prme.text_folding import fold_text
from prme_extractors.lexical import extract_text

# Later than every message of every case; an event needs a time of receipt, and no case depends on it.
NOW = datetime(2035, 1, 1, tzinfo=UTC)
OWNER = "field"
PASSES = 40
USER = frozenset({"i", "me", "my", "mine", "myself"})
_DETERMINER = re.compile(r"(?:the|an?|my|our) ")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, predicate and value as a case or a claim names them, folded; the speaker is "user"."""

    subject: str
    predicate: str
    value: str

    @classmethod
    def written(cls, line: str) -> Triple:
        """Read "user | uses | Vim"; a scope before the subject ("ana: user") is left out."""
        subject, predicate, value = (fold_text(part.strip()) for part in line.split("|"))
        return cls(_bare(subject.rsplit(": ", 1)[-1]), predicate, _bare(value))

    @classmethod
    def of(cls, node: Node) -> Triple:
        """Return what a claim says."""
        subject = fold_text(node.subject or "")
        predicate = fold_text(node.predicate or "").replace("_", " ")
        return cls("user" if subject in USER else _bare(subject), predicate, _bare(fold_text(node.object or "")))

    def means(self, other: Triple) -> bool:
        """Whether both say the same, however they cut it into subject, predicate and value.

        A predicate is named freely: with the same subject and value it is not looked at. Elsewhere all words of the one
        triple have to stand in the other one ("queue name | is | otter", "queue | name | otter").
        """
        if self.subject == other.subject and self.value == other.value:
            return True
        if not self._values() <= other._words() or not other._values() <= self._words():
            return False
        return self._subjects() <= other._words() and other._subjects() <= self._words()

    def shortens(self, other: Triple) -> bool:
        """Whether the value is a shorthand of the other's, as the rules allow it: "Fish" of "Fish shell"."""
        return self.subject == other.subject and f" {self.value} " in f" {other.value} "

    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(f"{self.subject} {self.predicate} {self.value}".replace("_", " ")))

    def _values(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.value))

    def _subjects(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.subject))

    def __str__(self) -> str:
        return f"{self.subject} | {self.predicate} | {self.value}"


def _bare(text: str) -> str:
    return _DETERMINER.sub("", text, count=1) if _DETERMINER.match(text) else text


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one case expected and what the store held in the end.

    `stale` are live claims that the case says were retired or must not be current; `wrong` are retired claims that it
    says nothing of, or says must stay; where operations follow, only what must stay.
    """

    name: str
    kind: str
    alone: bool
    expected: tuple[Triple, ...]
    to_retire: tuple[Triple, ...]
    live: tuple[Triple, ...]
    retired: tuple[Triple, ...]
    stale: tuple[Triple, ...]
    wrong: tuple[Triple, ...]

    @property
    def missing(self) -> tuple[Triple, ...]:
        """Return the expected values that are not live."""
        return tuple(value for value in self.expected if not _among(value, self.live))

    @property
    def counts(self) -> bool:
        """Whether the case expects a value, and needs no later operation or policy."""
        return self.alone and bool(self.expected)

    @property
    def is_right(self) -> bool:
        """Whether every expected value is live and no stale one."""
        return not self.missing and not self.stale


def run_case(case: dict[str, Any]) -> Outcome:
    """Ingest the messages of one case into a fresh store and compare what is left."""
    with MemoryClient(":memory:", extractor="lexical", clock=lambda: NOW) as memory:
        events: list[str] = []
        for message in case["messages"]:
            receipt = memory.ingest(
                message["text"],
                user_id=OWNER,
                role=message.get("role", "user"),
                first_person_owner=message.get("first_person_owner", False),
                occurred_at=datetime.fromisoformat(message["at"]) if "at" in message else None,
            )
            events.append(receipt.event_id)
        # What a later message did to an earlier claim is read in the end.
        nodes = [node for event in events for node in memory.get_event_nodes(event)]
    return _outcome(case, [node for node in nodes if node.node_type != NodeType.NOTE])


def _outcome(case: dict[str, Any], claims: Sequence[Node]) -> Outcome:
    expect = case["expect"]
    said = [claim for claim in claims if claim.polarity == "positive" and claim.epistemic_type == "asserted"]
    live = _distinct(Triple.of(claim) for claim in said if claim.valid_to is None)
    retired = _distinct(Triple.of(claim) for claim in said if claim.valid_to is not None)
    has_later_steps = bool(case.get("ops"))
    current = tuple(map(Triple.written, expect["current"]))
    to_retire = tuple(map(Triple.written, expect["retired"]))
    banned = (*to_retire, *_banned(expect["must_not"], "current: "))
    kept = _banned(expect["must_not"], "retired: ")
    return Outcome(
        name=case["id"],
        kind=case["kind"],
        alone=not (case.get("ops") or case.get("needs")),
        expected=current,
        to_retire=to_retire,
        live=live,
        retired=retired,
        stale=tuple(claim for claim in live if _among(claim, banned) and not _among(claim, current)),
        wrong=tuple(
            claim
            for claim in retired
            # "There and back": what was retired may be live again, as a claim of its own.
            if not _among(claim, live)
            and (_among(claim, (*kept, *current)) or not (has_later_steps or _is_expected(claim, to_retire)))
        ),
    )


def _banned(lines: Iterable[str], prefix: str) -> tuple[Triple, ...]:
    """Return the triples of the lines that a program can check; the others are for a reader."""
    return tuple(
        Triple.written(line.removeprefix(prefix).split(" (")[0])
        for line in lines
        if line.startswith(prefix) and line.count("|") == len(Triple.__slots__) - 1
    )


def _distinct(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triples))


def _among(triple: Triple, others: Iterable[Triple]) -> bool:
    return any(triple.means(other) for other in others)


def _is_expected(claim: Triple, to_retire: Iterable[Triple]) -> bool:
    return any(claim.means(value) or value.shortens(claim) for value in to_retire)


def read_cases(file: Path) -> list[dict[str, Any]]:
    """Read the cases of a JSONL file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def told(outcome: Outcome) -> str:
    """Return what is to be read about one case, a line each for what there is."""
    lines = [f"{'ok  ' if outcome.is_right else 'MISS'} {outcome.name} ({outcome.kind})"]
    for name, triples in (
        ("expected", outcome.expected),
        ("live", outcome.live),
        ("missing", outcome.missing),
        ("stale", outcome.stale),
        ("retired", outcome.retired),
        ("WRONGLY RETIRED", outcome.wrong),
    ):
        if triples:
            lines.append(f"       {name}: {'; '.join(map(str, triples))}")
    return "\n".join(lines)


def totals(outcomes: Sequence[Outcome]) -> str:
    """Return the totals by kind, and over the cases that need no later operation or policy."""
    lines = []
    for kind in sorted({outcome.kind for outcome in outcomes}):
        those = [outcome for outcome in outcomes if outcome.kind == kind]
        counted = [outcome for outcome in those if outcome.counts]
        right, wrong = sum(outcome.is_right for outcome in counted), sum(len(outcome.wrong) for outcome in those)
        lines.append(f"{kind}: {len(those)} cases, {right} of {len(counted)} right, {wrong} wrongly retired")
    counted = [outcome for outcome in outcomes if outcome.counts]
    alone = [outcome for outcome in outcomes if outcome.alone]
    right = sum(outcome.is_right for outcome in counted)
    retired = sum(len(outcome.retired) for outcome in outcomes)
    lines += [
        "",
        f"{len(outcomes)} cases, {len(alone)} without operations or later policies",
        f"{right} of {len(counted)} of those that expect a current value are right: "
        f"{right / len(counted) if counted else 1:.0%}",
        f"{sum(bool(outcome.stale) for outcome in alone)} of all those leave a stale value live",
        f"{retired} claims retired in all cases, {sum(len(outcome.wrong) for outcome in outcomes)} of them wrongly",
    ]
    return "\n".join(lines)


def reading_rate(texts: Sequence[str]) -> float:
    """Return how many of the texts the extractor reads in a second of one core: the best of some passes over all."""
    passes = []
    for _ in range(PASSES):
        began = time.process_time()
        for text in texts:
            extract_text(text)
        passes.append(time.process_time() - began)
    return len(texts) / min(passes)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "every", is_flag=True, help="Also tell the cases that need operations or a later policy.")
def main(file: Path, every: bool) -> None:
    """Run the field cases of FILE and tell what each of them left."""
    cases = read_cases(file)
    outcomes = [run_case(case) for case in cases]
    for outcome in outcomes:
        if every or outcome.alone or outcome.wrong:
            click.echo(told(outcome))
    click.echo(f"\n{totals(outcomes)}")
    texts = list(dict.fromkeys(message["text"] for case in cases for message in case["messages"]))
    click.echo(
        f"{reading_rate(texts):,.0f} messages a second on one core, for the extractor alone, of these {len(texts)}"
    )


if __name__ == "__main__":
    main()
