"""How much is measured: enough to see that nothing broke, enough to compare two changes, or all of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """How many claims are stored and how often each thing is done; `warm_up` is a multiple of ten or nothing."""

    name: str
    warm_up: int
    ingests: int
    one_owner: tuple[int, ...]
    one_store: tuple[int, ...]
    owner_claims: int
    growth_rounds: int
    late_claims: int
    late_rounds: int
    clients: int
    client_messages: int
    client_rounds: int
    replay_owners: int
    replay_turns: int
    replay_rounds: int
    open_claims: tuple[int, int]
    queries: int
    state_claims: int
    state_values: int
    starts: int


SMOKE = Size(
    name="smoke",
    warm_up=0,
    ingests=3,
    one_owner=(20, 40),
    one_store=(40,),
    owner_claims=19,
    growth_rounds=10,
    late_claims=40,
    late_rounds=3,
    clients=4,
    client_messages=2,
    client_rounds=1,
    replay_owners=2,
    replay_turns=10,
    replay_rounds=1,
    open_claims=(20, 40),
    queries=5,
    state_claims=40,
    state_values=5,
    starts=1,
)
SMALL = Size(
    name="small",
    warm_up=10,
    ingests=100,
    one_owner=(1_000, 5_000, 20_000),
    one_store=(1_000, 5_000, 20_000),
    owner_claims=190,
    growth_rounds=100,
    late_claims=5_000,
    late_rounds=30,
    clients=32,
    client_messages=10,
    client_rounds=3,
    replay_owners=20,
    replay_turns=200,
    replay_rounds=3,
    open_claims=(1_000, 20_000),
    queries=100,
    state_claims=20_000,
    state_values=25,
    starts=15,
)
FULL = Size(
    name="full",
    warm_up=10,
    ingests=400,
    one_owner=(1_000, 3_000, 10_000, 30_000, 100_000),
    one_store=(1_000, 10_000, 100_000, 1_000_000),
    owner_claims=190,
    growth_rounds=200,
    late_claims=20_000,
    late_rounds=50,
    clients=32,
    client_messages=50,
    client_rounds=5,
    replay_owners=50,
    replay_turns=400,
    replay_rounds=5,
    open_claims=(1_000, 100_000),
    queries=400,
    state_claims=100_000,
    state_values=50,
    starts=31,
)
SIZES = {size.name: size for size in (SMOKE, SMALL, FULL)}
