"""The journal: an append-only, hash-chained record per owner of everything that changed state (SPEC 9)."""
