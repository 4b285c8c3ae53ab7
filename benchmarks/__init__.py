"""Benchmarks: every budget as a ratio to a floor that is measured in the same run."""
