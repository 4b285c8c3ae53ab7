"""What extractors cost, read beside whoever has the store open."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from prme.errors import StoreError
from prme.model.extractor_run import ExtractorStats
from prme.store.opening import DATABASE_FILE
from prme.store.run_log import RUN_LOG_FILE, RunLog


def read_extractor_stats(directory: str | Path) -> list[ExtractorStats]:
    """Return what the run log of a store says, without opening the store.

    Raises `StoreError` when there is no store in the directory.
    """
    if not Path(directory, DATABASE_FILE).is_file():
        raise StoreError(f"there is no store in {str(directory)!r}: name one with --store DIR")
    with closing(RunLog(Path(directory, RUN_LOG_FILE))) as log:
        return log.stats()
