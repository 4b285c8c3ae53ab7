"""Small worlds in which claims come near to being retired, and near misses as an explanation tells them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from prme.clock import MICROSECOND
from prme.correction.fold import family_interval
from prme.correction.near_miss import near_misses
from prme.correction.subject import SubjectState, family_key, fold_subject
from prme.explanation.near_miss_words import explained_near_miss
from prme.explanation.nearness import Nearness, World, judge_near_misses, plainly
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.explanation import ExplainedNearMiss, ExplainedRule, Retirement
from prme.model.message import SourceType
from prme.model.node import Node, NodeType
from prme.text_folding import fold_text
from tests.correction.claims import V13, V14, claim, decisions

T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]

PROMISE = re.compile("would have (been )?retired")
OBJECTS = ("pump", "pump", "insulin pump", "patch pump", "patch")


def make_world(pick: Pick, policies: Sequence[str] = (V14, V14, V13)) -> tuple[Claim, ...]:
    """Return two to six claims of one subject that differ in little."""
    return tuple(_claim(pick, number, policies) for number in range(pick(range(2, 7))))


def _claim(pick: Pick, number: int, policies: Sequence[str]) -> Claim:
    corrects = pick((False, True)) if number else False
    polarity = pick(("negative", "positive")) if corrects else pick((*("positive",) * 6, "negative", "unknown"))
    return claim(
        f"c{number}",
        pick(OBJECTS),
        day=pick((number, number, number, 0, 1, 2)),
        received=pick((number, number, number, 0)),
        position=number,
        replaces=pick(OBJECTS) if corrects and polarity == "positive" else None,
        policy=pick(policies),
        predicate=pick((*("uses",) * 8, "owns", "switched_to")),
        polarity=polarity,
        temporal_intent="update" if corrects else None,
        kind=pick((*("fact",) * 8, "preference")),
        source_type=pick((*(SourceType.USER_STATED,) * 8, SourceType.TOOL_OUTPUT)),
        epistemic_type=pick((*("asserted",) * 8, "inferred")),
        condition=pick((*(None,) * 8, "if it snows")),
    )


@dataclass(frozen=True)
class Miss:
    """A near miss in its world: how it was judged, and how it is told."""

    claims: tuple[Claim, ...]
    decided: tuple[ExplicitDecision, ...]
    correction: Claim
    decision: RuleDecision
    nearness: Nearness
    told: ExplainedNearMiss

    @property
    def says(self) -> str:
        return self.told.says

    @property
    def promises(self) -> bool:
        return PROMISE.search(self.says) is not None

    def retired_in(self, claims: Sequence[Claim]) -> bool:
        """Whether the correction retires the near miss when all of these claims are folded from nothing."""
        decision = decisions(fold_subject(claims, self.decided))[self.correction.id]
        return self.nearness.earlier.id in {target.claim_id for target in decision.targets}

    def with_correction(self, **fields: Any) -> tuple[Claim, ...]:
        return self._with(replace(self.correction, **fields))

    def with_earlier(self, **fields: Any) -> tuple[Claim, ...]:
        return self._with(replace(self.nearness.earlier, **fields))

    def plainly_stated(self) -> tuple[Claim, ...]:
        return self._with(plainly(self.nearness.earlier))

    def naming(self, said: str) -> tuple[Claim, ...]:
        place = "object_key" if self.correction.replaces_key is None else "replaces_key"
        return self.with_correction(**{place: fold_text(said)})

    def without(self, claim_id: str) -> tuple[Claim, ...]:
        assert claim_id in {each.id for each in self.claims}
        return tuple(each for each in self.claims if each.id != claim_id)

    def _with(self, changed: Claim) -> tuple[Claim, ...]:
        return tuple(changed if each.id == changed.id else each for each in self.claims)


def kept(miss: Miss) -> tuple[Claim, ...]:
    """Return the world with the one thing changed that the sentence of a near miss names; read from its words alone."""
    says, earlier = miss.says, miss.nearness.earlier
    if found := re.search("said with the predicate (.+) in place of", says):
        return miss.with_correction(predicate=found[1])
    if found := re.search('naming "([^"]+)" would', says):
        return miss.naming(found[1])
    if found := re.search("as a (.+), the correction would", says):
        return miss.with_correction(kind=found[1])
    if found := re.search(r"claim (\w+)\); without that it would", says):
        return miss.without(found[1])
    if "another new value would" in says:
        return miss.with_correction(object_key="something else")
    if "from the same source" in says:
        return miss.with_correction(source_type=earlier.source_type)
    if "taking effect just after it" in says:
        return miss.with_correction(effective_at=earlier.effective_at + MICROSECOND)
    assert "open and plainly stated it would have been retired" in says
    return miss.plainly_stated()


def passed(miss: Miss) -> Iterator[tuple[Claim, ...]]:
    """Yield the worlds in which the test that a near miss failed is passed by other words of the correction."""
    earlier = miss.nearness.earlier
    match miss.nearness.near_miss.test:
        case "predicate":
            yield miss.with_correction(predicate=earlier.predicate)
        case "object":
            yield miss.naming(earlier.object_key)
            yield miss.with_correction(object_key="something else")
        case "source_type":
            yield miss.with_correction(source_type=earlier.source_type)
        case "kind":
            yield miss.with_correction(kind=earlier.kind)
        case "time":
            yield miss.with_correction(effective_at=earlier.effective_at + MICROSECOND)
        case "state" if miss.nearness.closer is not None:
            yield miss.without(miss.nearness.closer)
        case "state":
            yield miss.plainly_stated()


def misses(claims: Sequence[Claim], decided: tuple[ExplicitDecision, ...] = ()) -> list[Miss]:
    """Return all near misses of a world of one subject, as they are told."""
    subject = fold_subject(claims, decided)
    world = World({each.id: each for each in claims}, decided)
    told = decisions(subject)
    found: list[Miss] = []
    for correction in claims:
        decision = told[correction.id]
        if decision.reason not in {"no_match", "ambiguous"}:
            continue
        decision = decision.model_copy(update={"near_misses": near_misses(subject, correction)})
        for nearness in judge_near_misses(world, correction, decision):
            sentence = explained_near_miss(
                nearness,
                correction,
                decision,
                earlier=node(subject, nearness.earlier),
                node=node(subject, correction),
                closed_by=_closing(subject, told, nearness.earlier, claims),
            )
            found.append(Miss(tuple(claims), decided, correction, decision, nearness, sentence))
    return found


def node(subject: SubjectState, each: Claim) -> Node:
    """Return a claim as it is read; its object is the folded one."""
    interval = family_interval(subject.families[family_key(each)], each.id)
    return Node(
        id=each.id,
        node_type=NodeType.of_kind(each.kind),
        user_id="sam",
        scope=each.scope,
        content=f"The words of {each.id}.",
        source_type=each.source_type,
        status=interval.status,
        valid_from=interval.valid_from,
        valid_to=interval.valid_to,
        superseded_by=interval.superseded_by,
        confirms=interval.confirms,
        last_confirmed_at=None,
        event_id=each.event_id,
        subject_id=each.subject_id,
        predicate=each.predicate,
        object=each.object_key,
        polarity=each.polarity,
        epistemic_type=each.epistemic_type,
        condition=each.condition,
    )


def _closing(
    subject: SubjectState, told: dict[str, RuleDecision], earlier: Claim, claims: Sequence[Claim]
) -> Retirement | None:
    """Return what closed a claim, as far as a sentence tells it."""
    closer = node(subject, earlier).superseded_by
    if closer is None:
        return None
    [correction] = [each for each in claims if each.id == closer]
    by_rule = earlier.id in {target.claim_id for target in told[closer].targets}
    rule = ExplainedRule(policy=correction.policy, name=told[closer].rule or "", says="") if by_rule else None
    return Retirement.model_construct(correction=node(subject, correction), rule=rule)
