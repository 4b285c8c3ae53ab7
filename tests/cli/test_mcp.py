from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from prme import MemoryClient
from prme.mcp.running import local_socket, url_of


def test_help_says_how_clients_start_it(run):
    text = run("mcp", "--help").stdout.replace("\n ", "")

    assert [] == [word for word in ("--user-id", "--http", "mcp:NAME", "prme[mcp]") if word not in text]


def test_without_the_extra_it_says_what_to_install(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "mcp", None)  # as find_spec sees a package that is not there
    refused = run("mcp")

    assert (1, "Error: the MCP server needs more packages: pip install 'prme[mcp]'\n") == (
        refused.exit_code,
        refused.stderr,
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--port", "8000"), "--port goes with --http"),
        (("--user-id", " "), "--user-id: user_id is blank"),
        (("--http", "--port", "99999"), "--port"),
    ],
)
def test_options_that_cannot_be_meant_are_wrong_usage(run, options: tuple[str, ...], says: str):
    refused = run("mcp", *options)

    assert refused.exit_code == 2
    assert says in refused.stderr


def test_an_unknown_extractor_is_refused_before_anything_is_served(run):
    refused = run("mcp", "--extractor", "nobody")

    assert refused.exit_code == 1
    assert "no extractor named 'nobody'" in refused.stderr


def test_a_store_that_is_open_is_refused(run, tmp_path):
    with MemoryClient(tmp_path / "memory"):
        refused = run("--store", str(tmp_path / "memory"), "mcp", "--http", "--port", "0")

    assert refused.exit_code == 1
    assert "the store is open in another client" in refused.stderr


def test_a_port_that_is_taken_is_a_plain_error(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run("mcp", "--http", "--port", str(taken.getsockname()[1]))

    assert refused.exit_code == 1
    assert "Address already in use" in refused.stderr


def test_it_listens_on_this_machine_alone():
    with local_socket(0) as listener:
        assert "127.0.0.1" == listener.getsockname()[0]
        assert f"http://127.0.0.1:{listener.getsockname()[1]}/mcp" == url_of(listener)


def test_help_of_the_program_loads_no_protocol():
    code = (
        "import sys\nfrom prme.cli.main import main\nsys.argv = ['prme', '--help']\n"
        "try: main()\nexcept SystemExit: print({'mcp', 'uvicorn', 'duckdb'} & set(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "set()\n" == ran.stderr
