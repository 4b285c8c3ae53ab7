"""Explanations: why a claim is what it is, and why a message retired what it did or nothing at all."""

from prme.explanation.explain import explain

__all__ = ["explain"]
