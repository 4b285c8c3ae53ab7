"""Retrieval: an owner's notes and claims found by their words, only those that hold, through a derived text index."""

from prme.retrieval.request import checked_request
from prme.retrieval.retrieve import TextSearch

__all__ = ["TextSearch", "checked_request"]
