"""Links between the pages lead somewhere, and every page can be found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchors_of, links_of, name_of

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
INDEX = ROOT / "docs" / "index.md"


def is_elsewhere(target: str) -> bool:
    return re.match(r"[a-z]+:", target) is not None


def is_dead(page: Path, target: str) -> bool:
    path, _, fragment = target.partition("#")
    place = (page.parent / path).resolve() if path else page
    return not place.exists() or (bool(fragment) and fragment not in anchors_of(place))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path):
    assert [] == [target for target in links_of(page) if not is_elsewhere(target) and is_dead(page, target)]


@pytest.mark.parametrize("target", ["nowhere.md", "cli.md#nowhere", "#nowhere"])
def test_a_dead_link_is_noticed(target: str):
    assert is_dead(INDEX, target)


@pytest.mark.parametrize("target", ["cli.md", "cli.md#prme-why", "#decisions", "../README.md"])
def test_a_good_link_is_not_reported(target: str):
    assert not is_dead(INDEX, target)


def test_the_index_leads_to_every_page():
    linked = {(INDEX.parent / target.partition("#")[0]).resolve() for target in links_of(INDEX)}

    assert [] == [name_of(page) for page in PAGES if page not in linked | {INDEX, ROOT / "plans" / "README.md"}]


def test_decisions_are_numbered_without_gaps():
    assert list(range(1, len(DECISIONS) + 1)) == [int(decision.name[:4]) for decision in DECISIONS]


@pytest.mark.parametrize("decision", DECISIONS, ids=name_of)
def test_a_decision_begins_with_its_number(decision: Path):
    first = decision.read_text(encoding="utf-8").partition("\n")[0]

    assert first.startswith(f"# {int(decision.name[:4])}. ")


@pytest.mark.parametrize("decision", DECISIONS, ids=name_of)
def test_the_index_gives_a_decision_its_title(decision: Path):
    title = decision.read_text(encoding="utf-8").partition("\n")[0].partition(". ")[2]

    assert f"[{decision.name[:4]}](decisions/{decision.name}) | {title} |" in INDEX.read_text(encoding="utf-8")
