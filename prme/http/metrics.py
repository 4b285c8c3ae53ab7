"""What is counted for Prometheus: one registry for each application, and no label that names an owner."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from prme.model.receipt import IngestReceipt, UnfinishedMessages

# An ingest with the embedded extractor takes milliseconds, one with a model seconds.
_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """Counters and timings of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "prme_http_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "prme_http_request_seconds",
            "How long an answer took, by route.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._at_work = Gauge(
            "prme_http_requests_at_work", "Requests that are being worked on.", registry=self._registry
        )
        self._ingests = Counter(
            "prme_ingests",
            "Messages that were taken in, by the status of the receipt.",
            ("status",),
            registry=self._registry,
        )
        self._unfinished = Gauge(
            "prme_messages_unfinished",
            "Messages without a plan, by the state of their extraction.",
            ("state",),
            registry=self._registry,
        )
        self._retired = Counter("prme_claims_retired", "Claims that messages retired.", registry=self._registry)

    def begin(self) -> None:
        """Count a request that begins."""
        self._at_work.inc()

    def end(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._at_work.dec()
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def ingested(self, receipt: IngestReceipt) -> None:
        """Count what a message did; a repeated one did it before."""
        self._ingests.labels(receipt.status).inc()
        if receipt.status != "duplicate":
            self._retired.inc(len(receipt.retired))

    def text(self, unfinished: UnfinishedMessages) -> bytes:
        """Return everything in the format that Prometheus reads, with the messages that are unfinished now."""
        for state, count in unfinished.model_dump().items():
            self._unfinished.labels(state).set(count)
        return generate_latest(self._registry)
