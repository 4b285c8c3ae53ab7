-- Insert-only: nothing here is ever updated or deleted. Times are microseconds since 1970-01-01 UTC, open ends NULL.
-- owner_key comes first in every key, so that owners can later be spread over files or servers.
-- seq is the owner's journal sequence number of the entry that caused the row.

create table meta (
    key text not null,
    value text not null,
    primary key (key)
);

create table owners (
    owner_key bigint not null,
    user_id text not null,
    primary key (owner_key)
);

create table events (
    owner_key bigint not null,
    event_id text not null,
    seq bigint not null,
    kind text not null,
    scope text not null,
    role text not null,
    content text not null,
    content_digest text not null,
    session_id text,
    message_id text,
    speaker text,
    first_person_owner boolean not null,
    occurred_at bigint not null,
    received_at bigint not null,
    metadata text,
    primary key (owner_key, event_id)
);

create table extractions (
    owner_key bigint not null,
    event_id text not null,
    seq bigint not null,
    policy text not null,
    extractor_name text not null,
    extractor_model text not null,
    prompt_digest text,
    speaker_references boolean not null,
    body text not null,
    primary key (owner_key, event_id)
);

create table plans (
    owner_key bigint not null,
    event_id text not null,
    seq bigint not null,
    plan_id text not null,
    policy text not null,
    checksum text not null,
    document text not null,
    primary key (owner_key, event_id)
);

create table claims (
    owner_key bigint not null,
    claim_id text not null,
    event_id text not null,
    position bigint not null,
    policy text not null,
    scope text not null,
    source_type text not null,
    kind text not null,
    subject_id text,
    subject text not null,
    predicate text not null,
    object text not null,
    polarity text not null,
    epistemic_type text not null,
    condition text,
    temporal_intent text,
    replaces_object text,
    effective_at bigint not null,
    received_at bigint not null,
    content text not null,
    trigger_start bigint not null,
    trigger_end bigint not null,
    trigger_quote text not null,
    primary key (owner_key, claim_id)
);

create table evidence (
    owner_key bigint not null,
    claim_id text not null,
    ordinal bigint not null,
    event_id text not null,
    span_start bigint not null,
    span_end bigint not null,
    quote text not null,
    primary key (owner_key, claim_id, ordinal)
);

-- An interval is closed, reopened or moved by inserting its next version: recorded_to is the next version's recorded_from.
create table intervals (
    owner_key bigint not null,
    node_id text not null,
    seq bigint not null,
    recorded_from bigint not null,
    valid_from bigint not null,
    valid_to bigint,
    status text not null,
    superseded_by text,
    confirms text,
    primary key (owner_key, node_id, seq)
);

create table decisions (
    owner_key bigint not null,
    claim_id text not null,
    seq bigint not null,
    body text not null,
    primary key (owner_key, claim_id, seq)
);

-- What a caller decided by hand: data of the fold. number gives the owner's order; effective_at is when old closes.
create table explicit_decisions (
    owner_key bigint not null,
    number bigint not null,
    seq bigint not null,
    operation_id text not null,
    kind text not null,
    old_id text not null,
    new_id text not null,
    effective_at bigint,
    mark bigint not null,
    actor text not null,
    evidence_id text,
    primary key (owner_key, number)
);

create table entities (
    owner_key bigint not null,
    entity_id text not null,
    event_id text not null,
    scope text not null,
    entity_type text not null,
    name text not null,
    primary key (owner_key, entity_id, event_id)
);

-- The newest row of an event says whether its extraction is pending or failed; a plan ends the work.
create table work (
    owner_key bigint not null,
    event_id text not null,
    seq bigint not null,
    state text not null,
    reason_code text,
    policy text not null,
    speaker_references boolean not null,
    primary key (owner_key, event_id, seq)
);

create table journal (
    owner_key bigint not null,
    seq bigint not null,
    commit_no bigint not null,
    kind text not null,
    event_id text,
    recorded_at bigint not null,
    commitment text not null,
    previous text not null,
    digest text not null,
    commit_digest text not null,
    commitment_key text,
    body text,
    primary key (owner_key, seq)
);
