"""Routes that read records by their ids, and the feed of changes. Unknown, malformed and foreign ids read the same."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from prme.http.answers import reading
from prme.http.bodies import ChangesQuery, HistoryQuery, NodeQuery, OwnerQuery
from prme.http.front import JSON, StrictRoute, TheCaller, TheFront, answer
from prme.http.message_routes import EventId
from prme.http.problems import RefusedError
from prme.http.rights import owner_or_any
from prme.model.change import Change
from prme.model.explanation import Explanation
from prme.model.history import History
from prme.model.message import Event
from prme.model.node import Node
from prme.model.plan import ExtractionPlan

routes = APIRouter(prefix="/v1", tags=["records"], route_class=StrictRoute)
NodeId = Annotated[str, Path(description="The id of a note or claim.")]
AnyId = Annotated[str, Path(description="The id of an event, note or claim.")]
Owner = Annotated[OwnerQuery, Query()]


@routes.get("/events/{id}", responses=reading(Event, 404), operation_id="get_event")
async def get_event(front: TheFront, caller: TheCaller, id: EventId, query: Owner) -> Response:
    """Return a stored message."""
    owner = owner_or_any(caller, query.user_id)
    event = await front.read(front.engine.get_event(id, user_id=owner))
    if event is None:
        raise RefusedError(404, "not_found", "no event with this id")
    return answer(event)


@routes.get("/events/{id}/nodes", responses=reading(list[Node], 404), operation_id="get_event_nodes")
async def get_event_nodes(front: TheFront, caller: TheCaller, id: EventId, query: Owner) -> Response:
    """Return the nodes of a message: its note first, then its claims, closed ones included."""
    owner = owner_or_any(caller, query.user_id)
    nodes = await front.read(front.engine.get_event_nodes(id, user_id=owner))
    if not nodes:
        raise RefusedError(404, "not_found", "no event with this id")
    return answer(nodes)


@routes.get("/events/{id}/plan", responses=reading(ExtractionPlan, 404), operation_id="get_plan")
async def get_plan(front: TheFront, caller: TheCaller, id: EventId, query: Owner) -> Response:
    """Return the published plan of a message: its saved bytes, after they were checked."""
    owner = owner_or_any(caller, query.user_id)
    await front.read(front.engine.get_plan(id, user_id=owner))
    return Response(await front.read(front.engine.get_plan_data(id, user_id=owner)), media_type=JSON)


@routes.get("/nodes/{id}", responses=reading(Node, 404), operation_id="get_node")
async def get_node(front: TheFront, caller: TheCaller, id: NodeId, query: Annotated[NodeQuery, Query()]) -> Response:
    """Return a note or claim; a closed one only with `include_superseded=true`."""
    owner = owner_or_any(caller, query.user_id)
    node = await front.read(front.engine.get_node(id, user_id=owner, include_superseded=query.include_superseded))
    if node is None:
        raise RefusedError(404, "not_found", "no such note or claim, or it is closed: see include_superseded")
    return answer(node)


@routes.get("/nodes/{id}/history", responses=reading(History, 404), operation_id="history")
async def history(front: TheFront, caller: TheCaller, id: NodeId, query: Annotated[HistoryQuery, Query()]) -> Response:
    """Return everything ever recorded of a note or claim, and what came before and after it."""
    owner = owner_or_any(caller, query.user_id)
    return answer(await front.read(front.engine.history(id, user_id=owner, known_at=query.known_at)))


@routes.get("/explain/{id}", responses=reading(Explanation, 404), operation_id="explain")
async def explain(front: TheFront, caller: TheCaller, id: AnyId, query: Owner) -> Response:
    """Explain a message, a note or a claim: what was extracted, what closed it, and why."""
    owner = owner_or_any(caller, query.user_id)
    return answer(await front.read(front.engine.explain(id, user_id=owner)))


@routes.get("/changes", responses=reading(list[Change]), operation_id="changes")
async def changes(front: TheFront, caller: TheCaller, query: Annotated[ChangesQuery, Query()]) -> Response:
    """Return journal entries after a cursor, oldest first, so that a cache or a view can follow."""
    owner = owner_or_any(caller, query.user_id)
    return answer(await front.read(front.engine.changes(user_id=owner, after=query.after, limit=query.limit)))
