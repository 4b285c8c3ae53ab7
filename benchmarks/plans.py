"""Saved plans of the workload without a store: any number of them, the same bytes on every machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from benchmarks.workload import START, STEP, Said, WorkloadExtractor, conversation
from prme.model.extraction import ExtractionRequest
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.plan.prepare import PreparedPlan, prepare_plan
from prme.policy.registry import NEWEST_POLICY
from prme.publication.publish import new_event

RECEIVED_LATER = timedelta(days=1)


def saved_plans(messages: Iterable[Said]) -> Iterator[PreparedPlan]:
    """Yield the plan of each message, as if each had been received a day after it was said."""
    extractor = WorkloadExtractor()
    identity = ExtractorIdentity(name=extractor.name, model=extractor.model, prompt_digest=None)
    options = PlanOptions(enable_speaker_references=True)
    with asyncio.Runner() as runner:
        for said in messages:
            request = ExtractionRequest(message=said.message, policy=NEWEST_POLICY.name)
            extraction = runner.run(extractor.extract(request))
            event = new_event(said.message, START + STEP * said.number + RECEIVED_LATER)
            yield prepare_plan(event, extraction, extractor=identity, policy=NEWEST_POLICY, options=options)


def write_plans(path: Path, *, owners: int, turns: int) -> None:
    """Write the plans of a whole workload, one a line."""
    with path.open("wb") as file:
        for prepared in saved_plans(conversation(owners, turns)):
            file.write(prepared.data + b"\n")
