"""Changes that no part of the product makes, and what verification must say of each."""

from __future__ import annotations

NOTE = "(select event_id from events where kind = 'store')"
SAMS = "(select owner_key from owners where user_id = 'sam')"
BROKEN = "(select event_id from events where content = 'broken')"
FIRST_TEA = f"(select claim_id from claims where owner_key = {SAMS} and object = 'tea' order by effective_at limit 1)"
LYON = "(select claim_id from claims where object = 'Lyon')"
NO_TEAS = f"(select claim_id from claims where owner_key = {SAMS} and polarity = 'negative')"
OF_TEA = f"owner_key = {SAMS} and event_id = (select event_id from claims where claim_id = {FIRST_TEA})"
REVISED = (
    f"(select node_id from intervals where owner_key = {SAMS} group by node_id having count(*) > 1 order by 1 limit 1)"
)
OLDEST = (
    f"owner_key = {SAMS} and node_id = {REVISED} and seq = (select min(seq) from intervals where node_id = {REVISED})"
)
EVENT_OF_TEA = f"(select event_id from claims where claim_id = {FIRST_TEA})"
NOTE_OF_TEA = f"""(
    select i.node_id from intervals i join events e on e.owner_key = i.owner_key and e.seq = i.seq
    where e.event_id = {EVENT_OF_TEA} limit 1
)"""
CLAIM_COLUMNS = """policy, scope, source_type, kind, subject_id, subject, predicate, object, polarity, epistemic_type,
    condition, temporal_intent, replaces_object, effective_at, received_at, content, trigger_start,
    trigger_end, trigger_quote"""
LYON_ENTITY = "(select entity_id from entities where name = 'Lyon')"
NEAR_MISS = """'"near_misses":[{"claim_id":"x","test":"object"}'"""

# What is changed, the name of the difference, and its id (SQL, asked before the change).
DAMAGE = [
    # events
    ("update events set content = 'x' where kind = 'store'", "content_digest", NOTE),
    ("update events set content_digest = 'sha256:0' where kind = 'store'", "content_digest", NOTE),
    (
        "update events set content = 'x', content_digest = "
        "'sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' where kind = 'store'",
        "note",
        NOTE,
    ),
    ("update events set kind = 'ingest' where kind = 'store'", "note", NOTE),
    ("update events set received_at = received_at + 1 where kind = 'store'", "event_id", NOTE),
    ("update events set scope = 'work' where kind = 'store'", "event_id", NOTE),
    ("update events set message_id = 'm' where kind = 'store'", "event_id", NOTE),
    ("update events set event_id = '00000000-0000-0000-0000-000000000000' where kind = 'store'", "note", NOTE),
    ("update events set seq = 99 where kind = 'store'", "note", NOTE),
    ("delete from events where kind = 'store'", "note", NOTE),
    (
        f"insert into events select owner_key, 'x', 99, kind, scope, role, content, content_digest, session_id, "
        f"message_id, speaker, first_person_owner, occurred_at, received_at, metadata from events "
        f"where event_id = {NOTE}",
        "event_id",
        "'x'",
    ),
    *(
        (f"update events set {change} where {OF_TEA}", "event", EVENT_OF_TEA)
        for change in (
            "content = 'x'",
            "role = 'tool'",
            "session_id = 'x'",
            "speaker = 'x'",
            "metadata = '{}'",
            "first_person_owner = false",
            "occurred_at = occurred_at + 1",
            "received_at = received_at + 1",
        )
    ),
    (f"delete from events where {OF_TEA}", "event", EVENT_OF_TEA),
    # owners
    ("update owners set user_id = 'eve' where user_id = 'sam'", "event_id", NOTE),
    ("update owners set owner_key = 99 where user_id = 'sam'", "owner", f"{SAMS}::text"),
    ("delete from owners where user_id = 'sam'", "owner", f"{SAMS}::text"),
    ("insert into owners values (99, 'eve')", "owner", "'99'"),
    ("insert into owners values (99, 'sam')", "owner", "'99'"),
    # plans
    (f"update plans set document = replace(document, 'tea', 'pea') where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = document || ' ' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = 'x' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set document = '' where {OF_TEA}", "plan", EVENT_OF_TEA),
    (f"update plans set checksum = 'sha256:0' where {OF_TEA}", "plan_checksum", EVENT_OF_TEA),
    (f"update plans set plan_id = 'x' where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"update plans set policy = 'speech_act_v13' where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"update plans set seq = seq + 1 where {OF_TEA}", "plans", EVENT_OF_TEA),
    (f"delete from plans where {OF_TEA}", "plan", EVENT_OF_TEA),
    (
        # Another owner's plan, sound in itself, under this event.
        "update plans set document = o.document, checksum = o.checksum from "
        "(select document, checksum from plans where owner_key <> " + SAMS + f" limit 1) o where {OF_TEA}",
        "event",
        EVENT_OF_TEA,
    ),
    # extractions
    (f"update extractions set body = replace(body, 'tea', 'pea') where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set policy = 'speech_act_v13' where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set extractor_model = '2' where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"update extractions set speaker_references = false where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (f"delete from extractions where {OF_TEA}", "extractions", EVENT_OF_TEA),
    (
        f"insert into extractions select owner_key, 'x', seq, policy, extractor_name, extractor_model, prompt_digest, "
        f"speaker_references, body from extractions where {OF_TEA}",
        "extractions",
        "'x'",
    ),
    # claims
    *(
        (f"update claims set {change} where claim_id = {LYON}", "claims", LYON)
        for change in (
            "object = 'Paris'",
            "subject = 'Maria'",
            "predicate = 'left'",
            "polarity = 'negative'",
            "polarity = 'neither'",
            "kind = 'preference'",
            "kind = 'rumour'",
            "policy = 'speech_act_v13'",
            "policy = 'speech_act_v99'",
            "scope = 'work'",
            "source_type = 'TOOL_OUTPUT'",
            "source_type = 'NOBODY'",
            "epistemic_type = 'hypothetical'",
            "epistemic_type = 'known'",
            "condition = 'if'",
            "temporal_intent = 'update'",
            "replaces_object = 'Rome'",
            "subject_id = null",
            "effective_at = effective_at + 1",
            "received_at = received_at + 1",
            "content = 'x'",
            "position = 7",
            "event_id = 'x'",
        )
    ),
    (f"update claims set claim_id = 'x' where claim_id = {LYON}", "claims", LYON),
    (f"delete from claims where claim_id = {LYON}", "claims", LYON),
    (
        f"insert into claims select owner_key, 'x', event_id, 9, {CLAIM_COLUMNS} from claims where claim_id = {LYON}",
        "claims",
        "'x'",
    ),
    (
        f"insert into claims select owner_key, 'x', 'no event', 9, {CLAIM_COLUMNS} from claims where claim_id = {LYON}",
        "claims",
        "'x'",
    ),
    (f"update claims set trigger_start = trigger_start + 1 where claim_id = {LYON}", "claims", LYON),
    (f"update claims set trigger_end = trigger_end - 1 where claim_id = {LYON}", "claims", LYON),
    (f"update claims set trigger_quote = 'x' where claim_id = {LYON}", "claims", LYON),
    # evidence
    (f"update evidence set quote = 'x' where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set span_start = span_start + 1 where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set span_end = span_end - 1 where claim_id = {LYON}", "evidence", LYON),
    (f"update evidence set event_id = 'x' where claim_id = {LYON}", "evidence", LYON),
    (f"delete from evidence where claim_id = {LYON}", "evidence", LYON),
    (f"insert into evidence values ({SAMS}, {LYON}, 9, {NOTE}, 0, 1, 'A')", "evidence", LYON),
    (f"insert into evidence values ({SAMS}, 'x', 0, 'no event', 0, 1, 'A')", "evidence", "'x'"),
    # entities
    ("update entities set name = 'x' where name = 'Lyon'", "entities", LYON_ENTITY),
    ("delete from entities where name = 'Lyon'", "entities", LYON_ENTITY),
    (f"insert into entities values ({SAMS}, 'x', 'no event', 'personal', 'person', 'Eve')", "entities", "'x'"),
    # intervals
    *(
        (
            f"update intervals set {change} where node_id = {FIRST_TEA} and status = 'superseded'",
            "interval",
            FIRST_TEA,
        )
        for change in (
            "valid_to = null",
            "valid_to = valid_to + 1",
            "valid_from = valid_from + 1",
            "status = 'current'",
            "status = 'closed'",
            "superseded_by = null",
            "superseded_by = 'x'",
            "confirms = 'x'",
        )
    ),
    (
        f"update intervals set valid_to = 9223372036854775807 where node_id = {FIRST_TEA} and status = 'superseded'",
        "interval_version",
        FIRST_TEA,
    ),
    (f"update intervals set valid_from = 1 where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"update intervals set status = 'superseded' where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"delete from intervals where node_id = {NOTE_OF_TEA}", "interval", NOTE_OF_TEA),
    (f"delete from intervals where node_id = {LYON}", "interval", LYON),
    (f"delete from intervals where node_id = {FIRST_TEA} and status = 'superseded'", "interval", FIRST_TEA),
    (f"insert into intervals values ({SAMS}, 'x', 99, 0, 0, null, 'current', null, null)", "interval", "'x'"),
    (f"insert into intervals values ({SAMS}, {LYON}, 99, 0, 0, null, 'current', null, null)", "interval", LYON),
    (f"update intervals set valid_to = 5 where {OLDEST}", "interval_version", REVISED),
    (f"update intervals set recorded_from = 5 where {OLDEST}", "interval_version", REVISED),
    (f"delete from intervals where {OLDEST}", "interval_version", REVISED),
    # decisions
    (f"update decisions set body = replace(body, 'retired', 'none') where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (f"update decisions set body = 'x' where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (
        f"update decisions set body = replace(body, '\"near_misses\":[', {NEAR_MISS}) where claim_id = {NO_TEAS}",
        "decision",
        NO_TEAS,
    ),
    (f"delete from decisions where claim_id = {NO_TEAS}", "decision", NO_TEAS),
    (
        f"insert into decisions select owner_key, 'x', seq, body from decisions where claim_id = {LYON}",
        "decision",
        "'x'",
    ),
    # work
    (f"update work set state = 'pending' where event_id = {BROKEN}", "work", BROKEN),
    (f"update work set reason_code = 'x' where event_id = {BROKEN}", "work", BROKEN),
    (f"update work set policy = 'speech_act_v13' where event_id = {BROKEN}", "work", BROKEN),
    (f"update work set speaker_references = false where event_id = {BROKEN}", "work", BROKEN),
    (f"delete from work where event_id = {BROKEN}", "work", BROKEN),
    (f"insert into work values ({SAMS}, {NOTE}, 99, 'pending', null, 'speech_act_v14', true)", "work", NOTE),
    # journal
    *(
        (f"update journal set {change} where owner_key = {SAMS} and seq = 2", what, "'2'")
        for change, what in (
            ("body = replace(body, 'e', 'f')", "journal_body"),
            ("body = null", "journal_body"),
            ("commitment_key = null", "journal_body"),
            ("commitment_key = repeat('00', 32)", "journal_body"),
            ("commitment_key = 'not hex'", "journal_body"),
            ("commitment = repeat('0', 64)", "journal_digest"),
            ("digest = repeat('0', 64)", "journal_digest"),
            ("previous = repeat('0', 64)", "journal_previous"),
            ("kind = 'PLAN_PUBLISHED'", "journal_digest"),
            ("event_id = 'x'", "journal_event"),
        )
    ),
    (f"update journal set seq = 99 where owner_key = {SAMS} and seq = 2", "journal_seq", "'3'"),
    (f"delete from journal where owner_key = {SAMS} and seq = 2", "journal_seq", "'3'"),
    (f"update journal set commit_digest = 'x' where owner_key = {SAMS} and seq = 2", "commit_digest", "'2'"),
    (f"update journal set commit_no = 99 where owner_key = {SAMS} and seq = 2", "commit_no", "'99'"),
    ("delete from journal where commit_no = 1", "commit_no", "'2'"),
    # meta
    ("delete from meta where key = 'policy.14'", "policy", "'speech_act_v14'"),
]
