"""The page at `/docs`: the schema as plain HTML, without scripts and without anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, Template

PAGE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
_METHODS = ("get", "post")


@cache
def _template() -> Template:
    text = files("prme.http").joinpath("page.html.jinja").read_text(encoding="utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def reference_page(schema: Mapping[str, Any], *, root: str = "") -> str:
    """Return the page of an OpenAPI document; `root` is the path under which the application is mounted."""
    return _template().render(
        info=schema["info"], operations=list(_operations(schema)), models=list(_models(schema)), root=root
    )


def _operations(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method not in methods:
                continue
            operation = methods[method]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            yield {
                "method": method.upper(),
                "path": path,
                "id": operation["operationId"],
                "says": operation.get("description", ""),
                "parameters": [
                    {
                        "name": parameter["name"],
                        "where": parameter["in"],
                        "type": type_of(parameter["schema"]),
                        "required": parameter.get("required", False),
                    }
                    for parameter in operation.get("parameters", ())
                ],
                "body": _model_name(body),
                "answers": [
                    {"status": status, "says": answer["description"], **_answer_type(answer)}
                    for status, answer in sorted(operation["responses"].items())
                ],
            }


def _models(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name, model in sorted(schema["components"]["schemas"].items()):
        required = model.get("required", ())
        yield {
            "name": name,
            "says": model.get("description", ""),
            "values": model.get("enum", ()),
            "fields": [
                {
                    "name": field,
                    "type": type_of(content),
                    "required": field in required,
                    "default": json.dumps(content["default"]) if "default" in content else "",
                }
                for field, content in model.get("properties", {}).items()
            ],
        }


def _answer_type(answer: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the type of an answer in words, and the model that it is or lists, if it is one."""
    content: Mapping[str, Any] = next(iter(answer.get("content", {}).values()), {})
    schema = content.get("schema", {})
    return {"type": type_of(schema), "model": _model_name(schema) or _model_name(schema.get("items", {}))}


def _model_name(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def type_of(schema: Mapping[str, Any]) -> str:
    """Return a type in a few words, such as `list of Node or null`."""
    if "$ref" in schema:
        return _model_name(schema)
    if "anyOf" in schema:
        return " or ".join(type_of(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    kind = str(schema.get("type", "any value"))
    if kind == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    bounds = [f"{word} {schema[key]:,}" for key, word in _BOUNDS.items() if key in schema]
    return ", ".join([str(schema.get("format", kind)), *bounds])


_BOUNDS = {"minimum": "from", "maximum": "to", "maxLength": "at most"}
