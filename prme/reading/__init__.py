"""Reading: everything a caller can ask for, who sees one owner or, as trusted operator, all."""

from prme.reading.assertion_cache import AssertionCache
from prme.reading.assertions import assertion_query, read_assertion_state
from prme.reading.changes import read_changes
from prme.reading.closings import closings_by_hand
from prme.reading.history import read_history
from prme.reading.journal import journal_heads, journal_line
from prme.reading.plans import read_plan, read_plan_data, read_receipt
from prme.reading.visible import (
    HIDDEN,
    is_hidden,
    read_claims,
    read_event,
    read_event_nodes,
    read_node,
    visible_event,
    visible_node,
)

__all__ = [
    "HIDDEN",
    "AssertionCache",
    "assertion_query",
    "closings_by_hand",
    "is_hidden",
    "journal_heads",
    "journal_line",
    "read_assertion_state",
    "read_changes",
    "read_claims",
    "read_event",
    "read_event_nodes",
    "read_history",
    "read_node",
    "read_plan",
    "read_plan_data",
    "read_receipt",
    "visible_event",
    "visible_node",
]
