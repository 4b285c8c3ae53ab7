"""The service functions behind every front: one store, one extractor, one writer."""

from prme.service.memory import NOT_PUBLISHED, MemoryService
from prme.service.reads import ANCHOR_REWRITTEN

__all__ = ["ANCHOR_REWRITTEN", "NOT_PUBLISHED", "MemoryService"]
