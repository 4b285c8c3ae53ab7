"""What a file holds is known by its content, and nothing of it is lost."""

from __future__ import annotations

import io
import json

import click
import pytest

from prme.cli.ingest_source import open_source
from tests.cli.chat_files import anthropic, api, contents, line_of, openai, packed, source, turn


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([openai(*line_of("x"))]).encode(),
        json.dumps([openai(*line_of("x"))], indent=2).encode(),
        b"\xef\xbb\xbf\n " + json.dumps([anthropic(turn("t0", "x"))]).encode(),
        json.dumps(openai(*line_of("x")), indent=2).encode(),
        json.dumps(anthropic(turn("t0", "x"))).encode(),
        json.dumps(api(("user", "x"))).encode(),
        json.dumps(api(("user", "x")), indent=2).encode(),
        json.dumps({"model": "m" * 50_000, **api(("user", "x"))}, indent=1).encode(),
        packed(conversations=[openai(*line_of("x"))], user={"id": "u"}),
        packed(folder__conversations=[anthropic(turn("t0", "x"))], users=[]),
    ],
    ids=["list", "spread", "mark", "openai", "anthropic", "api", "api-spread", "api-long", "zip", "zip-folder"],
)
def test_an_export_is_known_by_its_content(data: bytes):
    assert ["x"] == contents(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"content": "x", "user_id": "u"}\n',
        b'{"content": "x", "user_id": "u"}',
        b'\n\n{"content": "x"}\n{"content"',
        b'{"content": "x\n',
        b"{\n",
        b"{}\n{}\n",
        b"secret words\n",
        b"5\n",
        b"\n" * 200_000,
        b"",
        b'{"content": "' + b"x" * 200_000 + b'", "messages": []}\n',
    ],
)
def test_everything_else_is_lines_and_not_a_byte_of_it_is_lost(data: bytes):
    found = source(data, user_id=None)

    assert found.total == len(data)
    assert sum(line.size for line in found.entries) == len(data)


def test_a_slow_writer_of_lines_is_not_waited_for():
    class Pipe(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise AssertionError("reads on before the first line is taken in")

    found = open_source(Pipe(b'{"content": "x"}\n'), size=None, user_id="u", first_person_owner=None)

    assert "x" == found.reader.message(next(iter(found.entries))).content


def test_an_export_needs_an_owner():
    with pytest.raises(click.UsageError, match="--user-id"):
        source([openai(*line_of("x"))], user_id=None)


def test_lines_that_do_not_say_who_i_is_take_the_option(tmp_path):
    said = {"content": "I use Figma.", "user_id": "sam"}
    lines = [
        {**said, "message_id": "m1"},
        {**said, "message_id": "m2", "first_person_owner": False},
        {**said, "message_id": "m3", "speaker": "Ines"},
        {**said, "message_id": "m4", "role": "assistant"},
    ]
    file = tmp_path / "talk.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))

    with file.open("rb") as stream:
        found = open_source(stream, size=None, user_id=None, first_person_owner=True)
        owners = [found.reader.message(line).first_person_owner for line in found.entries]

    assert [True, False, False, False] == owners
