"""A snapshot whose test module is gone is compared by nobody, and syrupy does not report it."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
SNAPSHOTS = TESTS.parent / "snapshots"


def orphans(snapshots: Path, tests: Path) -> list[str]:
    files = (path.relative_to(snapshots) for path in snapshots.rglob("*.json"))
    return sorted(str(file) for file in files if not (tests / file.parent).with_suffix(".py").is_file())


def test_every_snapshot_belongs_to_a_test_module():
    assert orphans(SNAPSHOTS, TESTS) == []


def test_a_snapshot_of_a_deleted_module_is_an_orphan(tmp_path: Path):
    snapshots, tests = tmp_path / "snapshots", tmp_path / "tests"
    for folder in (snapshots / "plan" / "test_kept", snapshots / "plan" / "test_gone", tests / "plan"):
        folder.mkdir(parents=True)
    (tests / "plan" / "test_kept.py").touch()
    (snapshots / "plan" / "test_kept" / "one.json").touch()
    (snapshots / "plan" / "test_gone" / "two.json").touch()

    assert orphans(snapshots, tests) == ["plan/test_gone/two.json"]
