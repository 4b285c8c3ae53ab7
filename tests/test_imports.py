"""A name of the library is loaded when it is asked for, and the command loads what its arguments need."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import prme
from prme.cli.retrieve_commands import NODE_TYPES, SOURCE_TYPES

SOURCE = Path(__file__).parents[1] / "prme" / "__init__.py"
ON_FIRST_USE = {"anthropic", "click", "dateparser", "openai", "pytest", "regex", "rich", "syntok"}
ENGINE = {"asyncio", "duckdb", "prme.client", "prme.engine", "prme.service", "pydantic", "sqlite3"}
COMMAND = "from prme.cli.main import main\ntry: main()\nexcept SystemExit: pass"


def loaded(statement: str, *arguments: str) -> set[str]:
    """Return what a statement loads in an interpreter of its own."""
    # The difference, because a measurement of coverage loads modules before the first line.
    code = (
        f"import sys\nbefore = set(sys.modules)\n{statement}\n"
        "import json\nprint(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(ran.stderr))


@pytest.fixture
def untouched() -> ModuleType:
    """The package as a program sees it that has asked for no name yet."""
    spec = importlib.util.spec_from_file_location("untouched", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_importing_the_library_loads_neither_engine_nor_sdks():
    assert loaded("import prme") & (ENGINE | ON_FIRST_USE) == set()


def test_asking_for_the_client_loads_the_engine_but_no_date_web_or_terminal_library():
    found = loaded("from prme import MemoryClient")

    assert found & ON_FIRST_USE == set()
    assert {"duckdb", "prme.engine", "pydantic"} <= found


def test_another_process_of_a_replay_loads_neither_database_nor_writer():
    found = loaded("import prme.replay.tasks")

    assert found & {"asyncio", "duckdb", "prme.store.database", "prme.writer"} == set()
    assert "prme.grounding" in found


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_command_starts_without_the_engine(option: str):
    found = loaded(COMMAND, option)

    assert found & (ENGINE | {"rich"}) == set()
    assert "prme.cli.commands" in found


def test_a_command_that_prints_a_table_loads_what_draws_it():
    assert {"prme.policy.registry", "rich"} <= loaded(COMMAND, "policies")


def test_a_star_import_brings_every_public_name():
    code = "from prme import *; import prme; print(set(prme.__all__) - set(globals()))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"


def test_names_that_are_not_loaded_yet_are_listed(untouched: ModuleType):
    assert "MemoryClient" not in vars(untouched)
    assert set(prme.__all__) - set(dir(untouched)) == set()


def test_a_name_is_kept_once_it_was_asked_for(untouched: ModuleType):
    asked = untouched.MemoryClient

    assert asked is prme.MemoryClient
    assert vars(untouched)["MemoryClient"] is asked


def test_an_unknown_name_is_an_attribute_error(untouched: ModuleType):
    with pytest.raises(AttributeError, match="module 'untouched' has no attribute 'MemoryCliet'"):
        _ = untouched.MemoryCliet


def test_type_checkers_read_the_same_homes_as_programs(untouched: ModuleType):
    block = next(node for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    read = {
        name.name: getattr(importlib.import_module(str(node.module)), name.name)
        for node in imports
        for name in node.names
    }

    assert set(read) == set(prme.__all__) - set(vars(untouched))
    assert {name: getattr(untouched, name) for name in read} == read


def test_the_choices_of_the_command_are_the_words_of_the_library():
    assert list(NODE_TYPES) == [kind.value for kind in prme.NodeType]
    assert list(SOURCE_TYPES) == [source.value for source in prme.SourceType]
