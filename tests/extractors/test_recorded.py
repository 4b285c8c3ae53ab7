"""The recorded extractor: what was written is what comes back, and a miss is an error."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from prme.errors import ExtractionError
from prme.model.extraction import ExtractedClaim, Extraction, ExtractionRequest
from prme.model.message import Message, Role
from prme_extractors.recorded import RecordedExtractor, Recording, read_recordings, write_recordings


def answer(value: str) -> Extraction:
    return Extraction(claims=[ExtractedClaim(subject="I", predicate="uses", object=value, polarity="positive")])


def ask(extractor: RecordedExtractor, content: str, role: Role = "user", speaker: str | None = None) -> Extraction:
    message = Message(content=content, user_id="u", role=role, speaker=speaker)
    return asyncio.run(extractor.extract(ExtractionRequest(message=message, policy="speech_act_v14")))


def test_a_recorded_message_gets_its_answer() -> None:
    extractor = RecordedExtractor.of([Recording(content="I use Vim.", extraction=answer("Vim"))])

    assert answer("Vim") == ask(extractor, "I use Vim.")


def test_a_message_that_was_not_recorded_is_a_miss() -> None:
    extractor = RecordedExtractor.of([Recording(content="I use Vim.", extraction=answer("Vim"))])

    with pytest.raises(ExtractionError) as caught:
        ask(extractor, "I use Vim")

    assert "recorded_miss" == caught.value.reason_code
    assert "Vim" not in str(caught.value)


def test_without_a_file_everything_is_a_miss() -> None:
    with pytest.raises(ExtractionError):
        ask(RecordedExtractor(), "I use Vim.")


def test_role_and_speaker_narrow_the_answer() -> None:
    extractor = RecordedExtractor.of(
        [
            Recording(content="Vim.", extraction=answer("Vim")),
            Recording(content="Vim.", role="assistant", extraction=Extraction()),
            Recording(content="Vim.", speaker="Ines", extraction=answer("Vim of Ines")),
        ]
    )

    assert answer("Vim") == ask(extractor, "Vim.")
    assert Extraction() == ask(extractor, "Vim.", role="assistant")
    assert answer("Vim of Ines") == ask(extractor, "Vim.", speaker="Ines")


def test_a_recording_for_another_role_is_no_answer() -> None:
    extractor = RecordedExtractor.of([Recording(content="Vim.", role="assistant", extraction=answer("Vim"))])

    with pytest.raises(ExtractionError):
        ask(extractor, "Vim.")


def test_written_recordings_read_back_the_same(tmp_path: Path) -> None:
    recordings = [
        Recording(content="I use \u201cVim\u201d\u2028 now.", extraction=answer("Vim")),
        Recording(content="Hm.", role="user", speaker="Ines"),
    ]
    path = tmp_path / "recordings.jsonl"
    write_recordings(path, recordings)

    assert recordings == read_recordings(path)
    assert answer("Vim") == ask(RecordedExtractor(str(path)), recordings[0].content)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 3: line: Invalid JSON"),
        ('{"extraction": {}}', "line 3: content: Field required"),
        ('{"content": "x", "extraction": {"claims": [{"subject": "I"}]}}', "line 3: extraction.claims.0.predicate"),
        ('{"content": "x", "answer": {}}', "line 3: answer: Extra inputs"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "recordings.jsonl"
    path.write_text('{"content": "ok"}\n\n' + line + "\n", encoding="utf-8")

    with pytest.raises(ValueError, match=fault):
        RecordedExtractor(str(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read the recordings in .*none\.jsonl': FileNotFoundError"):
        RecordedExtractor(str(tmp_path / "none.jsonl"))


def test_it_declares_what_it_is() -> None:
    extractor = RecordedExtractor()

    assert ("recorded", "memory", True) == (extractor.name, extractor.model, extractor.local)
