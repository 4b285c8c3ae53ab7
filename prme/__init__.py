"""prme: a conversation becomes memory that corrects itself."""

from prme.client import MemoryClient
from prme.engine import MemoryEngine
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
    StoreCorruptError,
    StoreError,
    StoreLockedError,
    StoreVersionError,
    UnknownExtractorError,
    UnsupportedPlanError,
)
from prme.model.assertion import AssertionState, ClosedClaim
from prme.model.change import Change
from prme.model.claim import Evidence
from prme.model.decision import NearMiss, RetiredTarget, RuleDecision
from prme.model.explanation import Explanation
from prme.model.export import ExportManifest, OwnerManifest, ReplayProblem, ReplayReport
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction, ExtractionRequest
from prme.model.history import History, IntervalVersion
from prme.model.message import Event, Message, SourceType
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan, PlannedClaim
from prme.model.receipt import DecisionReceipt, Difference, IngestReceipt, VerifyReport
from prme.model.relation import Relation
from prme.model.retrieval import Hit

__version__ = "0.1.0"

__all__ = [
    "AssertionState",
    "Change",
    "ClosedClaim",
    "ConflictError",
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
    "ExtractionPlan",
    "ExtractionRequest",
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
    "StoreCorruptError",
    "StoreError",
    "StoreLockedError",
    "StoreVersionError",
    "UnknownExtractorError",
    "UnsupportedPlanError",
    "VerifyReport",
    "__version__",
]
