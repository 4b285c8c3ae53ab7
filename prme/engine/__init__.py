"""The asynchronous front."""

from prme.engine.memory import MemoryEngine

__all__ = ["MemoryEngine"]
