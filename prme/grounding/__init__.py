"""Grounding: which proposed claims stand in the message text, and stand there as assertions (SPEC 5)."""

from prme.grounding.gate import ground

__all__ = ["ground"]
