"""What `prme doctor` finds: versions, the files of a store, who holds it, whether its parts fit. It changes nothing."""

from __future__ import annotations

import contextlib
import platform
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

import duckdb

import prme
from prme.cli.phrasing import counted
from prme.errors import StoreError, StoreLockedError
from prme.extraction.registry import extractor_homes
from prme.model.value import Value
from prme.retrieval.index_file import FORMAT, INDEX_FILE
from prme.store.anchor import AnchorMark
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE, STORE_FORMAT
from prme.store.read_only import AnchorToRead, reading_only
from prme.store.run_log import RUN_LOG_FILE
from prme.store.summary import StoreSummary, summary

FILES = (DATABASE_FILE, f"{DATABASE_FILE}.wal", ANCHOR_FILE, INDEX_FILE, f"{INDEX_FILE}-wal", RUN_LOG_FILE)
_HOLDER = re.compile(r"\(PID (\d+)\)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


class Contents(Value):
    """What an open store holds, and the state of its anchor and of its text index, in words."""

    format: str
    owners: int
    messages: int
    claims: int
    commits: int
    pending: int
    failed: int
    anchor: str
    index: str


class Diagnosis(Value):
    """Everything that the doctor found.

    `bytes` has the size of each file of the store. `holder` is the process that has the store open, where the system
    tells. `contents` is None for a store that could not be opened. `extras` says which are complete. Every entry of
    `problems` is something that is wrong and what to do; `remarks` are no fault.
    """

    ok: bool
    versions: dict[str, str]
    store: str
    bytes: dict[str, int]
    is_locked: bool
    holder: int | None
    contents: Contents | None
    extractors: dict[str, str]
    extras: dict[str, bool]
    problems: list[str]
    remarks: list[str]


def diagnose(store: str) -> Diagnosis:
    """Look at a store and at what prme runs on. Nothing is written, and no work is resumed."""
    directory = Path(store)
    problems: list[str] = []
    contents, locked, holder = None, False, None
    try:
        contents = _contents(directory)
    except StoreLockedError as error:
        locked, holder = True, _holder(error)
        problems.append(_held_by(holder))
    except StoreError as error:
        problems.append(str(error))
    if not _has_text_search():
        problems.append("the SQLite of this Python lacks FTS5, so retrieve cannot search: use another build of Python")
    return Diagnosis(
        ok=not problems,
        versions=_versions(),
        store=str(directory.absolute()),
        bytes=dict(_sizes(directory)),
        is_locked=locked,
        holder=holder,
        contents=contents,
        extractors=dict(extractor_homes()),
        extras=_extras(metadata.requires("prme") or ()),
        problems=problems,
        remarks=[] if contents is None else list(_remarks(contents)),
    )


def _versions() -> dict[str, str]:
    return {
        "prme": prme.__version__,
        "python": platform.python_version(),
        "duckdb": duckdb.__version__,
        "sqlite": sqlite3.sqlite_version,
        "platform": f"{sys.platform} {platform.machine()}",
    }


def _contents(directory: Path) -> Contents:
    with reading_only(directory) as reader:
        held = summary(reader)
        anchor = _anchor(directory / ANCHOR_FILE, held)
    return Contents(
        format=STORE_FORMAT,  # reading_only takes no other
        owners=held.owners,
        messages=held.messages,
        claims=held.claims,
        commits=held.commits,
        pending=held.pending,
        failed=held.failed,
        anchor=anchor,
        index=_index(directory / INDEX_FILE, held.heads),
    )


def _anchor(file: Path, held: StoreSummary) -> str:
    """Return the state of an anchor that the store has passed: it is never ahead of the store."""
    mark, was_rewritten = _read_anchor(file)
    if mark is None:
        return "missing: it is written when the store is opened" if held.commits else "not needed yet"
    knows = f"knows commit {mark.commit_no:,}, the newest"
    if mark.commit_no < held.commits:
        knows = f"knows commit {mark.commit_no:,} of {held.commits:,}, as after a crash"
    return f"{knows}; it was missing once" if was_rewritten else knows


def _read_anchor(file: Path) -> tuple[AnchorMark | None, bool]:
    if not file.exists():
        return None, False
    with contextlib.closing(AnchorToRead(file)) as anchor:
        return anchor.read(), anchor.was_rewritten


def _index(file: Path, heads: Mapping[int, int]) -> str:
    if not file.is_file():
        return "missing: it is made with the first search"
    try:
        # Nobody has the store open, so nobody writes to it; immutable, or SQLite would make files beside it.
        uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            found = connection.execute("select name from format").fetchall()
            reached: dict[int, int] = dict(connection.execute("select owner_key, seq from owners").fetchall())
    except sqlite3.Error:
        return "cannot be read: it is made again with the next search"
    if found != [(FORMAT,)]:
        return "of another release: it is made again with the next search"
    current = sum(reached.get(owner_key) == seq for owner_key, seq in heads.items())
    says = f"up to date for {current:,} of {len(heads):,} owners"
    return says if current == len(heads) else f"{says}; the others follow with their next search"


def _holder(error: StoreLockedError) -> int | None:
    """Return the process that DuckDB names as the holder of its file, if it names one."""
    named = _HOLDER.search(str(error.__context__))
    return None if named is None else int(named[1])


def _held_by(holder: int | None) -> str:
    who = "another process" if holder is None else f"process {holder}"
    return f"{who} has the store open, and one process at a time may: end it, or use the store through it"


def _remarks(contents: Contents) -> Iterator[str]:
    if contents.pending:
        yield f"{counted(contents.pending, 'extraction')} pending: a program that opens the store to write goes on"
    if contents.failed:
        yield f"{counted(contents.failed, 'extraction')} failed: retry, or prme ingest of the same file, tries again"


def _sizes(directory: Path) -> Iterator[tuple[str, int]]:
    for name in FILES:
        with contextlib.suppress(OSError):
            yield name, (directory / name).stat().st_size


def _has_text_search() -> bool:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("create virtual table words using fts5 (word)")
        except sqlite3.Error:
            return False
    return True


def _extras(requirements: Sequence[str]) -> dict[str, bool]:
    """Return which extras of the distribution have all their packages, from what it says that it needs."""
    complete: dict[str, bool] = {}
    for requirement in requirements:
        name, extra = _NAME.match(requirement), _EXTRA.search(requirement)
        if name is not None and extra is not None:
            complete[extra[1]] = complete.get(extra[1], True) and _is_installed(name[0])
    return dict(sorted(complete.items()))


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True
