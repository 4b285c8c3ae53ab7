"""The page on MCP lists the tools, their arguments and the addresses that the server has."""

from __future__ import annotations

import re

from prme.cli.mcp_commands import DEFAULT_PORT
from prme.mcp.prompts import CORRECT_MEMORY
from prme.mcp.resources import CLAIM, HISTORY
from prme.mcp.running import LOOPBACK, PATH
from prme.mcp.tools import TOOLS
from tests.docs.pages import ROOT, codes, tables_of

MCP = ROOT / "docs" / "mcp.md"


def test_the_page_lists_every_tool_with_its_arguments():
    (table,) = [table for table in tables_of(MCP) if table.columns[0] == "Tool"]

    assert {tool.name: set(tool.takes.model_fields) for tool in TOOLS} == {
        codes(row[0])[0]: set(codes(row[1])) for row in table.rows
    }


def test_the_page_names_the_address_the_resources_and_the_prompt():
    text = MCP.read_text(encoding="utf-8")
    named = [f"http://{LOOPBACK}:{DEFAULT_PORT}{PATH}", CLAIM, HISTORY, CORRECT_MEMORY.name]

    assert [] == [name for name in named if f"`{name}`" not in text]


def test_the_page_says_which_extra_is_needed():
    assert re.search(r"pip install '\.\[mcp\]'", MCP.read_text(encoding="utf-8"))
