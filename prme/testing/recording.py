"""Recorded extractions for tests: answers from a file, and in recording mode from an extractor, which are then kept."""

from __future__ import annotations

from pathlib import Path

from prme.errors import ExtractionError
from prme.extraction.answer import check_answer
from prme.extraction.protocol import Extractor, is_local
from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.message import Message
from prme_extractors.recorded import Recording, read_recordings, write_recordings


class RecordingExtractor:
    """Answers from a JSONL file of recordings, in the format of the extractor `recorded`.

    A message without a recording is a miss: without `ask` it fails with the reason code `recorded_miss`, with `ask`
    that extractor answers and the file is written again, sorted, so that the order of the tests does not show. Plans
    say the same in both cases: the extractor is `recorded`, its model the name of the file.
    """

    name = "recorded"
    prompt_digest: str | None = None

    def __init__(self, file: Path, *, ask: Extractor | None = None) -> None:
        """Read the file, which may be missing. Raises `ValueError` naming the line when it is broken."""
        self.file = file
        self.model = file.stem
        self.local = ask is None or is_local(ask)
        self._ask = ask
        self._recordings = read_recordings(file) if file.exists() else []
        self._unanswered: list[Message] = []

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return what is recorded for the message; in recording mode ask for what is not, and keep the answer.

        Raises `ExtractionError` with the reason code `recorded_miss` for a miss, and whatever the asked one raises.
        """
        message = request.message
        recorded = self._find(message)
        if recorded is not None:
            return recorded.extraction
        if message not in self._unanswered:
            self._unanswered.append(message)
        if self._ask is None:
            raise ExtractionError("no extraction was recorded for this message", reason_code="recorded_miss")
        extraction = check_answer(await self._ask.extract(request))
        self._unanswered.remove(message)
        self._keep(message, extraction)
        return extraction

    def take_unanswered(self) -> list[Message]:
        """Return the messages that got no answer since the last call, in the order asked."""
        taken, self._unanswered = self._unanswered, []
        return taken

    def _find(self, message: Message) -> Recording | None:
        found = [
            one for one in self._recordings if one.answers(message) and (self._ask is None or _is_for(one, message))
        ]
        return max(found, key=_precision, default=None)

    def _keep(self, message: Message, extraction: Extraction) -> None:
        recording = Recording(
            content=message.content, role=message.role, speaker=message.speaker, extraction=extraction
        )
        self._recordings = sorted([*self._recordings, recording], key=_place)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_recordings(self.file, self._recordings)


def _is_for(recording: Recording, message: Message) -> bool:
    """Whether nothing narrower has to be recorded: else what is recorded would depend on which message came first."""
    return recording.role is None or recording.speaker == message.speaker


def _precision(recording: Recording) -> int:
    return (recording.role is not None) + (recording.speaker is not None)


def _place(recording: Recording) -> tuple[str, str, str]:
    return recording.content, recording.role or "", recording.speaker or ""
