"""The program as a process: pipes, interrupts, encodings, and how little is loaded for `--help`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = "from prme.cli.main import main; main()"
LINE = (
    json.dumps({"content": "I use Zoë\u202e [bold]tools[/bold].", "user_id": "sam", "first_person_owner": True}) + "\n"
)
HEAVY = {"rich", "duckdb", "dateparser", "syntok", "prme.service", "prme.cli.demo", "prme.cli.ingestion"}


def test_help_loads_nothing_but_the_commands(process):
    code = (
        "import sys, prme; before = set(sys.modules); import prme.cli.main; "
        f"print(sorted((set(sys.modules) - before) & {HEAVY!r}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)

    assert result.stdout == "[]\n"


def test_a_pipe_gets_plain_text(process):
    out, err = process("ingest", "-").communicate(LINE.encode())

    assert err == b""
    assert b"\x1b" not in out
    assert out.startswith(b"1 message: 1 published")


def test_the_exit_status_reaches_the_shell(process):
    child = process("ingest", "-")
    _, err = child.communicate(b"not json\n")

    assert (child.returncode, err) == (1, b"line 1: refused: not JSON (column 1)\n")


def test_an_encoding_that_lacks_a_letter_prints_its_escape(process):
    process("ingest", "-").communicate(LINE.encode())
    child = process("verify", "--user-id", "Zoë", PYTHONIOENCODING="ascii")
    out, err = child.communicate()
    assert (child.returncode, err) == (0, b"")
    out, err = process("ingest", "-", "--user-id", "Zoë", PYTHONIOENCODING="ascii").communicate(b'{"content":"x"}')

    assert err == b""
    assert rb"journal of Zo\xeb" in out


def test_json_is_utf_8_whatever_the_encoding(process):
    out, _ = process("ingest", "-", "--json", "--user-id", "Zoë", PYTHONIOENCODING="ascii").communicate(
        b'{"content":"x"}'
    )

    assert list(json.loads(out.decode("utf-8"))["journal"]) == ["Zoë"]


@pytest.mark.parametrize("command", [("verify",), ("verify", "--json"), ("--help",), ("why", "--help")])
def test_a_reader_that_goes_away_is_no_traceback_and_no_finding(process, command: tuple[str, ...]):
    process("ingest", "-").communicate(LINE.encode())
    child = process(*command)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()

    err = child.stderr.read()
    child.wait()

    assert (child.returncode, err) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="streams cannot be closed that way there")
@pytest.mark.parametrize("closing", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_a_stream_to_nowhere(process, environment, tmp_path, closing: str):
    process("ingest", "-").communicate(LINE.encode())
    command = ["sh", "-c", f'exec "$@" {closing}', "sh", sys.executable, "-c", PROGRAM]

    ended = subprocess.run([*command, "verify"], cwd=tmp_path, env=environment, capture_output=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.startswith(b"ok: everything") is (">&-" not in closing.replace("2>&-", ""))


@pytest.mark.skipif(os.name == "nt", reason="streams cannot be closed that way there")
def test_a_file_is_taken_in_and_kept_whole_with_every_stream_closed(process, environment, tmp_path, run):
    (tmp_path / "talk.jsonl").write_text(LINE + "bad\n", encoding="utf-8")
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", PROGRAM]

    ended = subprocess.run([*command, "ingest", "talk.jsonl"], cwd=tmp_path, env=environment, check=False)

    assert ended.returncode == 1
    assert json.loads(run("verify", "--json").stdout)["ok"] is True


@pytest.mark.skipif(os.name == "nt", reason="the signal is another one there")
def test_an_interrupt_keeps_what_was_acknowledged(process, run):
    child = process("ingest", "-")
    assert child.stdin is not None
    assert child.stderr is not None
    # One full batch and a refusal that is reported after it: then the batch is stored and the program waits for more.
    child.stdin.write(LINE.encode() * 99 + b"bad\n")
    child.stdin.flush()
    assert child.stderr.readline().startswith(b"line 100: refused")

    child.send_signal(signal.SIGINT)
    child.wait(timeout=60)

    assert child.returncode == 130
    assert child.stderr.read() == b"interrupted; what was acknowledged is stored\n"
    report = json.loads(run("verify", "--json").stdout)
    assert (report["ok"], report["journal"]["sam"]["seq"]) == (True, 198)
