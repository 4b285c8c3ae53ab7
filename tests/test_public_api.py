from __future__ import annotations

import importlib.resources
import inspect

import pytest
from pydantic import BaseModel, ValidationError

import prme
from prme import errors

ERRORS = {
    "InvalidMessageError": ("PrmeError", "ValueError"),
    "SpeakerError": ("InvalidMessageError",),
    "ReservedMetadataError": ("InvalidMessageError",),
    "MessageConflictError": ("PrmeError",),
    "ExtractionError": ("PrmeError",),
    "PlanError": ("PrmeError",),
    "PlanCorruptError": ("PlanError",),
    "UnsupportedPlanError": ("PlanError",),
    "PlanNotFoundError": ("PlanError",),
    "NodeNotFoundError": ("PrmeError", "LookupError"),
    "ConflictError": ("PrmeError", "ValueError"),
    "StoreError": ("PrmeError",),
    "StoreBusyError": ("StoreError",),
    "StoreLockedError": ("StoreError",),
    "StoreVersionError": ("StoreError",),
    "StoreCorruptError": ("StoreError",),
    "UnknownExtractorError": ("PrmeError",),
    "PrmeError": ("Exception",),
}
PROMISED = {
    *ERRORS,
    "Event",
    "ExtractedClaim",
    "ExtractedEntity",
    "Extraction",
    "ExtractionPlan",
    "ExtractionRequest",
    "IngestReceipt",
    "MemoryClient",
    "MemoryEngine",
    "Message",
    "Node",
    "NodeType",
    "SourceType",
    "VerifyReport",
}
METHODS = {
    "claims",
    "close",
    "explain",
    "get_event",
    "get_event_nodes",
    "get_node",
    "get_plan",
    "get_plan_data",
    "ingest",
    "ingest_batch",
    "process_pending",
    "retry",
    "store",
    "verify",
}
PUBLIC = [getattr(prme, name) for name in prme.__all__ if name != "__version__"]
VALUES = [value for value in PUBLIC if inspect.isclass(value) and issubclass(value, BaseModel)]


def test_the_public_names_are_sorted_and_named_once():
    assert prme.__all__ == sorted(set(prme.__all__))


def test_every_public_name_can_be_imported():
    assert [name for name in prme.__all__ if not hasattr(prme, name)] == []


def test_every_promised_name_is_public():
    assert PROMISED - set(prme.__all__) == set()


def test_nothing_else_is_visible_but_modules():
    names = {name for name in vars(prme) if not name.startswith("_")}
    modules = {name for name in names if inspect.ismodule(getattr(prme, name))}

    assert names - modules == set(prme.__all__) - {"__version__"}


@pytest.mark.parametrize("front", [prme.MemoryClient, prme.MemoryEngine])
def test_both_fronts_have_the_promised_methods(front: type):
    assert {name for name in METHODS if not callable(getattr(front, name, None))} == set()


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__name__)
def test_values_are_frozen_and_refuse_unknown_fields(value: type[BaseModel]):
    assert (value.model_config.get("frozen"), value.model_config.get("extra")) == (True, "forbid")


def test_a_frozen_value_cannot_be_changed():
    entity = prme.ExtractedEntity(name="Ines", entity_type="person")

    with pytest.raises(ValidationError, match="frozen"):
        entity.name = "Maria"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="extra"):
        prme.ExtractedEntity(name="Ines", entity_type="person", colour="red")  # type: ignore[call-arg]


@pytest.mark.parametrize(("name", "bases"), ERRORS.items(), ids=ERRORS)
def test_the_errors_form_the_documented_tree(name: str, bases: tuple[str, ...]):
    assert bases == tuple(base.__name__ for base in getattr(errors, name).__bases__)


def test_the_tree_of_errors_is_complete():
    defined = {name for name, value in vars(errors).items() if inspect.isclass(value)}

    assert defined == set(ERRORS)
    assert all(name in (errors.__doc__ or "") for name in defined)


def test_an_extraction_error_carries_its_reason_and_event():
    error = errors.ExtractionError("text", reason_code="quota_exceeded", event_id="e")

    assert (str(error), error.reason_code, error.event_id) == ("text", "quota_exceeded", "e")


@pytest.mark.parametrize("public", PUBLIC, ids=lambda value: getattr(value, "__name__", str(value)))
def test_every_public_name_says_what_it_is(public: object):
    own = vars(public).get("__doc__")

    assert own
    assert own.strip()


@pytest.mark.parametrize("front", [prme.MemoryClient, prme.MemoryEngine])
def test_every_public_method_says_what_it_does(front: type):
    methods = inspect.getmembers(front, inspect.isfunction)
    undocumented = [name for name, method in methods if not name.startswith("_") and not inspect.getdoc(method)]

    assert undocumented == []


def test_the_version_is_the_one_of_the_distribution():
    assert prme.__version__.count(".") == 2


def test_the_words_for_nodes_and_sources_are_the_documented_ones():
    assert [kind.value for kind in prme.NodeType] == ["NOTE", "ENTITY", "FACT", "PREFERENCE", "DECISION"]
    assert [kind.value for kind in prme.SourceType] == ["USER_STATED", "SYSTEM_INFERRED", "TOOL_OUTPUT"]


def test_the_package_is_typed():
    assert importlib.resources.files("prme").joinpath("py.typed").is_file()
