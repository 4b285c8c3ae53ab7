"""Read the sample with a model, and say how much of it came out right.

`python -m tests.llm.figures` starts the server with the model in `.models`, asks about each message alone, then about
the same messages as one session, in which a question carries the earlier messages, and prints a table in Markdown and
what was read otherwise than by a person. An address as the argument asks a server that runs already.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from prme import ExtractedClaim, ExtractionLimits, ExtractionRequest, ExtractorStats, MemoryClient
from prme.message import validate_message
from prme.model.plan import ExtractionPlan
from prme.model.receipt import IngestReceipt
from prme_extractors.llm.extractor import ModelExtractor
from prme_extractors.llm.openai_model import openai_extractor
from tests.llm.sample import Gold, Marks, SampleMessage, marks, sample
from tests.llm.served import MODEL, served_model

POLICY = "speech_act_v14"
OWNER = "sam"
# The second message denies the first, by their places; nothing else in the sample ends what another message said.
RIGHT_RETIREMENTS = {(1, 0)}
PATIENT = ExtractionLimits(total_seconds=900.0)


@dataclass(frozen=True)
class Reading:
    """One message as the model read it; without a plan if there was no valid answer."""

    message: SampleMessage
    receipt: IngestReceipt
    plan: ExtractionPlan | None
    seconds: float

    @property
    def proposed(self) -> Sequence[ExtractedClaim]:
        return [] if self.plan is None else self.plan.extraction.claims

    @property
    def admitted(self) -> Sequence[ExtractedClaim]:
        rejected = set() if self.plan is None else {claim.position for claim in self.plan.rejected}
        return [claim for position, claim in enumerate(self.proposed) if position not in rejected]

    def judged(self, claims: Sequence[ExtractedClaim]) -> list[tuple[Gold, Marks]]:
        return [(gold, marks(gold, claims)) for gold in self.message.gold]

    @property
    def is_right(self) -> bool:
        return all(mark.all_right for _, mark in self.judged(self.proposed))

    @property
    def invents_a_change(self) -> bool:
        nothing_changed = all(gold.update is False for gold in self.message.gold)
        return nothing_changed and any(claim.temporal_intent == "update" for claim in self.proposed)


@dataclass(frozen=True)
class Run:
    """The sample as it was read once, and what that cost."""

    readings: Sequence[Reading]
    stats: ExtractorStats

    @property
    def retirements(self) -> set[tuple[int, int]]:
        """Which message retired a claim of which, by their places."""
        maker = {claim: place for place, reading in enumerate(self.readings) for claim in reading.receipt.claims}
        return {
            (place, maker[claim]) for place, reading in enumerate(self.readings) for claim in reading.receipt.retired
        }


def read_sample(extractor: ModelExtractor, session_id: str | None, tell: Callable[[str], None]) -> Run:
    """Ingest the sample as the messages of one owner."""
    readings: list[Reading] = []
    with tempfile.TemporaryDirectory() as folder, MemoryClient(folder, extractor=extractor, limits=PATIENT) as memory:
        for message in sample():
            began = time.perf_counter()
            receipt = memory.ingest(message.content, user_id=OWNER, session_id=session_id, first_person_owner=True)
            seconds = time.perf_counter() - began
            plan = memory.get_plan(receipt.event_id) if receipt.status == "published" else None
            readings.append(Reading(message, receipt, plan, seconds))
            tell(f"{len(readings):3} {receipt.status} {seconds:5.1f} s")
        (stats,) = memory.extractor_stats()
    return Run(readings, stats)


def estimate(extractor: ModelExtractor) -> tuple[int, int]:
    """Return the tokens in and out that asking about each message alone is estimated to cost."""
    usages = [
        extractor.estimate_tokens([ExtractionRequest(message=validate_message(text, user_id=OWNER), policy=POLICY)])
        for text in (message.content for message in sample())
    ]
    return sum(usage.input_tokens for usage in usages), sum(usage.output_tokens for usage in usages)


def figures(run: Run) -> dict[str, str]:
    """Return what was counted in a run."""
    judged = [pair for reading in run.readings for pair in reading.judged(reading.proposed)]
    admitted = [mark for reading in run.readings for _, mark in reading.judged(reading.admitted)]
    seconds = [reading.seconds for reading in run.readings]
    unchanged = [all(gold.update is False for gold in reading.message.gold) for reading in run.readings]

    def share(right: Callable[[Gold, Marks], bool]) -> str:
        return f"{sum(right(gold, mark) for gold, mark in judged)} of {len(judged)}"

    return {
        "valid answers": f"{sum(reading.plan is not None for reading in run.readings)} of {len(run.readings)}",
        "questions asked": str(run.stats.calls),
        "object": share(lambda _, mark: mark.object),
        "object and polarity": share(lambda _, mark: mark.object and mark.polarity),
        "object and whether something changed": share(lambda _, mark: mark.object and mark.update),
        "former object, where one is named": f"{sum(mark.replaces for gold, mark in judged if gold.replaces)} of "
        f"{sum(gold.replaces is not None for gold, _ in judged)}",
        "all of these": share(lambda _, mark: mark.all_right),
        "all of these, and admitted by grounding": f"{sum(mark.all_right for mark in admitted)} of {len(admitted)}",
        "messages all right": f"{sum(reading.is_right for reading in run.readings)} of {len(run.readings)}",
        "messages with an invented change": f"{sum(reading.invents_a_change for reading in run.readings)} of "
        f"{sum(unchanged)}",
        "claims proposed": str(sum(len(reading.proposed) for reading in run.readings)),
        "claims admitted by grounding": str(sum(len(reading.receipt.claims) for reading in run.readings)),
        "right retirements": f"{len(run.retirements & RIGHT_RETIREMENTS)} of {len(RIGHT_RETIREMENTS)}",
        "false retirements": str(len(run.retirements - RIGHT_RETIREMENTS)),
        "tokens in": f"{run.stats.input_tokens:,}",
        "tokens out": f"{run.stats.output_tokens:,}",
        "seconds for the first message": f"{seconds[0]:.1f}",
        "seconds for a later message, median": f"{statistics.median(seconds[1:]):.1f}",
    }


def table(runs: dict[str, Run]) -> str:
    """Return the figures of several runs as a table in Markdown, a column for each."""
    columns = {name: figures(run) for name, run in runs.items()}
    rows = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    rows += [
        f"| {what} | {' | '.join(column[what] for column in columns.values())} |"
        for what in next(iter(columns.values()))
    ]
    return "\n".join(rows)


def differing(run: Run) -> list[str]:
    """Return the messages that were read otherwise than by a person, or retired something, and their claims."""
    lines: list[str] = []
    for place, reading in enumerate(run.readings):
        retired = sorted(target + 1 for source, target in run.retirements if source == place)
        if reading.is_right and not retired:
            continue
        ended = f" (retired a claim of message {', '.join(map(str, retired))})" if retired else ""
        lines.append(f"{place + 1}. {reading.message.content}{ended}")
        lines += [f"   {_line(claim)}" for claim in reading.proposed] or ["   nothing"]
    return lines


def _line(claim: ExtractedClaim) -> str:
    said = {"replaces": claim.replaces_object, "condition": claim.condition, "when": claim.temporal_ref}
    parts = [claim.subject, claim.predicate, claim.object, claim.polarity, claim.temporal_intent, claim.epistemic_type]
    return " | ".join([*map(str, parts), claim.kind, *(f"{name} {value}" for name, value in said.items() if value)])


def main(address: str | None = None) -> None:
    def tell(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    with nullcontext(address) if address is not None else served_model() as server:
        extractor = openai_extractor(MODEL, base_url=f"{server}/schema/v1")
        asked = {"each message alone": None, "as one session": "sample"}
        runs = {name: read_sample(extractor, session_id, tell) for name, session_id in asked.items()}
    sent, answered = estimate(extractor)
    print(table(runs))
    print(f"\nestimated for each message alone: {sent:,} tokens in, {answered:,} out")
    print(f"prompt: {extractor.prompt_digest[POLICY]}")
    for name, run in runs.items():
        print(f"\nRead otherwise, {name}:", *differing(run), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
