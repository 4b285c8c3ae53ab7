"""Plans: the versioned, checksummed document that freezes extraction and grounding (SPEC 7)."""
