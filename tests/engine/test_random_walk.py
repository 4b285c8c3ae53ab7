"""Random walks through the public interface: after every call the store is the fold of what it was told."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from prme import DecisionReceipt, ExtractionPlan, IngestReceipt, MemoryClient, Node, NodeType
from prme.errors import ConflictError, StoreError
from tests.engine.conversation import SettableClock
from tests.engine.random_messages import OWNERS, Saying, Sayings, sayings
from tests.oracle import fold_model

State = dict[str, tuple[datetime, datetime | None, str | None, str | None]]


def oracle_claims(plan: ExtractionPlan) -> list[Any]:
    event = plan.event
    return [
        fold_model.Claim(
            id=claim.id,
            eff=claim.effective_at,
            recv=event.received_at,
            event=event.id,
            pos=claim.position,
            pred=claim.predicate,
            obj=claim.object,
            pol=claim.polarity,
            intent=claim.temporal_intent,
            repl=claim.replaces_object,
            epi=claim.epistemic_type,
            cond=claim.condition,
            group=(event.user_id, claim.subject_id, event.source_type, claim.kind),
            resolved=claim.subject_id is not None,
        )
        for claim in plan.claims
    ]


def folded(plans: list[ExtractionPlan], decided: list[Any]) -> State:
    """Return (valid_from, valid_to, superseded_by, confirms) of every claim, as the oracle has it."""
    claims = [claim for plan in plans for claim in oracle_claims(plan)]
    state, _ = fold_model.fold_proposed(claims, decided, by_family=True)
    return {claim_id: (entry["vf"], entry["vt"], entry["succ"], entry["confirms"]) for claim_id, entry in state.items()}


def stored(memory: MemoryClient, events: list[str]) -> State:
    nodes = [node for event in events for node in memory.get_event_nodes(event) if node.node_type is not NodeType.NOTE]
    # A confirming claim has no interval of its own: it reads the end of the one it confirms.
    return {
        node.id: (node.valid_from, None, None, node.confirms)
        if node.status == "confirming"
        else (node.valid_from, node.valid_to, node.superseded_by, node.confirms)
        for node in nodes
    }


def refusing(*_: object) -> None:
    raise StoreError("the store refused the transaction; nothing was stored")


class Walk(RuleBasedStateMachine):
    """One store, a few owners, and every call that can change it."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp(prefix="prme-walk-"))
        self.extractor = Sayings()
        self.clock = SettableClock()
        self.published: dict[str, IngestReceipt] = {}
        self.failed: list[tuple[str, Saying]] = []
        self.said: list[Saying] = []
        self.events: dict[str, list[str]] = {owner: [] for owner in OWNERS}
        self.decided: list[Any] = []
        self.memory = self.opened()

    def opened(self) -> MemoryClient:
        return MemoryClient(self.directory, extractor=self.extractor, clock=self.clock)

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.directory)

    def numbered(self, saying: Saying) -> Saying:
        saying = Saying(len(self.said), saying.owner, saying.day, saying.claims)
        self.said.append(saying)
        self.extractor.learn(saying)
        return saying

    def note(self, receipt: IngestReceipt) -> None:
        assert receipt.status == "published"
        self.published[receipt.event_id] = receipt
        self.hear(receipt.event_id)

    def hear(self, event_id: str) -> None:
        event = self.memory.get_event(event_id)
        assert event is not None
        if event_id not in self.events[event.user_id]:
            self.events[event.user_id].append(event_id)

    def nodes(self, owner: str) -> list[Node]:
        return [node for event in self.events[owner] for node in self.memory.get_event_nodes(event)]

    @initialize(saying=sayings(st.just(0)))
    def begin(self, saying: Saying) -> None:
        self.note(self.memory.ingest(**self.numbered(saying).fields))

    @rule(saying=sayings(st.just(0)), hours=st.integers(-2, 5))
    def ingest(self, saying: Saying, hours: int) -> None:
        self.clock.advance(hours=hours)
        self.note(self.memory.ingest(**self.numbered(saying).fields))

    @rule(batch=st.lists(sayings(st.just(0)), min_size=2, max_size=4))
    def ingest_batch(self, batch: list[Saying]) -> None:
        for receipt in self.memory.ingest_batch([self.numbered(saying).fields for saying in batch]):
            self.note(receipt)

    @rule(saying=sayings(st.just(0)))
    def fail(self, saying: Saying) -> None:
        saying = self.numbered(saying)
        self.extractor.script[saying.content] = RuntimeError()
        receipt = self.memory.ingest(**saying.fields)
        assert receipt.status == "failed"
        self.failed.append((receipt.event_id, saying))
        self.hear(receipt.event_id)

    @precondition(lambda self: self.failed)
    @rule()
    def retry(self) -> None:
        event, saying = self.failed.pop()
        self.extractor.learn(saying)
        self.note(self.memory.retry(event))

    @rule(owner=st.sampled_from(OWNERS))
    def store(self, owner: str) -> None:
        self.hear(self.memory.store("A note.", user_id=owner))

    @rule(data=st.data(), owner=st.sampled_from(OWNERS), kind=st.sampled_from(("supersede", "supersede", "contradict")))
    def decide(self, data: st.DataObject, owner: str, kind: str) -> None:
        nodes = self.nodes(owner)
        # The oracle ends a contest by claim, not by pair: pairs that share a node have tests of their own.
        candidates = [node for node in nodes if node.status != "contested"] if kind == "contradict" else nodes
        if len(candidates) > 1:
            old, new = (data.draw(st.sampled_from(candidates)).id for _ in range(2))
            self.carry_out(owner, self.memory.supersede if kind == "supersede" else self.memory.contradict, old, new)

    @precondition(lambda self: any(decision.kind == "contradict" for decision in self.decided))
    @rule(data=st.data(), turned=st.booleans())
    def resolve(self, data: st.DataObject, turned: bool) -> None:
        contested = [decision for decision in self.decided if decision.kind == "contradict"]
        pair = data.draw(st.sampled_from([(decision.old, decision.new) for decision in contested]))
        winner, loser = reversed(pair) if turned else pair
        node = self.memory.get_node(winner, include_superseded=True)
        assert node is not None
        self.carry_out(node.user_id, self.memory.resolve_contradiction, winner, loser)

    def carry_out(self, owner: str, call: Callable[..., DecisionReceipt], first: str, second: str) -> None:
        """Decide, or be refused and leave everything as it was; the same call again changes nothing."""
        before = self.memory.verify()
        try:
            receipt = call(first, second, user_id=owner)
        except ConflictError:
            assert self.memory.verify() == before
            return
        after = self.memory.verify()
        if receipt.status == "applied":
            received = [event.received_at for event in map(self.memory.get_event, self.events[owner]) if event]
            self.decided.append(
                fold_model.Decision(receipt.kind, receipt.old_id, receipt.new_id, receipt.effective_at, max(received))
            )
        again = call(first, second, user_id=owner)
        assert (again.status, again.operation_id) == ("duplicate", receipt.operation_id)
        assert self.memory.verify() == after

    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        saying = data.draw(st.sampled_from(self.said))
        before = self.memory.verify()
        assert self.memory.ingest(**saying.fields).status == "duplicate"
        assert self.memory.verify() == before

    @rule()
    def forget(self) -> None:
        """Empty the writer's cache: what it knew is read from the store again."""
        self.memory._engine._service._writer.owners.clear()

    @rule(saying=sayings(st.just(0)))
    def refuse(self, saying: Saying) -> None:
        """Let a transaction fail; the same message can be sent again, and builds on what is stored."""
        saying = self.numbered(saying)
        database, before = self.memory._engine._service._database, self.memory.verify()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(database, "commit", refusing)
            with pytest.raises(StoreError):
                self.memory.ingest(**saying.fields)
        assert self.memory.verify() == before
        self.note(self.memory.ingest(**saying.fields))

    @rule()
    def restart(self) -> None:
        before = self.memory.verify()
        self.memory.close()
        self.memory = self.opened()
        assert self.memory.verify() == before

    @invariant()
    def the_store_verifies(self) -> None:
        report = self.memory.verify()
        assert report.ok, report.differences

    @invariant()
    def the_state_is_the_fold_of_all_plans(self) -> None:
        plans = [self.memory.get_plan(event) for event in self.published]
        assert folded(plans, self.decided) == stored(self.memory, list(self.published))

    @invariant()
    def no_node_is_its_own_successor(self) -> None:
        for owner in OWNERS:
            following = {node.id: node.superseded_by for node in self.nodes(owner)}
            for start in following:
                seen, here = {start}, following[start]
                while here is not None:
                    assert here not in seen
                    seen.add(here)
                    here = following[here]

    @invariant()
    def the_listed_claims_are_the_open_ones(self) -> None:
        for owner in OWNERS:
            listed = {node.id for node in self.memory.claims(user_id=owner)}
            every = self.memory.claims(user_id=owner, include_superseded=True)
            assert listed == {node.id for node in every if node.valid_to is None and node.status != "confirming"}


TestWalk = pytest.mark.slow(Walk.TestCase)
TestWalk.settings = settings(max_examples=6, stateful_step_count=14, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@settings(max_examples=25)
@given(data=st.data())
def test_the_state_depends_on_the_messages_and_not_on_their_order_or_batches(data: st.DataObject):
    told = data.draw(
        st.lists(sayings(st.integers(0, 50)), min_size=2, max_size=12, unique_by=lambda saying: saying.number)
    )
    digests = []
    for _ in range(2):
        order = data.draw(st.permutations(told))
        extractor = Sayings()
        extractor.learn(*told)
        with MemoryClient(":memory:", extractor=extractor, clock=SettableClock()) as memory:
            while order:
                size = data.draw(st.integers(1, len(order)))
                memory.ingest_batch([saying.fields for saying in order[:size]])
                order = order[size:]
            report = memory.verify()
            assert report.ok, report.differences
            digests.append(report.owners)

    assert digests[0] == digests[1]
