from __future__ import annotations

import logging
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from prme import MemoryClient
from prme.http.tokens import read_tokens, token_digest

LOGGERS = ("prme", "uvicorn", "asyncio")
ROOT = Path(__file__).parents[2]

OWNER_ENTRY = f'[[token]]\ndigest = "{token_digest("x")}"\nuser_id = "kim"\n'


def test_help_says_how_tokens_are_given(run):
    text = run("serve", "--help").stdout.replace("\n ", "")

    assert [] == [
        word for word in ("PRME_TOKEN", "--tokens", "prme serve token", "prme[http]", "/docs") if word not in text
    ]


def test_a_token_is_printed_apart_from_its_entry(run, tmp_path: Path):
    made = run("serve", "token", "--user-id", "sam")
    token = made.stderr.rpartition(" ")[2].strip()
    (tmp_path / "tokens.toml").write_text(made.stdout)
    (read,) = read_tokens(tmp_path / "tokens.toml")

    assert ("sam", token_digest(token)) == (read.user_id, read.digest)
    assert token not in made.stdout
    assert len(token) == 64


def test_tokens_differ(run):
    assert run("serve", "token", "--admin").stdout != run("serve", "token", "--admin").stdout


def test_entries_can_be_put_one_after_the_other(run, tmp_path: Path):
    entries = run("serve", "token", "--admin").stdout + run("serve", "token", "--user-id", "sam").stdout

    assert [True, False] == [entry.get("admin", False) for entry in tomllib.loads(entries)["token"]]


@pytest.mark.parametrize("arguments", [(), ("--admin", "--user-id", "sam"), ("--user-id", " ")])
def test_a_token_is_for_one_owner_or_an_operator(run, arguments: tuple[str, ...]):
    refused = run("serve", "token", *arguments)

    assert (2, "") == (refused.exit_code, refused.stdout)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "memory.example"])
def test_another_address_than_a_local_one_needs_tokens(run, host: str):
    refused = run("serve", "--host", host)

    assert refused.exit_code == 2
    assert "prme serve token" in refused.stderr.replace("\n", " ")


def test_a_guessable_token_in_the_environment_is_refused(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PRME_TOKEN", "secret")
    refused = run("serve")

    assert refused.exit_code == 2
    assert "PRME_TOKEN" in refused.stderr
    assert "'secret'" not in refused.stderr


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("not toml", (), "no TOML file"),
        ("", (), "[[token]]"),
        ("token = []", (), "names no token"),
        (OWNER_ENTRY, ("--user-id", "sam"), "another owner"),
    ],
)
def test_tokens_that_cannot_be_used_are_refused(run, content: str, options: tuple[str, ...], says: str):
    Path("tokens.toml").write_text(content)
    refused = run("serve", "--tokens", "tokens.toml", *options)

    assert refused.exit_code == 2
    assert says in refused.stderr.replace("\n", " ")
    assert not Path("memory").exists()


def test_an_owner_that_cannot_be_one_is_refused(run):
    refused = run("serve", "--user-id", " ")

    assert refused.exit_code == 2
    assert "user_id is blank" in refused.stderr


def test_an_address_that_is_taken_is_one_line(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run("serve", "--port", str(taken.getsockname()[1]))

    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: Address already in use")
    assert not Path("memory").exists()


def test_a_store_that_is_open_elsewhere_is_one_line(run):
    with MemoryClient("memory"):
        refused = run("serve", "--port", "0")

    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: the store is open in another")
    assert "Traceback" not in refused.stderr


def test_what_is_refused_leaves_the_log_alone(run):
    before = [(logger.handlers, logger.level, logger.propagate) for logger in map(logging.getLogger, LOGGERS)]
    run("serve", "--port", "0", "--extractor", "nobody")

    assert before == [(logger.handlers, logger.level, logger.propagate) for logger in map(logging.getLogger, LOGGERS)]


def test_an_unknown_extractor_is_one_line(run):
    refused = run("serve", "--port", "0", "--extractor", "nobody")

    assert refused.exit_code == 1
    assert "nobody" in refused.stderr


WITHOUT_EXTRA = """
import sys

EXTRA = {"fastapi", "uvicorn", "jinja2", "prometheus_client", "pythonjsonlogger"}

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in EXTRA else self.finder.find_spec(name, path, target)

    def find_distributions(self, *context):
        return self.finder.find_distributions(*context) if hasattr(self.finder, "find_distributions") else []

sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
from prme.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("serve",), 1, "pip install 'prme[http]'"),
        (("serve", "--help"), 0, ""),
        (("serve", "token", "--admin"), 1, "pip install 'prme[http]'"),
        (("policies",), 0, ""),
    ],
    ids=["serve", "help", "token", "policies"],
)
def test_without_the_extra_only_the_service_itself_is_missing(
    environment: dict[str, str], arguments: tuple[str, ...], status: int, says: str
):
    command = [sys.executable, "-c", WITHOUT_EXTRA, *arguments]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)

    assert status == ran.returncode, ran.stderr
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr
