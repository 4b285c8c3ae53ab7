"""Routes by which a caller decides: supersede, contradict and resolve."""

from __future__ import annotations

from fastapi import APIRouter, Response

from prme.http.answers import writing
from prme.http.bodies import ContradictBody, DecisionBody, ResolveBody, SupersedeBatchBody, SupersedeBody
from prme.http.front import StrictRoute, TheCaller, TheFront, answer
from prme.http.message_routes import refuse_long
from prme.http.rights import actor_or_default, owner_or_any
from prme.http.tokens import Caller
from prme.model.receipt import DecisionReceipt

routes = APIRouter(prefix="/v1", tags=["decisions"], route_class=StrictRoute)


@routes.post("/supersedences", responses=writing(DecisionReceipt, 404, 409), operation_id="supersede")
async def supersede(front: TheFront, caller: TheCaller, body: SupersedeBody) -> Response:
    """Let a note or claim replace another one. The same call again changes nothing."""
    decided = front.engine.supersede(body.old_id, body.new_id, **_fields(caller, body))
    return answer(await front.write(decided))


@routes.post("/supersedences/batch", responses=writing(list[DecisionReceipt], 404, 409), operation_id="supersede_many")
async def supersede_many(front: TheFront, caller: TheCaller, body: SupersedeBatchBody) -> Response:
    """Carry out several replacements of one owner in order, all or none."""
    refuse_long(body.entries)
    entries = [{"old_id": entry.old_id, "new_id": entry.new_id, **_named(caller, entry)} for entry in body.entries]
    return answer(await front.write(front.engine.supersede_many(entries, **_fields(caller, body))))


@routes.post("/contradictions", responses=writing(DecisionReceipt, 404, 409), operation_id="contradict")
async def contradict(front: TheFront, caller: TheCaller, body: ContradictBody) -> Response:
    """Say that two open notes or claims contradict each other: both stay, as contested."""
    return answer(await front.write(front.engine.contradict(body.a, body.b, **_fields(caller, body))))


@routes.post("/contradictions/resolve", responses=writing(DecisionReceipt, 404, 409), operation_id="resolve")
async def resolve(front: TheFront, caller: TheCaller, body: ResolveBody) -> Response:
    """Close the loser of a contradiction, without a successor, and let the winner stand."""
    decided = front.engine.resolve_contradiction(body.winner, body.loser, **_fields(caller, body))
    return answer(await front.write(decided))


def _fields(caller: Caller, body: DecisionBody) -> dict[str, str | None]:
    return {
        "evidence_id": body.evidence_id,
        "user_id": owner_or_any(caller, body.user_id),
        "actor_id": actor_or_default(caller, body.actor_id),
    }


def _named(caller: Caller, entry: DecisionBody) -> dict[str, str | None]:
    """Return what an entry of a batch names itself, after the same checks; the engine fills in the rest."""
    fields = _fields(caller, entry)
    return {name: value for name, value in fields.items() if getattr(entry, name) is not None}
