"""Where records are read from: directories, files of lines, gzipped or not, files of one record, standard input."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

STANDARD_INPUT = "-"
# A message has at most 100,000 characters; a plan repeats parts of it for each claim. What is longer is no record.
MOST_RECORD_BYTES = 256 * 1024 * 1024
_PIECE = 1024 * 1024
_GZIP = b"\x1f\x8b"
_READ = (".json", ".jsonl", ".gz")
# Some editors and shells write it before the first line; no record has it.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Advance = Callable[[int], None]


# There is one of each for every record: named tuples are made several times faster than frozen dataclasses.
class Place(NamedTuple):
    """Where a record stands: the file as it was named, and its line from 1, None where it has the file to itself."""

    file: str
    line: int | None

    def __str__(self) -> str:
        """Return the place in words."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"


class Piece(NamedTuple):
    """The bytes at a place, or, with `fault`, why there are none. `of` says what they are, ahead of any complaint."""

    place: Place
    data: bytes = b""
    fault: str | None = None
    of: str = ""


def read_sources(sources: Iterable[str | Path], advance: Advance = lambda _: None) -> Iterator[Piece]:
    """Yield what stands in some sources, in their order, holding one record at a time; empty lines are left out.

    A file has one record a line. A directory stands for the files in it whose names end in .jsonl or .gz, and in .json,
    each of which is one record. White space around a record, as
    another system ends its lines, is no part of it. Nothing is raised for a source that cannot be read: that is a piece
    with a fault. `advance` is told the bytes of each file as they are read.
    """
    for source in sources:
        if str(source) == STANDARD_INPUT:
            yield from _read_stream("standard input", _buffered(sys.stdin.buffer), lambda: 0, advance)
        elif (path := Path(source)).is_dir():
            files = sorted(record_files(path))
            if not files:
                yield Piece(Place(str(source), None), fault="the directory holds no file of records")
            for file in files:
                yield from _read_file(file, advance, is_one=file.suffix == ".json")
        else:
            yield from _read_file(path, advance, is_one=False)


def record_files(directory: Path) -> Iterator[Path]:
    """Yield the files of a directory that are read, at any depth and in no order."""
    return (found for found in directory.rglob("*") if found.suffix in _READ and found.is_file())


def source_bytes(sources: Iterable[str | Path]) -> int | None:
    """Return how many bytes the files of some sources have, None when standard input is among them."""
    total = 0
    for source in sources:
        if str(source) == STANDARD_INPUT:
            return None
        path = Path(source)
        files = record_files(path) if path.is_dir() else [path]
        total += sum(file.stat().st_size for file in files if file.is_file())
    return total or None


def _read_file(path: Path, advance: Advance, *, is_one: bool) -> Iterator[Piece]:
    try:
        with path.open("rb") as stream:
            if is_one:
                data = stream.read(MOST_RECORD_BYTES + 1)
                advance(len(data))
                yield _piece(Place(str(path), None), data)
            else:
                yield from _read_stream(str(path), stream, stream.tell, advance)
    except OSError as error:
        yield Piece(Place(str(path), None), fault=f"the file cannot be read: {error.strerror or error}")


def _read_stream(name: str, stream: io.BufferedReader, tell: Callable[[], int], advance: Advance) -> Iterator[Piece]:
    is_packed = stream.peek(2)[:2] == _GZIP
    lines: io.BufferedIOBase = gzip.GzipFile(fileobj=stream, mode="rb") if is_packed else stream
    number = seen = 0
    while True:
        number += 1
        place = Place(name, number)
        try:
            data = _next_line(lines)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            why = "ends too early" if isinstance(error, EOFError) else "is damaged"
            yield Piece(place, fault=f"the gzip data {why}: what came before was read, the rest is lost")
            return
        now = tell()
        advance(now - seen)
        seen = now
        if data == b"":
            return
        if data is None or not data.isspace():
            yield _piece(place, data)


def _next_line(stream: io.BufferedIOBase) -> bytes | None:
    """Return the next line, empty at the end; None for one that is too long, which is passed over."""
    data = stream.readline(MOST_RECORD_BYTES + 1)
    if len(data) <= MOST_RECORD_BYTES:
        return data
    while data and not data.endswith(b"\n"):
        data = stream.readline(_PIECE)
    return None


def _piece(place: Place, data: bytes | None) -> Piece:
    if data is None or len(data) > MOST_RECORD_BYTES:
        return Piece(place, fault=f"longer than {MOST_RECORD_BYTES:,} bytes, which no record is")
    return Piece(place, data.removeprefix(_BYTE_ORDER_MARK).strip())


def _buffered(stream: object) -> io.BufferedReader:
    """Return a stream that can be looked ahead in; a replaced standard input may be another kind."""
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(stream)  # type: ignore[arg-type]
