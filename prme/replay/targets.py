"""Where an export is written: a file of lines, gzipped or not, or a directory with a file for each event.

It is written beside its place and put there when it is complete; nothing that is there already is ever replaced.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from uuid import uuid5

from prme.canonical import canonical_document
from prme.errors import StoreError
from prme.ids import NAMESPACE

MANIFEST_FILE = "manifest.json"
_COMPRESSION = 6
_ONLY_READ = "ends in .json, which would hold one record: name a .jsonl or .jsonl.gz file, or a directory"


class Target(Protocol):
    """Takes the records of an export in their order."""

    def write_event(self, user_id: str, number: int, event_id: str, data: bytes) -> None:
        """Take the record of an owner's event, the `number`-th of that owner."""

    def write_decision(self, user_id: str, number: int, data: bytes) -> None:
        """Take the record of an owner's decision."""

    def write_manifest(self, data: bytes) -> None:
        """Take the manifest, which comes last."""


@contextlib.contextmanager
def open_target(path: Path) -> Iterator[Target]:
    """Give a target that appears at its path, whole, when the block ends without an error.

    A name that ends in `.jsonl` or `.gz` is a file, any other one a directory. Raises `StoreError` when there is
    something already, or when it cannot be written.
    """
    if os.path.lexists(path):
        raise _taken(path)
    if path.suffix == ".json":
        raise StoreError(f"the name {path.name!r} {_ONLY_READ}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".jsonl", ".gz"):
            with _file_target(path) as target:
                yield target
        else:
            with _directory_target(path) as target:
                yield target
    except OSError as error:
        raise StoreError(f"the export cannot be written: {error.strerror or type(error).__name__}") from None


def owner_folder(user_id: str) -> str:
    """Return the name of an owner's folder: an id derived from the user id, for that may hold any character."""
    return str(uuid5(NAMESPACE, canonical_document(["export", user_id]).decode("utf-8")))


class _Lines:
    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream

    def write_event(self, user_id: str, number: int, event_id: str, data: bytes) -> None:
        self._write(data)

    def write_decision(self, user_id: str, number: int, data: bytes) -> None:
        self._write(data)

    def write_manifest(self, data: bytes) -> None:
        self._write(data)

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self._stream.write(b"\n")


class _Files:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def write_event(self, user_id: str, number: int, event_id: str, data: bytes) -> None:
        self._write(self._folder(user_id) / f"{number:08}-{event_id}.json", data)

    def write_decision(self, user_id: str, number: int, data: bytes) -> None:
        self._write(self._folder(user_id) / f"decision-{number:08}.json", data)

    def write_manifest(self, data: bytes) -> None:
        self._write(self._directory / MANIFEST_FILE, data)

    def _folder(self, user_id: str) -> Path:
        return self._directory / "owners" / owner_folder(user_id)

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@contextlib.contextmanager
def _file_target(path: Path) -> Iterator[Target]:
    descriptor, name = tempfile.mkstemp(prefix=".export-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            if path.suffix == ".gz":
                # No name and no time: the same records are the same bytes.
                with gzip.GzipFile("", "wb", _COMPRESSION, stream, 0) as packed:
                    yield _Lines(packed)
            else:
                yield _Lines(stream)
            stream.flush()
            os.fsync(stream.fileno())
        _put(Path(name), path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _put(made: Path, path: Path) -> None:
    """Let a complete file appear at its path; a link never replaces what another process put there meanwhile."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise _taken(path) from None
        os.rename(made, path)


@contextlib.contextmanager
def _directory_target(path: Path) -> Iterator[Target]:
    made = Path(tempfile.mkdtemp(prefix=".export-", dir=path.parent))
    try:
        yield _Files(made)
        os.rename(made, path)  # refused when there is a file, or a directory that is not empty
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _taken(path: Path) -> StoreError:
    return StoreError(f"{path.name!r} is there already, and an export replaces nothing: name another target")
