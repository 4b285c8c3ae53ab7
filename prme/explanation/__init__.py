"""Explanations: why a claim is what it is, and why a message retired what it did or nothing at all."""

from prme.explanation.explaining import explain

__all__ = ["explain"]
