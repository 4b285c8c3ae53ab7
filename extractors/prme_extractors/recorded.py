"""Answers from a file of recorded extractions: tests and demos that need a model's answer, without the model."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from prme.errors import ExtractionError
from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.message import Message, Role
from prme.model.value import Value


class Recording(Value):
    """One line of a file of recordings: the message it answers, and the answer.

    `role` and `speaker` narrow the match; left out, they match any.
    """

    content: str
    extraction: Extraction = Field(default_factory=Extraction)
    role: Role | None = None
    speaker: str | None = None

    def answers(self, message: Message) -> bool:
        """Whether this recording is for the message."""
        return (
            message.content == self.content
            and self.role in {None, message.role}
            and self.speaker in {None, message.speaker}
        )


class RecordedExtractor:
    """Gives back recorded extractions and nothing else: deterministic, offline, an error on a miss.

    Of several recordings for one message the one that narrows more (role, speaker) counts; of equal ones the first.
    """

    name = "recorded"
    local = True
    prompt_digest: str | None = None

    def __init__(self, model: str | None = None) -> None:
        """Read the recordings of a JSONL file, given as `recorded:PATH`; without a path every message is a miss.

        Raises `ValueError` naming the line when the file is missing or broken.
        """
        self.model = "memory" if model is None else model
        self._recordings = _by_content([] if model is None else read_recordings(Path(model)))

    @classmethod
    def of(cls, recordings: Iterable[Recording]) -> RecordedExtractor:
        """Return an extractor that answers from these recordings, without a file."""
        extractor = cls()
        extractor._recordings = _by_content(recordings)
        return extractor

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return what was recorded for the message.

        Raises `ExtractionError` with reason code `recorded_miss` when nothing was.
        """
        found = [one for one in self._recordings.get(request.message.content, ()) if one.answers(request.message)]
        if not found:
            raise ExtractionError("no extraction was recorded for this message", reason_code="recorded_miss")
        return max(found, key=_precision).extraction


def read_recordings(path: Path) -> list[Recording]:
    """Return the recordings of a JSONL file; blank lines are skipped. Raises `ValueError` naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read the recordings in {str(path)!r}: {type(error).__name__}") from error
    return [_read_line(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def write_recordings(path: Path, recordings: Iterable[Recording]) -> None:
    """Write recordings as JSONL, one a line, leaving out what is not set; reading them gives the same recordings."""
    lines = (json.dumps(_plain(recording), ensure_ascii=False, sort_keys=True) for recording in recordings)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def _read_line(path: Path, number: int, line: str) -> Recording:
    try:
        return Recording.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"]) or "line"
        raise ValueError(f"{str(path)!r} line {number}: {where}: {fault['msg']}") from None


def _plain(recording: Recording) -> dict[str, Any]:
    return recording.model_dump(mode="json", exclude_defaults=True) | {
        "extraction": recording.extraction.model_dump(mode="json", exclude_defaults=True)
    }


def _by_content(recordings: Iterable[Recording]) -> dict[str, list[Recording]]:
    grouped: dict[str, list[Recording]] = {}
    for recording in recordings:
        grouped.setdefault(recording.content, []).append(recording)
    return grouped


def _precision(recording: Recording) -> int:
    return (recording.role is not None) + (recording.speaker is not None)
