"""prme: a conversation becomes memory that corrects itself."""

import importlib
import typing

from prme.errors import (
    ConflictError,
    ExtractionError,
    InvalidMessageError,
    MessageConflictError,
    NodeNotFoundError,
    PlanCorruptError,
    PlanError,
    PlanNotFoundError,
    PrmeError,
    ReservedMetadataError,
    SpeakerError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
    StoreVersionError,
    UnknownExtractorError,
    UnsupportedPlanError,
)

if typing.TYPE_CHECKING:  # pragma: no cover
    from prme.client import MemoryClient
    from prme.context import Context
    from prme.engine import MemoryEngine
    from prme.extraction.limits import ExtractionLimits
    from prme.model.assertion import AssertionState, ClosedClaim
    from prme.model.change import Change
    from prme.model.claim import Evidence
    from prme.model.decision import NearMiss, RetiredTarget, RuleDecision
    from prme.model.explanation import Explanation
    from prme.model.export import ExportManifest, OwnerManifest, ReplayProblem, ReplayReport
    from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction, ExtractionRequest
    from prme.model.extractor_run import ExtractorStats
    from prme.model.history import History, IntervalVersion
    from prme.model.message import Event, Message, SourceType
    from prme.model.node import Node, NodeType
    from prme.model.plan import ExtractionPlan, PlannedClaim
    from prme.model.receipt import DecisionReceipt, Difference, IngestReceipt, UnfinishedMessages, VerifyReport
    from prme.model.relation import Relation
    from prme.model.retrieval import Hit

__version__ = "0.1.0"

__all__ = [
    "AssertionState",
    "Change",
    "ClosedClaim",
    "ConflictError",
    "Context",
    "DecisionReceipt",
    "Difference",
    "Event",
    "Evidence",
    "Explanation",
    "ExportManifest",
    "ExtractedClaim",
    "ExtractedEntity",
    "Extraction",
    "ExtractionError",
    "ExtractionLimits",
    "ExtractionPlan",
    "ExtractionRequest",
    "ExtractorStats",
    "History",
    "Hit",
    "IngestReceipt",
    "IntervalVersion",
    "InvalidMessageError",
    "MemoryClient",
    "MemoryEngine",
    "Message",
    "MessageConflictError",
    "NearMiss",
    "Node",
    "NodeNotFoundError",
    "NodeType",
    "OwnerManifest",
    "PlanCorruptError",
    "PlanError",
    "PlanNotFoundError",
    "PlannedClaim",
    "PrmeError",
    "Relation",
    "ReplayProblem",
    "ReplayReport",
    "ReservedMetadataError",
    "RetiredTarget",
    "RuleDecision",
    "SourceType",
    "SpeakerError",
    "StoreBusyError",
    "StoreCorruptError",
    "StoreError",
    "StoreLockedError",
    "StoreVersionError",
    "UnfinishedMessages",
    "UnknownExtractorError",
    "UnsupportedPlanError",
    "VerifyReport",
    "__version__",
]

# The values and the engine stand on pydantic, DuckDB and asyncio, which take longer to import than all else of prme. A
# program that wants an error, or the command's version, need not wait for them: a name is loaded when it is asked for.
_HOMES = {
    "prme.client": ("MemoryClient",),
    "prme.context": ("Context",),
    "prme.engine": ("MemoryEngine",),
    "prme.extraction.limits": ("ExtractionLimits",),
    "prme.model.assertion": ("AssertionState", "ClosedClaim"),
    "prme.model.change": ("Change",),
    "prme.model.claim": ("Evidence",),
    "prme.model.decision": ("NearMiss", "RetiredTarget", "RuleDecision"),
    "prme.model.explanation": ("Explanation",),
    "prme.model.export": ("ExportManifest", "OwnerManifest", "ReplayProblem", "ReplayReport"),
    "prme.model.extraction": ("ExtractedClaim", "ExtractedEntity", "Extraction", "ExtractionRequest"),
    "prme.model.extractor_run": ("ExtractorStats",),
    "prme.model.history": ("History", "IntervalVersion"),
    "prme.model.message": ("Event", "Message", "SourceType"),
    "prme.model.node": ("Node", "NodeType"),
    "prme.model.plan": ("ExtractionPlan", "PlannedClaim"),
    "prme.model.receipt": ("DecisionReceipt", "Difference", "IngestReceipt", "UnfinishedMessages", "VerifyReport"),
    "prme.model.relation": ("Relation",),
    "prme.model.retrieval": ("Hit",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if not typing.TYPE_CHECKING:  # or a type checker would take any name for a public one

    def __getattr__(name: str) -> object:
        """Load a public name where it is defined, and keep it."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """List the public names, loaded or not, and the modules that were imported."""
        return sorted({*globals(), *__all__})
