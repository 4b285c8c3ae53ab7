"""Extractors that ship with prme, each found by its entry point."""
