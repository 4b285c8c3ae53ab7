"""What every test shares: snapshots as sorted JSON files in snapshots/, and property tests that repeat themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from pydantic_core import to_jsonable_python
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

pytest_plugins = ["pytester"]  # only the outermost conftest may name plugins

TESTS = Path(__file__).parent
SNAPSHOTS = TESTS.parent / "snapshots"

# The suite gives the same verdict every time; `--hypothesis-profile explore` looks for what it has not seen yet.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=2_000, deadline=None)
settings.load_profile("repeatable")


class CanonicalJSONExtension(SingleFileSnapshotExtension):
    """One sorted JSON file per assertion, in snapshots/, mirroring tests/."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    def serialize(self, data: Any, *, exclude: Any = None, include: Any = None, matcher: Any = None) -> str:
        if exclude or include:
            raise TypeError("snapshots hold everything: inject clock and ids instead")
        return json.dumps(to_jsonable_python(data), indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(SNAPSHOTS / Path(test_location.filepath).relative_to(TESTS).with_suffix(""))


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(CanonicalJSONExtension)
