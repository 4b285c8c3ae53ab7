"""Reads YAML as JSON with less punctuation: the values of JSON only, and no key twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import yaml

_INT, _FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
_PLAIN = {"": None, "~": None, "null": None, "true": True, "false": False}


def yaml_documents(text: str, fault: Callable[[int, str], Exception]) -> Iterator[tuple[int, Any]]:
    """Yield the items of a YAML stream with the lines they begin in: of each document itself, or of its list.

    Raises what `fault` makes of a line and a text. Words that YAML 1.1 turns into something else, such as `no` and
    dates, stay the text that they are.
    """
    try:
        for node in yaml.compose_all(text, Loader=yaml.SafeLoader):
            items = node.value if isinstance(node, yaml.SequenceNode) else [node]
            for item in items:
                yield item.start_mark.line + 1, _value(item, fault)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise fault(1 if mark is None else mark.line + 1, f"not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError:
        raise fault(1, "not YAML: a character that YAML does not allow") from None
    except RecursionError:
        raise fault(1, "not YAML that can be read: nested too deeply") from None


def _value(node: Any, fault: Callable[[int, str], Exception]) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, fault) for item in node.value]
    if not isinstance(node, yaml.MappingNode):
        return _scalar(node)
    found: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else None
        if name is None or name in found:
            says = "a key is not a text" if name is None else f"the key {name!r} stands twice in one mapping"
            raise fault(key.start_mark.line + 1, says)
        found[name] = _value(value, fault)
    return found


def _scalar(node: Any) -> Any:
    # Resolved as plain scalars are; whoever quotes a word means the text.
    text = str(node.value)
    if node.style is not None:
        return text
    if text in _PLAIN:
        return _PLAIN[text]
    if node.tag in {_INT, _FLOAT}:
        try:
            number = json.loads(text)
        except ValueError:
            return text
        return number if isinstance(number, int | float) else text
    return text
