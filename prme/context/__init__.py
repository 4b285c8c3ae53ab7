"""Context: what a memory holds now, as plain text for a language model, within a budget of tokens."""

from prme.context.entries import Entry, newest_entries, with_speakers
from prme.context.request import ContextRequest, checked_context_request
from prme.context.text import Context, context_text
from prme.context.tokens import estimated_tokens

__all__ = [
    "Context",
    "ContextRequest",
    "Entry",
    "checked_context_request",
    "context_text",
    "estimated_tokens",
    "newest_entries",
    "with_speakers",
]
