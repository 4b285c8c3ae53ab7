"""What a client can list: tools with strict schemas and teaching descriptions, resources, a prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from prme.mcp.answers import GUIDE
from prme.mcp.server import UNEXPECTED, create_server
from prme.mcp.tools import TOOLS
from tests.mcp.speaking import Speaking, speaking

NAMES = [
    "memory_ingest",
    "memory_store",
    "memory_retrieve",
    "memory_supersede",
    "memory_contradict",
    "memory_resolve_contradiction",
    "memory_get_assertion_state",
    "memory_history",
    "memory_explain",
]
UNKNOWN = "3f2b8a1e-0000-5000-8000-000000000000"


def test_there_are_these_tools(sam: Speaking):
    assert NAMES == list(sam.tools())


def test_every_tool_refuses_unknown_arguments(sam: Speaking):
    schemas = {name: tool.input_schema for name, tool in sam.tools().items()}

    assert dict.fromkeys(NAMES, False) == {name: schema["additionalProperties"] for name, schema in schemas.items()}
    assert [] == [name for name in NAMES if "nonsense: Extra inputs" not in sam.refusal(name, nonsense=1)]


def test_every_tool_says_what_it_answers(sam: Speaking):
    assert dict.fromkeys(NAMES, "object") == {name: tool.output_schema["type"] for name, tool in sam.tools().items()}


def test_reading_tools_say_that_they_only_read(sam: Speaking):
    reading = {name for name, tool in sam.tools().items() if tool.annotations.read_only_hint}

    assert {NAMES[2], *NAMES[6:]} == reading


def test_no_tool_is_destructive(sam: Speaking):
    assert not any(tool.annotations.destructive_hint for tool in sam.tools().values())


@pytest.mark.parametrize(
    ("tool", "teaches"),
    [
        ("memory_retrieve", ("RULE", "verify it against the real system first", "Never leave a memory", "before you")),
        ("memory_ingest", ("word for word", "no longer so", "first_person_owner", "message_id", "memory_supersede")),
        ("memory_store", ("note_id", "evidence_id", "memory_ingest")),
        ("memory_supersede", ("memory_contradict", "memory_retrieve", "Nothing is deleted", "open_claims")),
        ("memory_contradict", ("do not know which", "memory_supersede", "both can be true")),
        ("memory_resolve_contradiction", ("evidence_id", "keeps its history")),
        ("memory_history", ("who changed it", "memory_retrieve")),
    ],
)
def test_a_description_teaches_when_to_use_a_tool(sam: Speaking, tool: str, teaches: tuple[str, ...]):
    description = sam.tools()[tool].description

    assert [] == [words for words in teaches if words not in description]


def test_the_rule_is_read_on_connecting_too(sam: Speaking):
    assert GUIDE in (sam.client.instructions or "")


def test_structured_and_plain_answer_are_the_same(sam: Speaking):
    answer = sam.call("memory_retrieve", query="nothing")

    assert answer.structured_content == json.loads(answer.content[0].text)


def test_an_unknown_tool_is_refused_with_the_known_ones(sam: Speaking):
    assert "memory_retrieve" in sam.refusal("memory_forget")


def test_a_refusal_never_repeats_what_was_passed(sam: Speaking):
    assert "hunter2" not in sam.refusal("memory_ingest", content=["hunter2"], role="hunter2")


def test_a_claim_and_its_history_are_resources(sam: Speaking):
    (claim,) = sam.data("memory_ingest", content="I use Vim.", first_person_owner=True)["claims"]
    sam.data("memory_ingest", content="I don't use Vim anymore.", first_person_owner=True)
    node = json.loads(sam.resource(f"prme://claims/{claim}"))
    told = json.loads(sam.resource(f"prme://claims/{claim}/history"))

    assert ("superseded", 2) == (node["status"], len(told["versions"]))
    assert node == told["node"]


@pytest.mark.parametrize(
    "uri",
    [
        f"prme://claims/{UNKNOWN}",
        f"prme://claims/{UNKNOWN}/history",
        "prme://claims/",
        f"prme://claims/{UNKNOWN}/nonsense",
        "file:///etc/passwd",
    ],
)
def test_a_resource_that_is_not_there_is_refused(sam: Speaking, uri: str):
    with pytest.raises(MCPError, match="no "):
        sam.resource(uri)


def test_the_templates_name_both_resources(sam: Speaking):
    templates = sam.portal.call(sam.client.list_resource_templates).resource_templates

    assert ["prme://claims/{id}", "prme://claims/{id}/history"] == [template.uri_template for template in templates]
    assert [] == sam.portal.call(sam.client.list_resources).resources


def test_the_prompt_tells_how_to_correct(sam: Speaking):
    (prompt,) = sam.portal.call(sam.client.list_prompts).prompts
    arguments = {prompt.arguments[0].name: "I live in Rome, not Bern {x}."}
    (message,) = sam.portal.call(sam.client.get_prompt, prompt.name, arguments).messages

    assert "I live in Rome, not Bern {x}." in message.content.text
    assert [] == [name for name in NAMES[2:5] if name not in message.content.text]


@pytest.mark.parametrize(("name", "arguments"), [("correct_memory", {}), ("correct_memory", {"x": "y"}), ("other", {})])
def test_a_prompt_that_cannot_be_made_is_refused(sam: Speaking, name: str, arguments: dict[str, str]):
    with pytest.raises(MCPError, match="correct_memory"):
        sam.portal.call(sam.client.get_prompt, name, arguments)


class FailingEngine:
    """Stands in for an engine with a fault that nobody foresaw."""

    async def _fail(self, *arguments: Any, **options: Any) -> Any:
        raise KeyError("select secret from owners")

    retrieve = history = _fail


@pytest.fixture
def failing() -> Iterator[Speaking]:
    with speaking(create_server(FailingEngine(), "sam")) as session:  # type: ignore[arg-type]
        yield session


def test_an_unforeseen_fault_tells_nothing_to_a_client(failing: Speaking, caplog: pytest.LogCaptureFixture):
    assert UNEXPECTED == failing.refusal("memory_retrieve", query="x")
    assert ["a call failed unexpectedly: KeyError"] == [record.getMessage() for record in caplog.records]


def test_an_unforeseen_fault_of_a_resource_tells_nothing_either(failing: Speaking):
    with pytest.raises(MCPError, match=UNEXPECTED):
        failing.resource(f"prme://claims/{UNKNOWN}/history")


def test_the_descriptions_speak_of_tools_that_exist():
    named = {word.strip(".,;:()") for tool in TOOLS for word in tool.description.split() if "memory_" in word}

    assert named <= set(NAMES)
