"""The fixtures and options of the plugin, in projects that use them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from prme_extractors.recorded import read_recordings

USES = """
def test_it(memory):
    memory.ingest("I use Vim.", user_id="sam", first_person_owner=True)
    assert [claim.object for claim in memory.claims(user_id="sam")] == ["Vim"]
"""
RECORD = "--prme-record=lexical"


@pytest.fixture
def recordings(project: pytest.Pytester) -> Path:
    return project.path / "recordings" / "test_chat.jsonl"


def test_a_message_without_a_recording_fails_the_test_and_says_how_to_record(project: pytest.Pytester):
    project.makepyfile(test_chat=USES)

    result = project.runpytest()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "no extraction is recorded in recordings/test_chat.jsonl for:",
            "  user: 'I use Vim.'",
            "record it with pytest --prme-record=EXTRACTOR, such as --prme-record=lexical, and review the file",
        ]
    )


def test_a_recorded_message_needs_no_option(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=USES)
    project.runpytest(RECORD).assert_outcomes(passed=1)

    assert recordings.is_file()
    project.runpytest().assert_outcomes(passed=1)


def test_an_application_that_catches_every_exception_does_not_hide_a_missing_recording(project: pytest.Pytester):
    project.makepyfile(
        test_chat="""
        def test_it(memory):
            try:
                memory.ingest("I use Vim.", user_id="sam")
            except Exception:
                pass
        """
    )

    project.runpytest().assert_outcomes(failed=1)


def test_a_missing_recording_in_a_store_of_ones_own_is_an_error_at_the_end(project: pytest.Pytester):
    project.makepyfile(
        test_chat="""
        import asyncio
        from prme import MemoryEngine

        def test_it(memory_extractor, memory_clock):
            async def chat():
                async with MemoryEngine(":memory:", extractor=memory_extractor, clock=memory_clock) as engine:
                    await engine.ingest("I use Vim.", user_id="sam")
            asyncio.run(chat())
        """
    )

    project.runpytest().assert_outcomes(passed=1, errors=1)
    project.runpytest(RECORD).assert_outcomes(passed=1)
    project.runpytest().assert_outcomes(passed=1)


TWO = """
def test_one(memory):
    memory.ingest("I use Vim.", user_id="sam", first_person_owner=True)

def test_two(memory):
    memory.ingest("I drink tea.", user_id="sam", first_person_owner=True)
    memory.ingest("I drink tea.", user_id="sam", role="assistant")
"""


def test_recordings_are_sorted_whatever_the_order_of_the_tests(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=TWO)
    project.runpytest(RECORD).assert_outcomes(passed=2)
    first = recordings.read_bytes()
    recordings.unlink()
    project.runpytest(RECORD, "test_chat.py::test_two", "test_chat.py::test_one").assert_outcomes(passed=2)

    assert first == recordings.read_bytes()
    assert [("I drink tea.", "assistant"), ("I drink tea.", "user"), ("I use Vim.", "user")] == [
        (one.content, one.role) for one in read_recordings(recordings)
    ]


def test_what_is_recorded_is_not_asked_for_again(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=TWO)
    recordings.parent.mkdir()
    by_hand = {"content": "I use Vim.", "extraction": {"claims": []}}
    recordings.write_text(json.dumps(by_hand) + "\n", encoding="utf-8")

    project.runpytest(RECORD).assert_outcomes(passed=2)

    assert [0] == [len(one.extraction.claims) for one in read_recordings(recordings) if one.content == "I use Vim."]
    assert len(read_recordings(recordings)) == 3


def test_an_extractor_without_an_answer_fails_the_test_and_records_nothing(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=USES)

    result = project.runpytest("--prme-record=recorded")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["recorded gave no usable answer, so nothing is recorded in *"])
    assert not recordings.exists()


def test_a_named_extractor_takes_the_place_of_recordings(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=USES)

    project.runpytest("--prme-extractor=lexical").assert_outcomes(passed=1)

    assert not recordings.exists()


def test_the_two_options_exclude_each_other(project: pytest.Pytester):
    result = project.runpytest(RECORD, "--prme-extractor=lexical")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--prme-record and --prme-extractor exclude each other*"])


def test_several_processes_do_not_record(project: pytest.Pytester):
    result = project.runpytest(RECORD, "-n2")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--prme-record needs one process*"])


@pytest.mark.parametrize("option", ["--prme-record", "--prme-extractor"])
def test_an_unknown_extractor_is_named(project: pytest.Pytester, option: str):
    project.makepyfile(test_chat=USES)

    result = project.runpytest(f"{option}=nobody")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["no extractor named 'nobody' is installed*"])


def test_a_broken_recording_is_named_with_its_line(project: pytest.Pytester, recordings: Path):
    project.makepyfile(test_chat=USES)
    recordings.parent.mkdir()
    recordings.write_text('\n{"content": 1}\n', encoding="utf-8")

    result = project.runpytest()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*test_chat.jsonl' line 2: content: *"])


def test_each_test_has_a_memory_of_its_own(project: pytest.Pytester):
    project.makepyfile(
        test_chat="""
        import pytest

        @pytest.mark.parametrize("run", [1, 2])
        def test_it(memory, run):
            assert memory.claims(user_id="sam") == []
            memory.ingest("I use Vim.", user_id="sam", first_person_owner=True)
        """
    )

    project.runpytest("--prme-extractor=lexical").assert_outcomes(passed=2)


def test_the_clock_stands_until_the_test_moves_it(project: pytest.Pytester):
    project.makepyfile(
        test_chat="""
        from datetime import UTC, datetime, timedelta

        def test_it(memory, memory_clock):
            said = [memory.store("one", user_id="sam")]
            memory_clock.advance(timedelta(days=2))
            said.append(memory.store("two", user_id="sam"))
            assert [memory.get_event(event).occurred_at for event in said] == [
                datetime(2031, 1, 1, 9, tzinfo=UTC), datetime(2031, 1, 3, 9, tzinfo=UTC)
            ]
        """
    )

    project.runpytest().assert_outcomes(passed=1)


def test_a_project_without_the_fixtures_loads_nothing_of_prme(project: pytest.Pytester):
    project.makepyfile(
        test_chat="""
        import sys

        def test_it(pytestconfig):
            assert pytestconfig.pluginmanager.hasplugin("prme")
            assert not [name for name in sys.modules if name.partition(".")[0] in {"prme", "duckdb", "pydantic"}]
        """
    )

    # Other plugins of this environment load pydantic.
    others = ("no:syrupy", "no:schemathesis", "no:langsmith_plugin")
    project.runpytest_subprocess(*(part for name in others for part in ("-p", name))).assert_outcomes(passed=1)


@pytest.mark.parametrize("package", ["prme", "prme.testing"])
def test_a_package_that_needs_no_pytest_does_not_import_it(project: pytest.Pytester, package: str):
    script = f"import sys, {package}; print(sorted({{'pytest', 'syrupy'}} & sys.modules.keys()))"

    assert ["[]"] == project.run(sys.executable, "-c", script).outlines


def test_a_snapshot_without_syrupy_says_what_to_install(project: pytest.Pytester):
    project.makepyfile(test_chat="def test_it(snapshot_memory): pass")

    result = project.runpytest_subprocess("-p", "no:syrupy")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["snapshot_memory needs syrupy: install the extra prme[[]testing]"])
