"""The Model Context Protocol front: tools, resources and a prompt for agents, over standard streams or local HTTP.

It needs the extra `mcp`, and is imported by `prme mcp` alone.
"""
