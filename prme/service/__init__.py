"""The service functions behind every front: one store, one extractor, one writer."""

from prme.service.extraction_queue import TOKEN_LIMIT_REACHED
from prme.service.memory import CONTEXT_MESSAGES, NOT_PUBLISHED, MemoryService
from prme.service.reads import ANCHOR_REWRITTEN

__all__ = ["ANCHOR_REWRITTEN", "CONTEXT_MESSAGES", "NOT_PUBLISHED", "TOKEN_LIMIT_REACHED", "MemoryService"]
