"""The extractor as the pipeline sees it: who is read, how fast, and that every word is the message's own."""

from __future__ import annotations

import asyncio
import json
import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.message import Message, Role
from prme_extractors.lexical import LexicalExtractor, extract_text
from prme_extractors.lexical.table import pattern_table

DEMO = Path(__file__).parents[3] / "plans" / "demo"
EXAMPLES = [text for pattern in pattern_table().patterns for text in (pattern.example, pattern.counter)]
PIECES = st.sampled_from(
    [*EXAMPLES, " ", "\n", ", ", '"', "'", "\u201c", "\u2019", "> ", "```", "(", "? ", "!", " and ", " but ", " if ",
     " when ", "I ", "I'm ", "my ", "Nadia ", "\u0130", "\u00df", "\u00a0", "not ", "anymore", "instead of ", "\u0000"]
)  # fmt: skip


def extract(content: str, role: Role = "user") -> Extraction:
    request = ExtractionRequest(message=Message(content=content, user_id="u", role=role), policy="speech_act_v14")
    return asyncio.run(LexicalExtractor().extract(request))


@pytest.mark.parametrize("role", ["user", "human"])
def test_a_person_is_read(role: Role) -> None:
    assert ["Vim"] == [claim.object for claim in extract("I use Vim.", role).claims]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_a_machine_is_never_read(role: Role) -> None:
    assert Extraction() == extract("I use Vim.", role)


def test_it_declares_what_it_is() -> None:
    extractor = LexicalExtractor()

    assert ("lexical", "lexical-2", True) == (extractor.name, extractor.model, extractor.local)
    assert "lexical-2" == LexicalExtractor("lexical-2").model


def test_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown model 'lexical-9'"):
        LexicalExtractor("lexical-9")


def test_the_entry_point_names_it() -> None:
    point = EntryPoint("lexical", "prme_extractors.lexical:LexicalExtractor", "prme.extractors")

    assert point.load() is LexicalExtractor


@given(st.lists(PIECES, max_size=8).map("".join))
def test_every_text_in_a_claim_is_a_piece_of_the_message(text: str) -> None:
    for claim in extract_text(text).claims:
        pieces = (claim.subject, claim.object, claim.condition, claim.replaces_object, claim.temporal_ref)
        assert all(piece is None or (piece and piece in text) for piece in (*pieces, claim.evidence_quote))


@given(st.lists(PIECES, max_size=8).map("".join))
def test_every_claim_knows_its_polarity_and_its_intent(text: str) -> None:
    for claim in extract_text(text).claims:
        assert claim.polarity in {"positive", "negative"}
        assert claim.temporal_intent in {"update", "assertion"}
        assert (claim.condition is None) == (claim.epistemic_type != "conditional")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert extract_text(text) == extract_text(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_question_mark_silences_every_example(text: str) -> None:
    assert [] == extract_text(text.replace(".", "").rstrip("!") + "?").claims


@pytest.mark.parametrize("text", EXAMPLES)
def test_quotation_marks_silence_every_example(text: str) -> None:
    assert [] == extract_text(f'"{text}"').claims


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_joke_silences_every_example(text: str) -> None:
    assert [] == extract_text(f"{text} Just kidding.").claims


@pytest.mark.parametrize(
    "piece",
    ["I use ", "i ", "I really ", "and i ", ", ", "My favourite a ", "Nadia ", "I like walking ", '"', "'", "`", "if ",
     "I\n", "I use Vim, ", "I use Vim in ", "a-", "My a-a ", "Ann uses Vim. ", "'a' I use Vim. ",
     "If it rains I use Vim. "],
)  # fmt: skip
def test_reading_takes_time_in_proportion_to_length(piece: str) -> None:
    extract_text(piece * 10)
    started = time.perf_counter()
    extract_text((piece * 100_000)[:100_000])

    # Seconds of a slow machine; a pattern that backtracks takes minutes.
    assert time.perf_counter() - started < 10


def demo(name: str) -> list[dict[str, object]]:
    lines = (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_written_demo_shows_what_its_description_promises() -> None:
    found = {str(line["message_id"]): extract(str(line["content"]), line["role"]).claims for line in demo("written")}  # type: ignore[arg-type]
    told = {
        key: [(c.predicate, c.object, c.polarity, c.replaces_object) for c in value] for key, value in found.items()
    }

    assert [] == told["sam-03"] == told["sam-11"] == told["sam-13"]
    assert [("uses", "insulin pump", "negative", None)] == told["sam-08"]
    assert ("uses", "Plane", "positive", "Trello") == told["sam-09"][0]
    assert [("rides", "bike", "negative", None)] == told["sam-12"]
    assert ["conditional"] == [claim.epistemic_type for claim in found["sam-07"]]
    assert ["unverified"] == [claim.epistemic_type for claim in found["sam-10"]]
    assert [("lives_in", "York", "positive", "Leeds")] == told["sam-15"]
    assert [("drinks", "tea", "positive", "coffee")] == told["sam-16"]


def test_the_chitchat_demo_says_these_things_and_no_others() -> None:
    told = [
        (line["speaker"], claim.predicate, claim.object)
        for line in demo("chitchat")
        for claim in extract(str(line["content"])).claims
    ]

    assert [
        ("Theo", "works_at", "Linden Hall"),
        ("Theo", "studies", "Information Systems"),
        ("Theo", "role", "stagehand/house manager"),
        ("June", "plays", "trumpet"),
        ("June", "loves", "Jazz"),
        ("June", "loves", "babies"),
    ] == told
