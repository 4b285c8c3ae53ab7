"""The application within another one: under a path of its own, with its doors and its page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx2
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import Message

from prme import MemoryEngine
from prme.http import create_app
from tests.engine.conversation import TEA, Scripted
from tests.http.serving import SAM_TOKEN, WITH_TOKENS, bearing


def within_another(talk: Callable[[httpx2.AsyncClient], Awaitable[None]]) -> None:
    """Mount a service with tokens under `/memory`, and talk to it."""

    async def run() -> None:
        async with MemoryEngine(":memory:", extractor=Scripted()) as engine:
            outer = Starlette(routes=[Mount("/memory", app=create_app(engine, WITH_TOKENS))])
            transport = httpx2.ASGITransport(app=outer)
            async with httpx2.AsyncClient(transport=transport, base_url="http://memory.example") as client:
                await talk(client)

    asyncio.run(run())


def test_a_mounted_service_answers_under_its_path():
    async def talk(client: httpx2.AsyncClient) -> None:
        stored = await client.post("/memory/v1/ingest", json={"content": TEA}, headers=bearing(SAM_TOKEN))
        event = await client.get(f"/memory/v1/events/{stored.json()['event_id']}", headers=bearing(SAM_TOKEN))

        assert (200, TEA) == (event.status_code, event.json()["content"])

    within_another(talk)


def test_a_mounted_service_keeps_its_door():
    async def talk(client: httpx2.AsyncClient) -> None:
        statuses = [
            (await client.get(f"/memory{path}")).status_code for path in ("/v1/changes", "/metrics", "/healthz")
        ]

        assert [401, 401, 200] == statuses

    within_another(talk)


def test_the_page_of_a_mounted_service_leads_to_its_own_schema():
    async def talk(client: httpx2.AsyncClient) -> None:
        page = await client.get("/memory/docs")
        schema = await client.get("/memory/openapi.json")

        assert 'href="/memory/openapi.json"' in page.text
        assert 200 == schema.status_code

    within_another(talk)


def test_a_server_may_start_and_end_the_application_itself():
    received = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    sent: list[str] = []

    async def receive() -> Message:
        return next(received)

    async def send(message: Message) -> None:
        sent.append(message["type"])

    async def run() -> None:
        async with MemoryEngine(":memory:", extractor=Scripted()) as engine:
            await create_app(engine)({"type": "lifespan", "state": {}}, receive, send)

    asyncio.run(run())

    assert ["lifespan.startup.complete", "lifespan.shutdown.complete"] == sent
