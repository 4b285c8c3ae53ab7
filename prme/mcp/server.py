"""The server: what a client may list and call. A refusal is an answer that a model can read, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)
from pydantic import ValidationError
from pydantic_core import ErrorDetails

import prme
from prme.engine import MemoryEngine
from prme.errors import NodeNotFoundError, PrmeError
from prme.mcp.answers import GUIDE
from prme.mcp.arguments import Arguments
from prme.mcp.caller import actor_of
from prme.mcp.calls import Call
from prme.mcp.prompts import CORRECT_MEMORY, correct_memory
from prme.mcp.resources import JSON, TEMPLATES, resource_text
from prme.mcp.tools import TOOLS
from prme.reading.arguments import owner_or_none

INSTRUCTIONS = (
    "What was said in conversations, as claims with ids, the words they rest on, and the time in which they hold. "
    "Recall with memory_retrieve before you rely on something about the user or their work; hand in what people state, "
    f"word for word, with memory_ingest. {GUIDE} Nothing is ever deleted: what is corrected keeps its history."
)
UNEXPECTED = "the call failed in a way that nobody expected; nothing more is known to the caller"
logger = logging.getLogger("prme.mcp")
_Context = ServerRequestContext[Any, Any]


def create_server(engine: MemoryEngine, user_id: str | None = None) -> Server[Any]:
    """Return the server of a memory, to be run over any transport of the SDK.

    Args:
        engine: the memory. Whoever made it enters and closes it, in the event loop that runs the server.
        user_id: binds every tool and resource to this owner. Without it each tool takes a `user_id`, and whoever
            connects is a trusted operator.

    Raises:
        InvalidMessageError: `user_id` can be no owner.
    """
    front = _Front(engine, user_id)
    return Server(
        "prme",
        title="prme memory",
        version=prme.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=front.list_tools,
        on_call_tool=front.call_tool,
        on_list_resources=front.list_resources,
        on_list_resource_templates=front.list_resource_templates,
        on_read_resource=front.read_resource,
        on_list_prompts=front.list_prompts,
        on_get_prompt=front.get_prompt,
    )


class _Front:
    """Answers the requests of clients from one memory."""

    def __init__(self, engine: MemoryEngine, user_id: str | None) -> None:
        self._engine = engine
        self._owner = owner_or_none(user_id)
        self._tools = {tool.name: tool for tool in TOOLS}
        self._listed = [tool.listed(is_bound=user_id is not None) for tool in TOOLS]

    async def list_tools(self, context: _Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=self._listed)

    async def call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            return _refusal(f"there is no such tool; known are {', '.join(self._tools)}")
        try:
            arguments = tool.arguments(is_bound=self._owner is not None).model_validate(params.arguments or {})
        except ValidationError as error:
            return _refusal(f"InvalidArguments: {_faults(error.errors())}")
        try:
            answer = await tool.call(self._call(context, arguments))
        except Exception as error:
            return _refusal(_says(error))
        data = answer.model_dump(mode="json")
        text = TextContent(type="text", text=answer.model_dump_json())
        return CallToolResult(content=[text], structured_content=data)

    async def list_resources(self, context: _Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[])  # ids come from memory_retrieve

    async def list_resource_templates(
        self, context: _Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(self, context: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            text = await resource_text(self._engine, params.uri, self._owner)
        except NodeNotFoundError as error:
            raise MCPError(INVALID_PARAMS, str(error), {"uri": params.uri}) from None
        except Exception as error:
            raise MCPError(INTERNAL_ERROR, _says(error), {"uri": params.uri}) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text=text, mime_type=JSON)])

    async def list_prompts(self, context: _Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=[CORRECT_MEMORY])

    async def get_prompt(self, context: _Context, params: GetPromptRequestParams) -> GetPromptResult:
        if params.name != CORRECT_MEMORY.name:
            raise MCPError(INVALID_PARAMS, f"there is no such prompt; known is {CORRECT_MEMORY.name}")
        try:
            return correct_memory(params.arguments)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None

    def _call(self, context: _Context, arguments: Arguments) -> Call:
        client = context.session.client_params
        actor = actor_of(None if client is None else client.client_info.name)
        owner = self._owner if self._owner is not None else dict(arguments)["user_id"]
        return Call(self._engine, owner, actor, arguments)


def _refusal(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _says(error: Exception) -> str:
    """Return what a client may know of an error: ours say it themselves, of any other its kind goes to the log."""
    # An argument that breaks a rule is just ValueError; what other libraries raise are classes below it.
    if isinstance(error, PrmeError) or type(error) is ValueError:
        return f"{type(error).__name__}: {error}"
    logger.error("a call failed unexpectedly: %s", type(error).__name__)
    return UNEXPECTED


def _faults(found: Sequence[ErrorDetails]) -> str:
    """Return what is wrong with which argument, and never what was passed."""
    return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {_fault(fault)}" for fault in found)


def _fault(fault: ErrorDetails) -> str:
    return str(fault["ctx"]["error"]) if fault["type"] == "value_error" else fault["msg"]
