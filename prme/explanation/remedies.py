"""What would have made a claim that retired nothing retire something: found once per claim, by judging it again."""

from __future__ import annotations

from dataclasses import dataclass

from prme.explanation.nearness import (
    Fitting,
    Nearness,
    World,
    corrects,
    fitting,
    judge_near_misses,
    retired_without_obstacle,
    telling_apart,
    without_obstacle,
)
from prme.model.claim import Claim
from prme.model.decision import RuleDecision


@dataclass(frozen=True, slots=True)
class Remedy:
    """What judging a claim again has shown; claims by id.

    `would_retire` are retired without what took the claim's authority. `tells_apart` are those of the candidates of an
    ambiguous correction that naming their object retires. `near_misses` are those of its decision, judged again.
    Without any, `fitting` is what a correction that met nothing would have retired, if anything.
    """

    would_retire: tuple[str, ...] = ()
    tells_apart: tuple[str, ...] = ()
    near_misses: tuple[Nearness, ...] = ()
    fitting: Fitting | None = None


NO_REMEDY = Remedy()


def needs_world(claim: Claim, decision: RuleDecision) -> bool:
    """Whether something is found for a claim by judging it again; most claims only state something."""
    if decision.reason is None:
        return False
    if decision.reason in {"no_match", "ambiguous"}:
        return True
    freed = without_obstacle(claim, decision.reason)
    return freed is not None and corrects(freed)


def find_remedy(world: World, claim: Claim, decision: RuleDecision) -> Remedy:
    """Return what would have made a claim retire something; `world` must hold all claims of its subject. Pure."""
    match decision.reason:
        case None:
            return NO_REMEDY
        case "ambiguous" | "no_match":
            return Remedy(
                tells_apart=telling_apart(world, claim, decision.candidates),
                near_misses=judge_near_misses(world, claim, decision),
                fitting=None if decision.near_misses or decision.candidates else fitting(world, claim),
            )
        case reason:
            return Remedy(would_retire=retired_without_obstacle(world, claim, reason))
