"""The HTTP service: a thin front over `MemoryEngine`. It needs the extra `http`: FastAPI, uvicorn and their like."""

from prme.http.app import create_app
from prme.http.settings import HttpSettings

__all__ = ["HttpSettings", "create_app"]
