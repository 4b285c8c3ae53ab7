"""The one writer: a thread that derives queued jobs in order and commits them together."""

from prme.writer.session import Entropy, WriteSession
from prme.writer.writer import MOST_CACHED_CLAIMS, MOST_JOBS_PER_COMMIT, MOST_WAITING_JOBS, Writer

__all__ = [
    "MOST_CACHED_CLAIMS",
    "MOST_JOBS_PER_COMMIT",
    "MOST_WAITING_JOBS",
    "Entropy",
    "WriteSession",
    "Writer",
]
