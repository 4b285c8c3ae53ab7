"""Explicit decisions: what a caller decides by hand, checked and published as data of the fold (SPEC 10)."""
