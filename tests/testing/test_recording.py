"""The recording extractor: which recording answers which message, and what is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from prme import ExtractedClaim, Extraction, ExtractionRequest
from prme.errors import ExtractionError
from prme.extraction.failures import InvalidExtractionError
from prme.message import validate_message
from prme.testing import RecordingExtractor
from prme_extractors.recorded import Recording, read_recordings, write_recordings


class Echo:
    """Claims that whoever speaks said something; counts how often it is asked."""

    name = model = "echo"
    local = False

    def __init__(self) -> None:
        self.asked = 0

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked += 1
        who = request.message.speaker or request.message.role
        return Extraction(claims=[ExtractedClaim(subject=who, predicate="said", object="it")])


def ask(extractor: RecordingExtractor, **fields: Any) -> str:
    """Return the subject of the claim that the extractor answers with."""
    message = validate_message(**{"content": "Yes.", "user_id": "sam", **fields})
    extraction = asyncio.run(extractor.extract(ExtractionRequest(message=message, policy="speech_act_v14")))
    return extraction.claims[0].subject


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "recordings" / "test_chat.jsonl"


def test_a_message_is_asked_for_once(file: Path):
    echo = Echo()
    extractor = RecordingExtractor(file, ask=echo)

    assert (ask(extractor), ask(extractor), echo.asked) == ("user", "user", 1)


@pytest.mark.parametrize("order", [(None, "Ines"), ("Ines", None)], ids=str)
def test_each_speaker_has_a_recording_whoever_speaks_first(file: Path, order: tuple[str | None, str | None]):
    recording = RecordingExtractor(file, ask=Echo())
    for speaker in order:
        ask(recording, speaker=speaker)
    replayed = RecordingExtractor(file)

    assert [ask(replayed, speaker=speaker) for speaker in (None, "Ines")] == ["user", "Ines"]
    assert [one.speaker for one in read_recordings(file)] == [None, "Ines"]


def test_each_role_has_a_recording(file: Path):
    recording = RecordingExtractor(file, ask=Echo())

    assert [ask(recording, role=role) for role in ("user", "assistant")] == ["user", "assistant"]


def test_a_line_by_hand_without_a_role_answers_every_role(file: Path):
    file.parent.mkdir()
    by_hand = Extraction(claims=[ExtractedClaim(subject="hand", predicate="said", object="it")])
    write_recordings(file, [Recording(content="Yes.", extraction=by_hand)])
    echo = Echo()

    assert ask(RecordingExtractor(file, ask=echo), role="assistant", speaker="Ines") == "hand"
    assert echo.asked == 0


def test_plans_do_not_tell_a_recording_run_from_a_replayed_one(file: Path):
    recording, replayed = RecordingExtractor(file, ask=Echo()), RecordingExtractor(file)

    assert (recording.name, recording.model) == (replayed.name, replayed.model) == ("recorded", "test_chat")
    assert (recording.local, replayed.local) == (False, True)


def test_a_miss_is_told_once(file: Path):
    extractor = RecordingExtractor(file)
    for _ in range(2):
        with pytest.raises(ExtractionError) as raised:
            ask(extractor)
        assert raised.value.reason_code == "recorded_miss"

    assert [message.content for message in extractor.take_unanswered()] == ["Yes."]
    assert extractor.take_unanswered() == []


def test_an_answer_that_cannot_be_used_is_not_kept(file: Path):
    class Wrong(Echo):
        async def extract(self, request: ExtractionRequest) -> Extraction:
            return Extraction(claims=[ExtractedClaim(subject="\x00", predicate="said", object="it")])

    with pytest.raises(InvalidExtractionError):
        ask(RecordingExtractor(file, ask=Wrong()))

    assert not file.exists()
