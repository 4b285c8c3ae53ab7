"""A syrupy extension: one readable text for each snapshot of a memory."""

from __future__ import annotations

from typing import Any

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class MemorySnapshotExtension(SingleFileSnapshotExtension):
    """Keeps what `memory_outcome` returns as one text file, `__snapshots__/<test module>/<test>.txt`."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    def serialize(self, data: Any, *, exclude: Any = None, include: Any = None, matcher: Any = None) -> str:
        """Return the text as it is. Raises `TypeError` for anything else: it would not be readable, nor stable."""
        if not isinstance(data, str):
            raise TypeError(
                f"a memory snapshot is a text, not {type(data).__name__}: compare memory_outcome(memory, ...)"
            )
        return data
