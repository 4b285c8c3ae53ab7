"""Scenarios for tests, with extractions of their own, so that no extractor decides what is tested."""

from __future__ import annotations

from typing import Any

from prme.extraction.protocol import Extractor
from prme.testing.scenario import Scenario
from prme.testing.scenario_verdict import Judgement, judge

Fields = dict[str, Any]


def states(obj: str, **fields: Any) -> Fields:
    return {"subject": "I", "predicate": "rides", "object": obj, "polarity": "positive", **fields}


def denies(obj: str, **fields: Any) -> Fields:
    return states(obj, **{"polarity": "negative", "temporal_intent": "update", **fields})


def said(content: str, *claims: Fields, **fields: Any) -> Fields:
    return {"content": content, "extraction": {"claims": list(claims)}, **fields}


ROAD = said("I ride a road bike.", states("road bike"))
TANDEM = said("I ride a tandem.", states("tandem"))
GONE = said("I don't ride the road bike anymore.", denies("road bike"))
ASKED = said("Don't I ride the road bike anymore?", denies("road bike"))
SILENT = said("Hello.")


def scenario(*messages: Fields | str, **fields: Any) -> Scenario:
    return Scenario.model_validate(
        {"name": "bikes", "first_person_owner": True, "messages": list(messages), "expect": {}, **fields}
    )


def judged(*messages: Fields | str, **fields: Any) -> Judgement:
    return judge(scenario(*messages, **fields), no_extractor)


def no_extractor() -> Extractor:
    raise AssertionError("every message has its extraction")


def findings(judgement: Judgement) -> list[tuple[str, str | None, str | None]]:
    return [(one.what, one.expected, one.found) for one in judgement.findings]
