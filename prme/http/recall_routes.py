"""Routes that ask what the memory says: by words, by subject and predicate, or all of an owner's claims."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from prme.http.answers import ContextText, Found, reading, writing
from prme.http.bodies import ClaimsQuery, ContextBody, RetrieveBody, StateBody
from prme.http.front import StrictRoute, TheCaller, TheFront, answer
from prme.http.rights import one_owner
from prme.model.assertion import AssertionState
from prme.model.node import Node

routes = APIRouter(prefix="/v1", tags=["recall"], route_class=StrictRoute)


@routes.post("/retrieve", responses=writing(Found), operation_id="retrieve")
async def retrieve(front: TheFront, caller: TheCaller, body: RetrieveBody) -> Response:
    """Return the owner's notes and claims that have words of the query, best first."""
    fields = {**dict(body), "user_id": one_owner(caller, body.user_id)}
    found = await front.read(front.engine.retrieve(**fields))
    return answer({"hits": list(found), "excluded": dict(found.excluded)})


@routes.post("/context", responses=writing(ContextText), operation_id="context")
async def context(front: TheFront, caller: TheCaller, body: ContextBody) -> Response:
    """Return the owner's current claims that have words of the query, as text for a language model."""
    fields = {**dict(body), "user_id": one_owner(caller, body.user_id)}
    made = await front.read(front.engine.context(**fields))
    members = {"tokens": made.tokens, "node_ids": made.node_ids, "left_out": made.left_out}
    return answer({"text": str(made), **members})


@routes.post("/assertions/state", responses=writing(AssertionState), operation_id="get_assertion_state")
async def assertion_state(front: TheFront, caller: TheCaller, body: StateBody) -> Response:
    """Return what holds of a subject and predicate, what is denied, and what was closed."""
    fields = {**dict(body), "user_id": one_owner(caller, body.user_id)}
    return answer(await front.read(front.engine.get_assertion_state(**fields)))


@routes.get("/claims", responses=reading(list[Node]), operation_id="claims")
async def claims(front: TheFront, caller: TheCaller, query: Annotated[ClaimsQuery, Query()]) -> Response:
    """Return an owner's open claims in the order in which they took effect."""
    fields = {**dict(query), "user_id": one_owner(caller, query.user_id)}
    return answer(await front.read(front.engine.claims(**fields)))
