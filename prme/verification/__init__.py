"""Verification: everything the store says, computed again from its events, plans and journal (SPEC 9)."""

from prme.verification.verify import UNDIGESTED, state_digest, verify_store

__all__ = ["UNDIGESTED", "state_digest", "verify_store"]
