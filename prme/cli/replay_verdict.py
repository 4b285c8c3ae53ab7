"""Whether a replay led to the states that it should: those of the manifest, or those of another store."""

from __future__ import annotations

from prme.cli.stores import reading_store
from prme.model.export import ReplayReport, StateDifference
from prme.model.receipt import Difference
from prme.model.value import Value
from prme.replay.comparing import digest_difference, state_difference
from prme.service import MemoryService


class Verdict(Value):
    """What the comparison of states found; `differences` are what `verify` says of the store itself.

    `compared_with` names the other side, None when there was none to compare with.
    """

    compared_with: str | None
    owners: int
    difference: StateDifference | None
    differences: tuple[Difference, ...]

    @property
    def ok(self) -> bool:
        """Whether the states are the same and the store is what it should be."""
        return self.compared_with is not None and self.difference is None and not self.differences


def verdict_of(
    service: MemoryService, report: ReplayReport, *, with_manifest: bool, against: str | None
) -> Verdict | None:
    """Verify a store after a replay, and compare its states; None when nobody asked for it.

    With the manifest only the owners that it lists are compared: a store may hold others too.
    """
    if against is None and not with_manifest:
        return None
    verified = service.verify(None)
    found, name = None, "the manifest" if report.expected else None
    if with_manifest and report.expected:
        mine = {user_id: digest for user_id, digest in verified.owners.items() if user_id in report.expected}
        found = digest_difference(mine, report.expected)
    if against is not None and found is None:
        name = f"the store in {against!r}"
        with reading_store(against) as other:
            others = other.verify(None).owners
            found = state_difference(verified.owners, others, service.owner_nodes, other.owner_nodes)
    return Verdict(
        compared_with=name,
        owners=len(verified.owners),
        difference=found,
        differences=tuple(verified.differences),
    )
