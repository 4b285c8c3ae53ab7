"""The pages of the policies: every example is run, and every list that a page prints is the policy's.

docs/correction-rules.md is the page of the default policy, docs/policies/ has one for each of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import datetime
from typing import get_args

import pytest

from prme import RetiredTarget, RuleDecision
from prme.correction.fold import family_interval
from prme.correction.near_miss import MOST_NEAR_MISSES
from prme.correction.subject import fold_subject, newest_first
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, Match, Reason, Test, Via
from prme.plan.rule_claims import rule_claims
from prme.policy.policy import Policy
from prme.policy.registry import DEFAULT_POLICY, POLICIES
from tests.docs.conversations import Example, Told, day, examples, open_memory, tell
from tests.docs.pages import ROOT, Table, codes, name_of, plain, tables_of

PAGE = ROOT / "docs" / "correction-rules.md"
PAGES = {name: PAGE if name == DEFAULT_POLICY else ROOT / "docs" / "policies" / f"{name}.md" for name in POLICIES}
TABLES = {name: tables_of(page) if page.exists() else [] for name, page in PAGES.items()}
EXAMPLES = [example for name, tables in TABLES.items() for example in examples(tables, name)]
BY_HAND = [example for example in EXAMPLES if example.heading == "Decisions by hand"]
STORED = [example for example in EXAMPLES if example.heading != "Decisions by hand"]
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
_TARGETS = re.compile(r"(?:(\d+) )?retires ([\d, ]+): (\w+), (\w+)")
_NOTHING = re.compile(r"(?:(\d+) )?nothing: (\w+)(?: \(([\d, ]+)\))?")
_NEAR_MISS = re.compile(r"near miss (\d+): (\w+)")
_HOLDS = re.compile(r"(\d+) holds (?:since day (\d+)|day (\d+) to day (\d+))")
_CONFIRMS = re.compile(r"(\d+) confirms (\d+|nothing)")
_RULE = re.compile(r"(?:no rule|rule (\w+))")
_TRIGGER = re.compile(r'by "(.+)"')


class Found:
    """What is so after a conversation: decisions, intervals and confirmations, by the numbers of the row's claims."""

    def __init__(self) -> None:
        self.decisions: dict[int, RuleDecision] = {}
        self.intervals: dict[int, tuple[datetime, datetime | None]] = {}
        self.confirms: dict[int, int | None] = {}
        self.ids: list[str] = []

    def outcome(self, number: int) -> str:
        """Return a decision in the words of the page."""
        decision = self.decisions[number]
        if decision.outcome == "retired":
            targets = [self._target(target) for target in decision.targets]
            numbers = ", ".join(name for name, _ in targets)
            ways = dict.fromkeys(way for _, way in targets)
            return f"retires {numbers}: {'; '.join(ways)}"
        if decision.candidates:
            return f"nothing: {decision.reason} ({', '.join(map(self._number, decision.candidates))})"
        return f"nothing: {decision.reason}"

    def near_misses(self, number: int) -> list[str]:
        misses = self.decisions[number].near_misses
        return [f"near miss {self._number(miss.claim_id)}: {miss.test}" for miss in misses]

    def _target(self, target: RetiredTarget) -> tuple[str, str]:
        return self._number(target.claim_id), f"{target.match}, {target.via}"

    def _number(self, claim_id: str) -> str:
        return str(self.ids.index(claim_id) + 1)


def found_in_store(told: Told) -> Found:
    found = Found()
    found.ids = told.claim_ids
    for number, claim_id in enumerate(told.claim_ids, start=1):
        (claim,) = told.memory.explain(claim_id).claims
        assert claim.decision is not None
        found.decisions[number] = claim.decision
        found.intervals[number] = (claim.node.valid_from, claim.node.valid_to)
        found.confirms[number] = None if claim.node.confirms is None else told.number(claim.node.confirms)
    return found


def found_by_hand(told: Told, example: Example) -> Found:
    """Fold the plans of a conversation together with the decisions of its row."""
    found = Found()
    found.ids = told.claim_ids
    claims = {claim.id: claim for plan in told.plans for claim in rule_claims(plan)}
    subject = fold_subject(claims.values(), list(decisions_by_hand(told, example, claims)))
    for family, entry in newest_first(subject):
        number = told.number(entry.claim.id)
        interval = family_interval(family, entry.claim.id)
        found.decisions[number] = entry.decision
        found.intervals[number] = (interval.valid_from, interval.valid_to)
        found.confirms[number] = None if interval.confirms is None else told.number(interval.confirms)
    return found


def decisions_by_hand(told: Told, example: Example, claims: dict[str, Claim]) -> Iterator[ExplicitDecision]:
    mark = max(plan.event.received_at for plan in told.plans[: len(example.before)])
    for number, call in enumerate(filter(None, example.decided), start=1):
        name, first, second = re.fullmatch(r"(\w+) (\d+)(?: by|,| over) (\d+)", call).groups()  # type: ignore[union-attr]
        old, new = (claims[told.claim_ids[int(n) - 1]] for n in (first, second))
        if name == "contradict":
            yield ExplicitDecision(number, "contradict", old.id, new.id, None, mark)
        elif name == "supersede":
            at = max(old.effective_at, new.effective_at)
            yield ExplicitDecision(number, "supersede", old.id, new.id, at, mark)
        else:
            winner, loser, at = old, new, max(old.effective_at, new.effective_at)
            yield ExplicitDecision(number, "resolve", loser.id, winner.id, at, mark)


def check(example: Example, found: Found) -> None:
    last = len(found.ids)
    judged: set[int] = set()
    for statement in example.outcome:
        if decided := _TARGETS.fullmatch(statement) or _NOTHING.fullmatch(statement):
            number = int(decided[1] or last)
            judged.add(number)
            assert re.sub(r"^\d+ (?=retires|nothing)", "", statement) == found.outcome(number)
        elif holds := _HOLDS.fullmatch(statement):
            start, end = (holds[2], None) if holds[2] else (holds[3], day(int(holds[4])))
            assert (day(int(start)), end) == found.intervals[int(holds[1])]
        elif confirms := _CONFIRMS.fullmatch(statement):
            expected = None if confirms[2] == "nothing" else int(confirms[2])
            assert expected == found.confirms[int(confirms[1])]
        elif rule := _RULE.fullmatch(statement):
            assert rule[1] == found.decisions[last].rule
        elif trigger := _TRIGGER.fullmatch(statement):
            assert trigger[1] == found.decisions[last].trigger.quote
        else:
            assert _NEAR_MISS.fullmatch(statement), f"{statement!r} says nothing that can be checked"
    for number in judged:
        assert [s for s in example.outcome if _NEAR_MISS.fullmatch(s)] == found.near_misses(number)


def has_a_time_of_its_own(example: Example) -> bool:
    """Whether no two messages are said at the same time: then the order of receipt decides nothing."""
    days = [said.setting("day") or str(number) for number, said in enumerate(example.messages, start=1)]
    return len(days) == len(set(days))


@pytest.mark.parametrize("example", STORED, ids=str)
def test_an_example_of_a_rule_comes_out_as_printed(example: Example):
    with open_memory(example) as memory:
        check(example, found_in_store(tell(memory, example)))


@pytest.mark.parametrize("example", BY_HAND, ids=str)
def test_an_example_of_a_decision_by_hand_comes_out_as_printed(example: Example):
    with open_memory(example) as memory:
        check(example, found_by_hand(tell(memory, example), example))


@pytest.mark.parametrize("example", [e for e in STORED if has_a_time_of_its_own(e)], ids=str)
def test_the_opposite_order_of_arrival_ends_in_the_same_state(example: Example):
    backwards = list(reversed(range(len(example.messages))))
    with open_memory(example) as memory, open_memory(example) as other:
        tell(memory, example)
        tell(other, example, order=backwards)

        assert memory.verify().state_digest == other.verify().state_digest


@pytest.mark.parametrize("example", [e for e in STORED if not has_a_time_of_its_own(e)], ids=str)
def test_at_one_instant_another_order_of_arrival_ends_in_another_state(example: Example):
    backwards = list(reversed(range(len(example.messages))))
    with open_memory(example) as memory, open_memory(example) as other:
        tell(memory, example)
        tell(other, example, order=backwards)

        assert memory.verify().state_digest != other.verify().state_digest


def test_the_page_shows_both_orders_of_two_messages_of_one_instant():
    pairs = [
        example.messages
        for example in STORED
        if example.heading == "Order of arrival" and not has_a_time_of_its_own(example)
    ]

    assert [list(reversed(pairs[0]))] == [list(messages) for messages in pairs[1:]]


def test_a_missing_message_ends_in_another_state():
    example = STORED[0]
    with open_memory(example) as memory, open_memory(example) as other:
        tell(memory, example)
        other.ingest(**example.messages[0].message(1))

        assert memory.verify().state_digest != other.verify().state_digest


def test_every_reason_match_and_way_has_an_example():
    text = "; ".join(statement for example in EXAMPLES for statement in example.outcome)
    missing = [
        code for kind in (Reason, Match, Via, Test) for code in get_args(kind) if not re.search(rf"\b{code}\b", text)
    ]

    assert [] == missing


@pytest.mark.parametrize(
    ("policy", "heading"), sorted({(example.policy, example.heading) for example in EXAMPLES}), ids=str
)
def test_every_rule_stands_beside_its_control(policy: str, heading: str):
    outcomes = {
        example.outcome[0].removeprefix("1 ").removeprefix("2 ")
        for example in EXAMPLES
        if (example.policy, example.heading) == (policy, heading)
    }

    assert len(outcomes) > 1


def test_an_outcome_that_says_nothing_is_refused():
    wrong = replace(EXAMPLES[0], outcome=("retires the moon",))

    with open_memory(wrong) as memory, pytest.raises(AssertionError, match="says nothing that can be checked"):
        check(wrong, found_in_store(tell(memory, wrong)))


@pytest.mark.parametrize("statement", ["rule named_replacement", "no rule", 'by "insulin pump"'])
def test_another_rule_or_trigger_than_the_real_one_is_noticed(statement: str):
    denial = next(example for example in STORED if "rule denial" in example.outcome)
    wrong = replace(denial, outcome=(statement,))

    with open_memory(wrong) as memory, pytest.raises(AssertionError):
        check(wrong, found_in_store(tell(memory, wrong)))


@pytest.mark.parametrize(
    ("codes_of", "heading"),
    [(Reason, "Reason"), (Match, "Match"), (Via, "Via"), (Test, "Test")],
)
def test_a_list_of_codes_is_complete(codes_of: object, heading: str):
    (table,) = [table for table in TABLES[DEFAULT_POLICY] if table.columns[0] == heading]

    assert list(get_args(codes_of)) == [codes(row[0])[0] for row in table.rows]


def printed(policy: Policy, *columns: str) -> Table | None:
    """Return the table with these columns on the page of a policy; None if the page has none."""
    return next((table for table in TABLES[policy.name] if table.columns == columns), None)


@every_policy
def test_every_policy_has_a_page_with_examples(policy: Policy):
    assert PAGES[policy.name].exists(), f"{policy.name} needs the page {name_of(PAGES[policy.name])}"
    assert [example for example in EXAMPLES if example.policy == policy.name]


@every_policy
def test_a_page_lists_the_rules_of_its_policy(policy: Policy):
    table = printed(policy, "Named rule", "What it says")

    assert table is not None
    assert [(rule.name, rule.says) for rule in policy.rules] == [
        (codes(row[0])[0], plain(row[1])) for row in table.rows
    ]


@every_policy
def test_the_classes_are_those_of_the_policy(policy: Policy):
    table = printed(policy, "Class", "Predicates")
    # A page without the table shares the classes of the default policy, and says so.
    expected = (
        list(POLICIES[DEFAULT_POLICY].predicate_classes)
        if table is None
        else [frozenset(codes(row[1])) for row in table.rows]
    )

    assert expected == list(policy.predicate_classes)


@every_policy
def test_the_transitions_are_those_of_the_policy(policy: Policy):
    table = printed(policy, "Predicate", "Replaces", "Kind")
    rows = () if table is None else table.rows
    transitions = [(codes(row[0])[0], frozenset(codes(row[1])), plain(row[2])) for row in rows]

    assert [(t.predicate, t.replaces, t.kind) for t in policy.transitions] == transitions


@every_policy
def test_the_bounds_are_those_of_the_policy(policy: Policy):
    table = printed(policy, "Bound", "Value")
    rows = () if table is None else table.rows

    assert [(bound.says, str(bound.value)) for bound in policy.objects.bounds] == [
        (plain(row[0]), plain(row[1])) for row in rows
    ]


@every_policy
def test_a_page_lists_the_words_by_which_its_policy_differs(policy: Policy):
    table = printed(policy, "Word list", "Added", "Left out")
    rows = () if table is None else table.rows
    ours, default = word_lists(policy), word_lists(POLICIES[DEFAULT_POLICY])
    differing = {name: (ours[name] - default[name], default[name] - ours[name]) for name in ours}

    assert {name: words for name, words in differing.items() if any(words)} == {
        codes(row[0])[0]: (set(codes(row[1])), set(codes(row[2]))) for row in rows
    }


def word_lists(policy: Policy) -> dict[str, set[str]]:
    lists = {field.name: getattr(policy.words, field.name) for field in fields(policy.words)}
    return {
        name: {word if isinstance(word, str) else ", ".join(word) for word in words} for name, words in lists.items()
    }


def test_the_page_says_how_many_near_misses_are_kept():
    assert f"at most {MOST_NEAR_MISSES}." in PAGE.read_text(encoding="utf-8")


@every_policy
def test_a_page_names_its_policy(policy: Policy):
    assert f"`{policy.name}`" in PAGES[policy.name].read_text(encoding="utf-8")


def test_there_is_no_page_of_a_policy_that_is_not_there():
    pages = {page for page in (ROOT / "docs" / "policies").glob("*.md") if page.name != "README.md"}

    assert pages <= set(PAGES.values())
