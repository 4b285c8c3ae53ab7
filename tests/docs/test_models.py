"""The page about models names every reason code, every limit and the defaults as the program has them."""

from __future__ import annotations

import tomllib
from importlib import resources

from prme.extraction import failures
from prme.extraction.limits import ExtractionLimits
from prme.service.memory import CONTEXT_MESSAGES
from prme_extractors.llm import extractor, http_failures
from tests.docs.pages import ROOT, codes, plain, tables_of

PAGE = ROOT / "docs" / "models.md"


def rows(column: str) -> list[list[str]]:
    (table,) = [table for table in tables_of(PAGE) if table.columns[0] == column]
    return [[*codes(row[0])[:1], *map(plain, row[1:])] for row in table.rows]


def test_every_reason_code_is_listed_once():
    constants = [
        value
        for module in (failures, http_failures)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and not name.startswith("_")
    ]
    expected = {*constants, *extractor._ENDED.values(), "answer_truncated", "no_prompt_for_policy"}

    assert sorted(expected) == sorted(row[0] for row in rows("Reason code"))


def test_every_limit_is_listed_with_its_default():
    expected = {
        name: "none" if field.default is None else f"{field.default:g}"
        for name, field in ExtractionLimits.model_fields.items()
    }

    assert expected == {row[0]: row[1] for row in rows("Field")}


def test_the_defaults_of_the_providers_are_given():
    defaults = tomllib.loads((resources.files(extractor.__package__) / "models.toml").read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    own, theirs = defaults["compatible"], defaults["anthropic"]

    assert theirs["max_output_tokens"] == defaults["openai"]["max_output_tokens"]
    for said in (
        f"`{theirs['model']}` | `{defaults['openai']['model']}`",
        f"{theirs['max_output_tokens']:,} tokens, or {own['max_output_tokens']:,} from",
        f"{theirs['call_seconds']} seconds ({own['call_seconds']} from",
        f"up to {CONTEXT_MESSAGES} earlier messages",
    ):
        assert said in text
