"""Reads a file as an ingestion would, and adds up what a model would cost; nothing is opened, stored or sent."""

from __future__ import annotations

from itertools import islice
from typing import Any

from prme.cli.ingest_source import Source
from prme.cli.ingestion import ENTRIES_PER_BATCH, EntryFailure, read_entry
from prme.extraction.estimate import Estimator, ExtractionEstimate
from prme.extraction.limits import ExtractionLimits
from prme.extraction.protocol import Extractor
from prme.model.message import Message
from prme.service import CONTEXT_MESSAGES


class FileEstimate(ExtractionEstimate):
    """What the messages of a file would cost, and how many of its entries would be refused."""

    refused: int


def estimate_source(source: Source[Any], extractor: Extractor, policy: str, limits: ExtractionLimits) -> FileEstimate:
    """Return what the messages of a file would cost.

    Messages that a store has already are not known here and count as new.
    """
    estimator = Estimator(extractor, policy, limits, context_messages=CONTEXT_MESSAGES)
    refused = 0
    remaining = iter(source.entries)
    while batch := list(islice(remaining, ENTRIES_PER_BATCH)):
        read = [read_entry(source.reader, entry) for entry in batch]
        estimator.add([item for item in read if isinstance(item, Message)])
        refused += sum(isinstance(item, EntryFailure) for item in read)
    return FileEstimate(**estimator.total().model_dump(), refused=refused)
