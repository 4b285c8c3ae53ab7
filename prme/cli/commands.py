"""The commands: each opens a store, asks the service, and shows the answer."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from prme.cli.times import Time

DEFAULT_STORE = "./memory"
DEFAULT_DEMO_STORE = ".demo"
DEFAULT_DEMO_DATA = "plans/demo"
STANDARD_INPUT = "-"
FAILURE = 1

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
known_at_option = click.option("--known-at", type=Time(), help="What the store would have answered at that time.")
user_option = click.option("--user-id", help="Look at the records of this owner only.")


def _choose_store(context: click.Context, _: click.Parameter, value: str | None) -> str:
    chosen = str(context.find_root().params["store"] if value is None else value)
    if not chosen.strip():
        raise click.BadParameter("the name is blank; name a directory")
    return chosen


store_option = click.option(
    "--store", metavar="DIR", callback=_choose_store, help="The store's directory, as before the command."
)


@click.command(short_help="Store messages from a file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@store_option
@click.option("--extractor", default="lexical", show_default=True, help="NAME or NAME:MODEL of an installed extractor.")
@click.option("--policy", default="speech_act_v14", show_default=True, help="The rule set for new messages.")
@click.option("--user-id", help="The owner of lines that name none; an export needs it.")
@click.option(
    "--first-person-owner/--no-first-person-owner",
    default=None,
    help="Whether I means the owner, in what a person says.  [default: in exports yes, in lines as each says]",
)
@click.option("--batch-size", type=click.IntRange(1, 100), default=1, help="Messages that may share a question.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=4, help="Questions that are open at once.")
@click.option("--token-limit", type=click.IntRange(0), metavar="N", help="Stop asking once N tokens are spent.")
@click.option("--dry-run", is_flag=True, help="Estimate what a model would cost; store and send nothing.")
@as_json_option
@click.pass_context
def ingest(
    context: click.Context,
    file: str,
    store: str,
    extractor: str,
    policy: str,
    user_id: str | None,
    first_person_owner: bool | None,
    batch_size: int,
    concurrency: int,
    token_limit: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Store the messages of FILE, and let them correct memory.

    FILE may be - for standard input. It holds messages, one JSON object a line, or it is a chat export: that of OpenAI
    or Anthropic, unpacked or as the zip archive, or documents {"messages": [...]} as both their interfaces take them.
    Which of these it is, is known by its content.

    A line has the fields of a message: content, user_id, role, scope, session_id, message_id, speaker,
    first_person_owner, occurred_at, metadata. A line without message_id gets one from its text and how often it came.
    Of an export the messages of user and assistant are stored, in the order in which they were said.

    Running a file again changes nothing; extractions that failed are tried again. A bad message is reported and the
    rest goes on. When the store fails, the counts end there and the error names the place. Exit status 1 when a message
    was refused, its extraction failed, the limit of tokens was reached, or the store failed.
    """
    from prme.cli.bar import TerminalBar
    from prme.cli.dry_run import estimate_source
    from prme.cli.ingest_source import open_source
    from prme.cli.ingest_view import estimate_page, summary_page
    from prme.cli.ingestion import ingest_counted
    from prme.cli.output import remarks, show, show_json
    from prme.cli.progress import IngestProgress
    from prme.cli.stores import store_on_demand
    from prme.extraction.limits import ExtractionLimits
    from prme.extraction.registry import resolve_extractor

    asked = resolve_extractor(extractor)
    limits = ExtractionLimits(batch_size=batch_size, concurrency=concurrency, max_tokens=token_limit)
    with click.open_file(file, "rb") as stream, store_on_demand(store, asked, policy, limits) as open_service:
        with TerminalBar(remarks(), "reading", total=None):
            source = open_source(stream, size=_size(file), user_id=user_id, first_person_owner=first_person_owner)
        if dry_run:
            estimate = estimate_source(source, asked, policy, limits)
            show_json(estimate) if as_json else show(estimate_page(estimate))
            context.exit(FAILURE if estimate.refused else 0)
        with IngestProgress(remarks(), total=source.total) as progress:
            summary, stopped = ingest_counted(
                open_service, source.entries, source.reader, progress.show, source.skipped
            )
    show_json(summary) if as_json else show(summary_page(summary))
    if stopped is not None:
        raise stopped
    context.exit(0 if summary.ok else FAILURE)


@click.command(short_help="List an owner's claims.")
@store_option
@click.option("--user-id", required=True, help="The owner of the claims.")
@click.option("--scope", help="Only claims of this scope.")
@click.option("--all", "include_closed", is_flag=True, help="Also closed and confirming claims, and what closed them.")
@click.option("--valid-at", type=Time(), help="What was in effect at that time.")
@known_at_option
@as_json_option
def claims(
    store: str,
    user_id: str,
    scope: str | None,
    include_closed: bool,
    valid_at: datetime | None,
    known_at: datetime | None,
    as_json: bool,
) -> None:
    """List an owner's open claims in the order in which they took effect.

    A time is 2026-03-01 or 2026-03-01T09:30, in UTC unless it names a zone. With both, the list answers what was
    believed at one time about another.
    """
    from prme.cli.claims_view import claims_page
    from prme.cli.output import show, show_json, width
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        nodes = service.claims(user_id, scope, include_superseded=include_closed, valid_at=valid_at, known_at=known_at)
    if as_json:
        show_json(nodes)
    else:
        show(claims_page(nodes, width=width()))


@click.command(short_help="Show everything ever recorded of a claim.")
@click.argument("id", metavar="ID")
@store_option
@user_option
@known_at_option
@as_json_option
def history(id: str, store: str, user_id: str | None, known_at: datetime | None, as_json: bool) -> None:
    """Show what the store said of the claim or note with this ID, version by version, and what came after it."""
    from prme.cli.history_view import history_page
    from prme.cli.lookup import recorded
    from prme.cli.output import show, show_json
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        found = recorded(service, id, user_id, known_at, store=store)
    if as_json:
        show_json(found)
    else:
        show(history_page(found))


@click.command(short_help="Explain a claim or a message.")
@click.argument("id", metavar="ID")
@store_option
@user_option
@as_json_option
def why(id: str, store: str, user_id: str | None, as_json: bool) -> None:
    """Explain the claim, note or message with this ID: where it comes from, what closed it, what it did, and why."""
    from prme.cli.lookup import explained
    from prme.cli.output import show, show_json
    from prme.cli.stores import reading_store
    from prme.cli.why_view import claim_page, event_page
    from prme.ids import normalise_id

    with reading_store(store) as service:
        explanation = explained(service, id, user_id, store=store)
    is_one_claim = normalise_id(id) in {claim.node.id for claim in explanation.claims}
    if as_json:
        show_json(explanation)
    else:
        show(claim_page(explanation) if is_one_claim else event_page(explanation))


@click.group()
def plans() -> None:
    """Read saved extraction plans."""


@plans.command("show")
@click.argument("event_id", metavar="EVENT_ID")
@store_option
@user_option
@as_json_option
def show_plan(event_id: str, store: str, user_id: str | None, as_json: bool) -> None:
    """Show the plan of the message with this EVENT_ID; with --json its canonical bytes and a line break."""
    from prme.cli.lookup import plan_bytes
    from prme.cli.output import show, show_bytes
    from prme.cli.plan_view import plan_page
    from prme.cli.stores import reading_store
    from prme.plan.codec import decode_plan

    with reading_store(store) as service:
        data = plan_bytes(service, event_id, user_id, store=store)
    if as_json:
        show_bytes(data)
    else:
        show(plan_page(decode_plan(data)))


@click.command(short_help="List the rule sets, or show one.")
@click.argument("name", required=False)
@as_json_option
def policies(name: str | None, as_json: bool) -> None:
    """List the policies that this release knows, oldest first, or show all that the one with this NAME decides by.

    It needs no store. With --json the word lists of a policy are complete.
    """
    from prme.cli.output import show, show_json
    from prme.cli.policies_view import policies_page, policy_data, policy_page, policy_summary
    from prme.policy.registry import POLICIES, get_policy

    if name is None:
        known = list(POLICIES.values())
        if as_json:
            show_json([policy_summary(policy) for policy in known])
        else:
            show(policies_page(known))
        return
    policy = get_policy(name)
    if as_json:
        show_json(policy_data(policy))
    else:
        show(policy_page(policy))


@click.command(short_help="Compute everything again and compare.")
@store_option
@user_option
@as_json_option
@click.pass_context
def verify(context: click.Context, store: str, user_id: str | None, as_json: bool) -> None:
    """Compute everything again from messages, plans and journal, and report every difference.

    Exit status 1 when there are differences.
    """
    from prme.cli.output import show, show_json
    from prme.cli.stores import reading_store
    from prme.cli.verify_view import remarks_on, verify_page

    with reading_store(store) as service:
        report = service.verify(user_id)
        heads = service.journal_heads(user_id)
    notes = [*report.notes, *remarks_on(report, user_id)]
    if as_json:
        show_json({**report.model_dump(), "notes": notes, "journal": heads})
    else:
        show(verify_page(report, heads, notes))
    context.exit(0 if report.ok else FAILURE)


@click.command(short_help="See two conversations become memory.")
@click.option("--data", metavar="DIR", default=DEFAULT_DEMO_DATA, show_default=True, help="The conversations, *.jsonl.")
@click.option("--store", metavar="DIR", help=f"Where the demo's memory is kept.  [default: {DEFAULT_DEMO_STORE}]")
@as_json_option
@click.pass_context
def demo(context: click.Context, data: str, store: str | None, as_json: bool) -> None:
    """Turn written conversations into memory, and show what was retired, by which words, and what stayed.

    Running it again changes nothing. It needs no network, no key and no model.
    """
    from prme.cli.demo import run_demo
    from prme.cli.demo_view import demo_page
    from prme.cli.output import show, show_json
    from prme.cli.stores import writing_store

    directory = store or _named_store(context) or DEFAULT_DEMO_STORE
    files = sorted(Path(data).glob("*.jsonl"))
    if not files:
        raise click.UsageError(
            f"no conversations (*.jsonl) in {data!r}: run prme demo in a clone of the repository, or name a folder "
            "with --data DIR"
        )
    with writing_store(directory, "lexical") as service:
        outcome = run_demo(service, files)
    if as_json:
        show_json(outcome)
    else:
        show(demo_page(outcome, store=directory))
    context.exit(0 if outcome.ok else FAILURE)


def _named_store(context: click.Context) -> str | None:
    """Return the store named before the command; one from the environment is not for the demo to write to."""
    root = context.find_root()
    is_named = root.get_parameter_source("store") is click.core.ParameterSource.COMMANDLINE
    return str(root.params["store"]) if is_named else None


def _size(file: str) -> int | None:
    """Return the bytes of a file; None for standard input, pipes and whatever else has no size."""
    return None if file == STANDARD_INPUT else Path(file).stat().st_size or None
