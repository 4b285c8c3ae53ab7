"""Reads scenario files: JSON Lines, JSON and, with PyYAML, YAML. Every fault names the file and the line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from prme.strict_json import STRICT_DECODER
from prme.testing.scenario import Scenario

Documents = Iterator[tuple[int, Any]]
_BLANK = re.compile(r"[ \t\r\n]*")


class ScenarioFileError(ValueError):
    """A file holds no scenarios; the text names the file and, where there is one, the line."""


@dataclass(frozen=True, slots=True)
class PlacedScenario:
    """A scenario, its file, and the line it begins in."""

    file: str
    line: int
    scenario: Scenario


def read_scenarios(file: Path) -> list[PlacedScenario]:
    """Return the scenarios of a file in order.

    `.jsonl` has one on a line; `.json`, `.yaml` and `.yml` have one, or a list. Raises `ScenarioFileError` when the
    file cannot be read, a scenario is not sound, two have one name, or there is none.
    """
    read = _READERS.get(file.suffix.lower())
    if read is None:
        raise ScenarioFileError(f"{file}: unknown kind of file; scenarios are in {', '.join(_READERS)}")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioFileError(f"{file}: not UTF-8") from None
    except OSError as error:
        raise ScenarioFileError(f"{file}: {error.strerror or type(error).__name__}") from None
    try:
        found = [_placed(file, line, document) for line, document in read(text)]
    except _Fault as fault:
        raise ScenarioFileError(f"{file} line {fault.line}: {fault.says}") from None
    if not found:
        raise ScenarioFileError(f"{file}: no scenario in it")
    _check_names(found)
    return found


class _Fault(Exception):
    """What is wrong with a file, and in which line."""

    def __init__(self, line: int, says: str) -> None:
        super().__init__(says)
        self.line = line
        self.says = says


def _placed(file: Path, line: int, document: Any) -> PlacedScenario:
    if not isinstance(document, Mapping):
        raise _Fault(line, f"a scenario is a mapping, not {type(document).__name__}")
    try:
        return PlacedScenario(str(file), line, Scenario.model_validate(document))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        says = fault["msg"].removeprefix("Value error, ")
        raise _Fault(line, f"{where}: {says}" if where else says) from None


def _check_names(found: Iterable[PlacedScenario]) -> None:
    lines: dict[str, int] = {}
    for one in found:
        name = one.scenario.name
        if name in lines:
            raise ScenarioFileError(f"{one.file} line {one.line}: the name {name!r} is taken in line {lines[name]}")
        lines[name] = one.line


def _json_lines(text: str) -> Documents:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _only_value(line, _skip_blank(line, 0), number)


def _json(text: str) -> Documents:
    start = _skip_blank(text, 0)
    if start == len(text):
        return
    whole = _only_value(text, start, 1)
    if not isinstance(whole, list):
        yield _line(text, start), whole
        return
    # Once more, item by item: the list alone does not say in which lines its items begin.
    place = start
    for _ in whole:
        place = _skip_blank(text, place + 1)
        item, end = _decoded(text, place, 1)
        yield _line(text, place), item
        place = _skip_blank(text, end)


def _only_value(text: str, start: int, first_line: int) -> Any:
    """Return the JSON value that begins at `start`; `first_line` is the line that the text begins in."""
    value, end = _decoded(text, start, first_line)
    rest = _skip_blank(text, end)
    if rest != len(text):
        raise _Fault(
            first_line + _line(text, rest) - 1, "something follows the JSON document; write a list of scenarios"
        )
    return value


def _decoded(text: str, start: int, first_line: int) -> tuple[Any, int]:
    """Return a JSON value and where it ends."""
    try:
        value, end = STRICT_DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _Fault(first_line + error.lineno - 1, f"not JSON (column {error.colno})") from None
    except RecursionError:
        raise _Fault(first_line, "not JSON that can be read: nested too deeply") from None
    except ValueError as error:
        raise _Fault(first_line, str(error)) from None
    return value, end


def _skip_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return place if found is None else found.end()


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _yaml(text: str) -> Documents:
    try:
        from prme.testing.scenario_yaml import yaml_documents
    except ImportError:
        raise _Fault(1, "YAML needs PyYAML: install the extra prme[testing], or write JSON") from None
    yield from yaml_documents(text, _fault)


def _fault(line: int, says: str) -> Exception:
    return _Fault(line, says)


_READERS: Mapping[str, Callable[[str], Documents]] = {
    ".jsonl": _json_lines,
    ".json": _json,
    ".yaml": _yaml,
    ".yml": _yaml,
}
