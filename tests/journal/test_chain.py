"""The journal's chain: any change breaks it, and an erased body leaves it whole (SPEC 9)."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from prme.journal.chain import (
    EMPTY_HEAD,
    GENESIS,
    KEY_BYTES,
    JournalEntry,
    JournalHead,
    append_entry,
    commit_digest,
    commit_to,
    entry_digest,
)
from tests.plan.plans import texts

KEY = bytes(range(KEY_BYTES))
OTHER_KEY = bytes(KEY_BYTES)
BODY: dict[str, Any] = {"plan": {"checksum": "sha256:00"}, "actor": "operator", "claims": ["é", None, 1]}


def entry(head: JournalHead = EMPTY_HEAD, body: dict[str, Any] = BODY, key: bytes = KEY) -> JournalEntry:
    return append_entry(head, user_id="u1", kind="PLAN_PUBLISHED", event_id="e1", body=body, key=key)


def test_a_chain_begins_with_sixty_four_zeros():
    assert EMPTY_HEAD == JournalHead(seq=0, digest="0" * 64)
    assert entry().previous == GENESIS == "0" * 64


def test_a_key_is_as_long_as_the_digest_it_protects():
    assert len(bytes.fromhex(entry().commitment)) == KEY_BYTES


def test_the_first_entry_has_number_one_and_the_next_one_follows():
    first = entry()
    second = entry(first.head)

    assert (first.seq, second.seq) == (1, 2)
    assert second.previous == first.digest
    assert second.head == JournalHead(2, second.digest)


def test_a_digest_covers_owner_number_kind_commitment_and_the_one_before():
    first = entry()
    covered: list[Any] = ["u1", 1, "PLAN_PUBLISHED", first.commitment, "0" * 64]

    assert first.digest == hashlib.sha256(rfc8785.dumps(covered)).hexdigest()


def test_a_commitment_is_the_keyed_digest_of_the_canonical_body():
    assert entry().commitment == hmac.new(KEY, rfc8785.dumps(BODY), hashlib.sha256).hexdigest()


def test_an_entry_keeps_its_body_and_key_beside_the_chain():
    assert entry().body == rfc8785.dumps(BODY).decode()
    assert bytes.fromhex(entry().commitment_key) == KEY
    assert (entry().kind, entry().event_id) == ("PLAN_PUBLISHED", "e1")


def test_the_commitment_can_be_opened_with_body_and_key():
    assert commit_to(entry().body.encode(), KEY) == entry().commitment


def test_without_the_key_a_right_guess_of_the_body_confirms_nothing():
    assert commit_to(entry().body.encode(), OTHER_KEY) != entry().commitment


def test_equal_bodies_under_different_keys_have_different_heads():
    assert entry(key=OTHER_KEY).digest != entry().digest


def test_another_body_has_another_commitment():
    assert entry(body={**BODY, "actor": "u1"}).commitment != entry().commitment


@pytest.mark.parametrize(
    "changed",
    [
        ("u2", 1, "K", "c", "p"),
        ("u1", 2, "K", "c", "p"),
        ("u1", 1, "L", "c", "p"),
        ("u1", 1, "K", "d", "p"),
        ("u1", 1, "K", "c", "q"),
    ],
)
def test_a_change_of_any_part_changes_the_digest(changed: tuple[str, int, str, str, str]):
    assert entry_digest(*changed) != entry_digest("u1", 1, "K", "c", "p")


def chain(*bodies: str) -> list[JournalEntry]:
    entries: list[JournalEntry] = []
    for number, body in enumerate(bodies):
        head = entries[-1].head if entries else EMPTY_HEAD
        entries.append(entry(head, {"body": body}, bytes([number % 256]) * KEY_BYTES))
    return entries


def holds(entries: list[JournalEntry]) -> bool:
    """Whether the chain can be followed by what it covers alone, from the first entry to the last."""
    head = EMPTY_HEAD
    for each in entries:
        expected = entry_digest("u1", head.seq + 1, each.kind, each.commitment, head.digest)
        if (each.seq, each.previous, each.digest) != (head.seq + 1, head.digest, expected):
            return False
        head = each.head
    return True


@given(st.lists(texts, max_size=5))
def test_a_chain_holds_from_the_first_entry_to_the_last(bodies: list[str]):
    assert holds(chain(*bodies))


def test_a_chain_holds_when_a_body_and_its_key_are_erased():
    first, second, third = chain("a", "b", "c")

    assert holds([first, second._replace(body="", commitment_key=""), third])


def test_a_chain_breaks_when_an_entry_is_changed_removed_or_moved():
    first, second, third = chain("a", "b", "c")

    assert holds([first, second, third])
    assert not holds([first, third])
    assert not holds([second, third])
    assert not holds([second, first, third])
    assert not holds([first, second._replace(commitment=third.commitment), third])
    assert not holds([first, second._replace(kind="NOTE_STORED"), third])


def test_a_commit_covers_its_number_the_one_before_and_its_entries():
    covered: list[Any] = [7, "p", [[1, 1, "a"], [2, 5, "b"]]]

    assert commit_digest(7, "p", [(1, 1, "a"), (2, 5, "b")]) == hashlib.sha256(rfc8785.dumps(covered)).hexdigest()


@pytest.mark.parametrize(
    "changed",
    [(8, "p", [(1, 1, "a")]), (7, "q", [(1, 1, "a")]), (7, "p", []), (7, "p", [(1, 1, "b")]), (7, "p", [(2, 1, "a")])],
)
def test_a_change_of_any_part_of_a_commit_changes_its_digest(changed: tuple[int, str, list[tuple[int, int, str]]]):
    assert commit_digest(*changed) != commit_digest(7, "p", [(1, 1, "a")])


def test_the_order_of_entries_matters_to_a_commit():
    one, other = (1, 1, "a"), (2, 1, "b")

    assert commit_digest(1, GENESIS, iter([one, other])) != commit_digest(1, GENESIS, iter([other, one]))
