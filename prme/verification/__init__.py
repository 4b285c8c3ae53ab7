"""Verification: everything the store says, computed again from its events, plans and journal (SPEC 9)."""

from prme.verification.verify import state_digest, verify_store

__all__ = ["state_digest", "verify_store"]
