"""The pytest plugin of prme: fixtures for tests of what a conversation does to memory.

It is a package of its own because pytest loads it in every run, and `prme.testing` would load the database with it.
Only the fixtures import prme, when a test first asks for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from prme import MemoryClient
    from prme.extraction.protocol import Extractor
    from prme.testing import MemoryClock

RECORDINGS = "recordings"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("prme", "conversation memory")
    group.addoption(
        "--prme-record",
        metavar="EXTRACTOR",
        help="ask this extractor for messages without a recording, and write its answers to recordings/",
    )
    group.addoption(
        "--prme-extractor",
        metavar="EXTRACTOR",
        help="take this extractor instead of recordings, such as lexical",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that contradict each other. Raises `pytest.UsageError`."""
    if config.option.prme_record is None:
        return
    if config.option.prme_extractor is not None:
        raise pytest.UsageError(
            "--prme-record and --prme-extractor exclude each other: recordings are not used with both"
        )
    if getattr(config.option, "numprocesses", None):
        raise pytest.UsageError(
            "--prme-record needs one process, since several would overwrite each other: leave out -n"
        )


@pytest.fixture
def memory_clock() -> MemoryClock:
    """The clock of `memory`: it stands at 2031-01-01 09:00 UTC until the test sets it."""
    from prme.testing import MemoryClock

    return MemoryClock()


@pytest.fixture
def memory_extractor(request: pytest.FixtureRequest) -> Iterator[Extractor]:
    """The extractor of `memory`, for a test that opens a store of its own: recordings, unless an option names one."""
    from prme.testing.recorded_memory import fail_for_unanswered
    from prme.testing.recording import RecordingExtractor

    named = request.config.option.prme_extractor
    if named is not None:
        yield _resolved(named)
        return
    asked = request.config.option.prme_record
    file = request.path.parent / RECORDINGS / f"{request.path.stem}.jsonl"
    try:
        extractor = RecordingExtractor(file, ask=None if asked is None else _resolved(asked))
    except ValueError as error:
        _fail(str(error))
    yield extractor
    fail_for_unanswered(extractor, asked, _fail)


@pytest.fixture
def memory(
    request: pytest.FixtureRequest, memory_extractor: Extractor, memory_clock: MemoryClock
) -> Iterator[MemoryClient]:
    """An empty `MemoryClient` that lives as long as the test, with the clock and the extractor of the fixtures.

    Its answers come from `recordings/<test module>.jsonl` beside the test. A message without one fails the test.
    """
    from prme import MemoryClient
    from prme.testing.recorded_memory import RecordedMemory, fail_for_unanswered
    from prme.testing.recording import RecordingExtractor

    if isinstance(memory_extractor, RecordingExtractor):
        check = partial(fail_for_unanswered, memory_extractor, request.config.option.prme_record, _fail)
        client: MemoryClient = RecordedMemory(memory_extractor, memory_clock, check)
    else:
        client = MemoryClient(":memory:", extractor=memory_extractor, clock=memory_clock)
    with client:
        yield client


@pytest.fixture
def snapshot_memory(request: pytest.FixtureRequest) -> SnapshotAssertion:
    """Syrupy's `snapshot` as one readable text: `assert memory_outcome(memory, user_id="sam") == snapshot_memory`."""
    if not request.config.pluginmanager.hasplugin("syrupy"):
        _fail("snapshot_memory needs syrupy: install the extra prme[testing]")
    from prme.testing.snapshots import MemorySnapshotExtension

    snapshot: SnapshotAssertion = request.getfixturevalue("snapshot")
    return snapshot.use_extension(MemorySnapshotExtension)


def _resolved(name: str) -> Extractor:
    from prme.errors import UnknownExtractorError
    from prme.extraction.registry import resolve_extractor

    try:
        return resolve_extractor(name)
    except UnknownExtractorError as error:
        _fail(str(error))


def _fail(why: str) -> NoReturn:
    # The traceback would show the plugin; the text says what to do.
    pytest.fail(why, pytrace=False)
