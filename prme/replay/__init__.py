"""Replay: plans, events and decisions by hand leave a store as records, and become the same state in another one."""
