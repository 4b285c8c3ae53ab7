"""Scenario files: three notations for the same thing, and faults that say where they are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prme.testing.scenario_files import ScenarioFileError, read_scenarios

ONE: dict[str, Any] = {"name": "one", "messages": ["I use Vim."], "expect": {"current": ["m1.c1"]}}
TWO = {**ONE, "name": "two"}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return file


YAML_ONE = """\
name: one
messages: [I use Vim.]
expect:
  current: [m1.c1]
"""


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.jsonl", f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n", [1, 3]),
        ("a.json", json.dumps(ONE), [1]),
        ("a.json", "\n[" + json.dumps(ONE) + " ,\n\n" + json.dumps(TWO) + "\n]\n", [2, 4]),
        ("a.yaml", f"# bikes\n{YAML_ONE}---\n{YAML_ONE.replace('one', 'two')}", [2, 7]),
        ("a.yml", "- " + YAML_ONE.replace("\n", "\n  ").rstrip() + "\n", [1]),
        ("A.JSONL", "\ufeff" + json.dumps(ONE), [1]),
    ],
)
def test_every_notation_gives_the_scenarios_with_their_lines(write: Write, name: str, text: str, lines: list[int]):
    found = read_scenarios(write(name, text))

    assert lines == [one.line for one in found]
    assert ["one", "two"][: len(lines)] == [one.scenario.name for one in found]
    assert {"m1.c1"} == {text for one in found for text in one.scenario.expect.current or ()}


def test_yaml_words_stay_what_they_are(write: Write):
    text = """\
name: "1"
first_person_owner: true
messages:
  - content: no
    occurred_at: 2031-03-01T09:00:00Z
    session_id: null
    extraction: {claims: [{subject: I, predicate: is, object: off, confidence: 0.5}]}
expect: {reasons: {m1.c1: on}}
"""
    (placed,) = read_scenarios(write("a.yaml", text))
    (message,) = placed.scenario.messages

    assert (placed.scenario.name, placed.scenario.first_person_owner, message.content) == ("1", True, "no")
    assert (message.session_id, str(message.occurred_at)) == (None, "2031-03-01 09:00:00+00:00")
    assert message.extraction is not None
    assert (message.extraction.claims[0].object, str(message.extraction.claims[0].confidence)) == ("off", "0.5")
    assert placed.scenario.expect.reasons == {"m1.c1": "on"}


def scenario(**fields: Any) -> str:
    return json.dumps({**ONE, **fields})


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.txt", "", "unknown kind of file; scenarios are in .jsonl, .json, .yaml, .yml"),
        ("a.jsonl", "\n\n", "no scenario in it"),
        ("a.json", "", "no scenario in it"),
        ("a.json", "[]", "no scenario in it"),
        ("a.jsonl", f"{json.dumps(ONE)}\n{{", "line 2: not JSON (column 2)"),
        ("a.json", '{"name":\n oops}', "line 2: not JSON (column 2)"),
        ("a.json", json.dumps(ONE) + "\n{}", "line 2: something follows the JSON document"),
        ("a.jsonl", json.dumps(ONE) + " {}", "line 1: something follows the JSON document"),
        ("a.jsonl", '{"name": NaN}', "line 1: NaN"),
        ("a.jsonl", '{"name": "a", "name": "b"}', "line 1: the same key stands twice in one object"),
        ("a.jsonl", "[" * 100_000, "line 1: not JSON that can be read: nested too deeply"),
        ("a.jsonl", "1", "line 1: a scenario is a mapping, not int"),
        ("a.yaml", "name: [", "line 1: not YAML: "),
        ("a.yaml", "name: a\nmessages: [x]\nname: b", "line 3: the key 'name' stands twice in one mapping"),
        ("a.yaml", "? [a]\n: b", "line 1: a key is not a text"),
        ("a.yaml", "name: \x00", "line 1: not YAML: a character that YAML does not allow"),
        ("a.jsonl", f"{scenario()}\n{scenario()}", "line 2: the name 'one' is taken in line 1"),
        ("a.jsonl", scenario(colour="red"), "line 1: colour: Extra inputs are not permitted"),
        ("a.jsonl", scenario(messages=[]), "line 1: messages: "),
        ("a.jsonl", scenario(messages=[" "]), "line 1: content "),
        ("a.jsonl", scenario(messages=[{"content": "x", "role": "judge"}]), "line 1: role "),
        ("a.jsonl", scenario(messages=[{"content": "x", "occurred_at": "2031-01-01"}]), "line 1: occurred_at "),
        ("a.jsonl", scenario(messages=[{"content": "x", "then": [{"do": "erase"}]}]), "line 1: messages.0.then.0: "),
        (
            "a.jsonl",
            scenario(messages=[{"content": "x", "then": [{"do": "supersede", "old": "m1", "new": "m2"}]}]),
            "line 1: there is no message m2: the scenario has 1",
        ),
        (
            "a.jsonl",
            scenario(messages=[{"content": "x", "then": [{"do": "supersede", "old": "x", "new": "m1"}]}]),
            "line 1: 'x' names no note or claim",
        ),
        ("a.jsonl", scenario(policy="speech_act_v0"), "line 1: there is no policy 'speech_act_v0'"),
        ("a.jsonl", scenario(expect={"current": ["Vim"]}), "line 1: 'Vim' names no claim"),
        ("a.jsonl", scenario(expect={"current": ["m1"]}), "line 1: 'm1' is a message: a claim of it is m1.c1"),
        ("a.jsonl", scenario(expect={"retired": ["m2.c1"]}), "line 1: there is no message m2"),
        ("a.jsonl", scenario(expect={"retired": [{"claim": "m1.c1", "by": "Vim"}]}), "line 1: 'Vim' names no note"),
        ("a.jsonl", scenario(expect={"reasons": {"Vim": "ambiguous"}}), "line 1: 'Vim' names no claim"),
        ("a.jsonl", scenario(expect={"must_not": ["rule: lost"]}), "line 1: must_not 'rule: lost' cannot be checked"),
        ("a.jsonl", scenario(expect={"must_not": ["current: "]}), "line 1: '' names no claim"),
        ("a.jsonl", scenario(control={"m2": "x"}), "line 1: control changes 'm2': there is no such message"),
        ("a.jsonl", scenario(control={"m1": ""}), "line 1: content "),
    ],
    ids=lambda value: str(value)[:70],
)
def test_a_fault_is_named_with_its_place(write: Write, name: str, text: str, fault: str):
    path = write(name, text)

    with pytest.raises(ScenarioFileError) as raised:
        read_scenarios(path)

    assert f"{path} {fault}" in str(raised.value) or f"{path}: {fault}" in str(raised.value)


def test_a_file_that_is_missing_or_not_text_is_named(tmp_path: Path):
    (tmp_path / "b.json").write_bytes(b"\xff")

    with pytest.raises(ScenarioFileError, match=r"a\.json: No such file"):
        read_scenarios(tmp_path / "a.json")
    with pytest.raises(ScenarioFileError, match=r"b\.json: not UTF-8"):
        read_scenarios(tmp_path / "b.json")


def test_without_pyyaml_a_yaml_file_says_what_to_install(write: Write, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "prme.testing.scenario_yaml", raising=False)

    with pytest.raises(ScenarioFileError, match=r"install the extra prme\[testing\]"):
        read_scenarios(write("a.yaml", YAML_ONE))


def test_without_pyyaml_json_is_read(write: Write, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "yaml", None)

    assert len(read_scenarios(write("a.jsonl", json.dumps(ONE)))) == 1
