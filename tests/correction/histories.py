"""Random histories: plans, the order in which they arrive, and decisions made by hand in between.

A history is data. `play` runs it against the incremental fold, the full fold and the oracle alike, so the same history
can come from hypothesis, which shrinks it, or from a seeded generator, which is fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from prme.clock import from_microseconds, to_microseconds
from prme.correction.subject import EMPTY_SUBJECT, SubjectState, admit_claims, decide_subject, fold_subject
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.model.interval import Interval
from prme.model.message import SourceType
from tests.correction.claims import V13, V14, claim, decisions, intervals
from tests.oracle import fold_model

T = TypeVar("T")

OBJECTS = {
    "uses": (*("pump",) * 6, *("insulin pump",) * 5, "breast pump", "my old insulin pump", "patch"),
    "works_at": ("Acme", "Acme Labs", "Larkspur"),
}
OBJECTS.update(
    dict.fromkeys(("use", "switched_to"), OBJECTS["uses"]), employed_by=OBJECTS["works_at"], owns=OBJECTS["uses"]
)
PREDICATES = (*("uses",) * 24, "use", "switched_to", "switched_to", "works_at", "employed_by", "owns")
LAST_DAY = 5


class Chooser(Protocol):
    """What a generator needs of a source of choices."""

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options; the first is the simplest."""


@dataclass(frozen=True)
class ByHand:
    """A decision to be made between two of the claims that are open then, chosen by number."""

    kind: str
    old: int
    new: int


@dataclass(frozen=True)
class History:
    """Plans by time of receipt, the order in which they reach the store, and a decision (or none) after each."""

    plans: tuple[tuple[Claim, ...], ...]
    order: tuple[int, ...]
    by_hand: tuple[ByHand | None, ...]


@dataclass(frozen=True)
class Moment:
    """The state after one step of a history: what arrived, what was decided, and the incremental state."""

    claims: tuple[Claim, ...]
    decided: tuple[ExplicitDecision, ...]
    subjects: dict[str, SubjectState]

    @property
    def intervals(self) -> dict[str, Interval]:
        return {name: found for subject in self.subjects.values() for name, found in intervals(subject).items()}

    @property
    def reasons(self) -> dict[str, str]:
        found = {name: each for subject in self.subjects.values() for name, each in decisions(subject).items()}
        return {name: each.reason or each.outcome for name, each in found.items()}


def make_claim(chooser: Chooser, plan: int, position: int, day: int, policies: Sequence[str]) -> Claim:
    """Return a claim: mostly the owner's asserted facts in one family, so that histories collide."""
    pick = chooser.choice
    predicate = pick(PREDICATES)
    obj = pick(OBJECTS[predicate])
    # What is said first is mostly a statement, or there would be little to deny.
    polarity = pick((*("positive",) * (12 if plan < 3 else 6), *("negative",) * 6, "unknown"))
    intent = pick((None, *("update",) * 5) if polarity == "negative" else (None, None, "update"))
    names_another = intent == "update" and pick(
        (True,) * 4 + (False,) if polarity == "positive" else (False,) * 4 + (True,)
    )
    name = f"m{plan}c{position}"
    return claim(
        name,
        obj,
        day=pick((*(day,) * 12, *range(1, LAST_DAY + 1))),
        received=plan,
        replaces=pick([other for other in OBJECTS[predicate] if other != obj]) if names_another else None,
        event_id=f"m{plan}",
        position=position,
        policy=policies[plan % len(policies)],
        predicate=predicate,
        polarity=polarity,
        temporal_intent=intent,
        subject_id=pick(("owner",) * 40 + ("nadia", None)),
        source_type=pick((SourceType.USER_STATED,) * 40 + (SourceType.SYSTEM_INFERRED,)),
        kind=pick(("fact",) * 40 + ("preference",)),
        epistemic_type=pick(("asserted",) * 40 + ("observed", "observed", "inferred", "hypothetical")),
        condition=pick((None,) * 40 + ("if it snows",)),
    )


def make_plan(chooser: Chooser, plan: int, policies: Sequence[str]) -> tuple[Claim, ...]:
    day = chooser.choice((plan, plan, plan, *range(1, LAST_DAY + 1)))
    return tuple(make_claim(chooser, plan, n, day, policies) for n in range(chooser.choice((1, 1, 1, 2))))


def make_history(chooser: Chooser, *, most_plans: int, policies: Sequence[str] = (V14,), decided: bool) -> History:
    pick = chooser.choice
    count = pick(range(2, most_plans + 1))
    left = list(range(count))
    kinds = (*(None,) * 6, "supersede", "supersede", "contradict", "resolve") if decided else (None,)
    hands = [(pick(kinds), pick(range(6)), pick(range(6))) for _ in range(count)]
    return History(
        plans=tuple(make_plan(chooser, plan, policies) for plan in range(count)),
        order=tuple(left.pop(pick(range(len(left)))) for _ in range(count)),
        by_hand=tuple(None if kind is None else ByHand(kind, old, new) for kind, old, new in hands),
    )


class _Drawing:
    """Choices that hypothesis makes and shrinks towards the first option."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choice(self, options: Sequence[T]) -> T:
        return self._draw(st.sampled_from(options))


@st.composite
def histories(draw: st.DrawFn, most_plans: int = 5, decided: bool = True, policies: Sequence[str] = (V14,)) -> History:
    return make_history(_Drawing(draw), most_plans=most_plans, policies=policies, decided=decided)


@st.composite
def claim_sets(draw: st.DrawFn, most_plans: int = 5, policies: Sequence[str] = (V14, V13)) -> tuple[Claim, ...]:
    """Return claims that no decision was made about, of plans under the policies in turn."""
    history = make_history(_Drawing(draw), most_plans=most_plans, policies=policies, decided=False)
    return tuple(each for plan in history.plans for each in plan)


def subject_of(each: Claim) -> str:
    return each.subject_id or each.id


def fold_all(claims: Iterable[Claim], decided: Sequence[ExplicitDecision] = ()) -> dict[str, SubjectState]:
    grouped: dict[str, list[Claim]] = {}
    for each in claims:
        grouped.setdefault(subject_of(each), []).append(each)
    return {subject: fold_subject(members, decided) for subject, members in grouped.items()}


def admit_all(claims: Iterable[Claim], subjects: dict[str, SubjectState] | None = None) -> dict[str, SubjectState]:
    admitted = dict(subjects or {})
    for each in claims:
        admitted[subject_of(each)], _ = admit_claims(admitted.get(subject_of(each), EMPTY_SUBJECT), [each])
    return admitted


def states(subjects: dict[str, SubjectState]) -> tuple[Any, ...]:
    """Return everything a reader can see of the subjects: intervals and decisions."""
    return (
        {subject: intervals(state) for subject, state in subjects.items()},
        {subject: decisions(state) for subject, state in subjects.items()},
    )


def play(history: History) -> Iterator[Moment]:
    """Yield the state after each arrival and after each decision."""
    claims: tuple[Claim, ...] = ()
    decided: tuple[ExplicitDecision, ...] = ()
    subjects: dict[str, SubjectState] = {}
    for plan, hand in zip(history.order, history.by_hand, strict=True):
        claims += history.plans[plan]
        subjects = admit_all(history.plans[plan], subjects)
        yield Moment(claims, decided, subjects)
        decision = None if hand is None else _decide(hand, Moment(claims, decided, subjects))
        if decision is not None:
            decided += (decision,)
            subjects = {key: decide_subject(subject, decision)[0] for key, subject in subjects.items()}
            yield Moment(claims, decided, subjects)


def _decide(hand: ByHand, moment: Moment) -> ExplicitDecision | None:
    """Return the decision as a caller could make it now, or None when there is nothing to decide."""
    by_id = {each.id: each for each in moment.claims}
    number = len(moment.decided) + 1
    mark = max(each.received_at for each in moment.claims)
    pairs = contested_pairs(moment.decided)
    if hand.kind == "resolve":
        if not pairs:
            return None
        old, new = sorted(pairs[0], reverse=bool(hand.new % 2))
        latest = max(by_id[old].effective_at, by_id[new].effective_at)
        return ExplicitDecision(number, "resolve", old, new, latest, mark)
    # The oracle ends a contest by claim, not by pair: pairs that share a claim have tests of their own.
    contested = {name for pair in pairs for name in pair}
    standing = [
        name for name, found in sorted(moment.intervals.items()) if found.status == "current" and name not in contested
    ]
    if len(standing) < 2:
        return None
    old = standing.pop(hand.old % len(standing))
    new = standing[hand.new % len(standing)]
    if hand.kind == "contradict":
        return ExplicitDecision(number, "contradict", old, new, None, mark)
    times = [by_id[old].effective_at, by_id[new].effective_at]
    times += [each.at for each in moment.decided if each.new == old and each.at is not None]
    return ExplicitDecision(number, "supersede", old, new, max(times), mark)


def contested_pairs(decided: Sequence[ExplicitDecision]) -> list[frozenset[str]]:
    pairs: list[frozenset[str]] = []
    for each in decided:
        pair = frozenset({each.old, each.new})
        if each.kind == "contradict":
            pairs.append(pair)
        elif pair in pairs:
            pairs.remove(pair)
    return pairs


def oracle(claims: Iterable[Claim], decided: Iterable[ExplicitDecision]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the oracle's intervals, as (from, to, successor, confirms), and its reasons."""
    state, reasons = fold_model.fold_proposed(
        [_oracle_claim(each) for each in claims],
        [
            fold_model.Decision(
                each.kind, each.old, each.new, each.at and to_microseconds(each.at), to_microseconds(each.mark)
            )
            for each in decided
        ],
    )
    return (
        {
            name: (_time(found["vf"]), _time(found["vt"]), found["succ"], found["confirms"])
            for name, found in state.items()
        },
        reasons,
    )


def oracle_reasons(moment: Moment) -> dict[str, str]:
    """Return our reasons in the oracle's words: it tells neither obstacles apart nor contested from decided."""
    return {name: _ORACLE_REASONS.get(reason, reason) for name, reason in moment.reasons.items()}


_ORACLE_REASONS = {
    **dict.fromkeys(
        ("not_an_update", "conditional", "not_asserted", "polarity_unknown", "unresolved_subject"), "no_target"
    ),
    "contested": "decided",
}


def visible(found: dict[str, Interval]) -> dict[str, Any]:
    """Return intervals as the oracle has them."""
    return {name: (each.valid_from, each.valid_to, each.superseded_by, each.confirms) for name, each in found.items()}


def _oracle_claim(each: Claim) -> Any:
    return fold_model.Claim(
        id=each.id,
        eff=to_microseconds(each.effective_at),
        recv=to_microseconds(each.received_at),
        event=each.event_id,
        pos=each.position,
        pred=each.predicate,
        obj=each.object_key,
        pol=each.polarity,
        intent=each.temporal_intent,
        repl=each.replaces_key,
        epi=each.epistemic_type,
        cond=each.condition,
        group=(subject_of(each), each.source_type.value, each.kind),
        resolved=each.subject_id is not None,
    )


def _time(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else from_microseconds(microseconds)
