"""Counts what becomes of the records of a source, and keeps the first problems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from prme.model.export import ExportManifest, OwnerManifest, ReplayProblem, ReplayReport
from prme.records.sources import Place
from prme.replay.history import Problem
from prme.replay.manifest import records_digest

MOST_LISTED_PROBLEMS = 1_000
NO_MANIFEST = "no manifest was read: whether the records are complete cannot be told"
NOTHING_READ = "no record was read: name an export, or files of saved plans"


@dataclass(slots=True)
class Tally:
    """The counts of one reading; `report` gives them as a value."""

    owners: int = 0
    events: int = 0
    plans: int = 0
    decisions: int = 0
    already_there: int = 0
    duplicates: int = 0
    problems: list[ReplayProblem] = field(default_factory=list)
    unlisted_problems: int = 0
    notes: list[str] = field(default_factory=list)
    listed: dict[str, list[OwnerManifest]] = field(default_factory=dict)
    manifests: int = 0

    def add_problem(self, place: Place | None, reason: str) -> None:
        """Note why something is not used."""
        if len(self.problems) == MOST_LISTED_PROBLEMS:
            self.unlisted_problems += 1
            return
        file, line = (None, None) if place is None else (place.file, place.line)
        self.problems.append(ReplayProblem(file=file, line=line, reason=reason))

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Note several."""
        for problem in problems:
            self.add_problem(problem.place, problem.reason)

    def add_manifest(self, manifest: ExportManifest) -> None:
        """Note what should be there."""
        self.manifests += 1
        for owner in manifest.owners:
            self.listed.setdefault(owner.user_id, []).append(owner)

    def compare(self, user_id: str, checksums: Iterable[str], *, state_digest: str | None = None) -> None:
        """Compare what was read of an owner with the manifests; an export among several may be an older one."""
        listed = self.listed.get(user_id)
        if listed is None:
            if self.manifests:
                self.add_problem(None, f"records of the owner {user_id!r} were read, whom no manifest lists")
            return
        digest = records_digest(checksums)
        complete = [owner for owner in listed if owner.records_digest == digest]
        if not complete:
            self.add_problem(None, f"the records of the owner {user_id!r} are not those that the manifest lists")
            return
        self.listed[user_id] = complete[:1]
        if state_digest is not None and all(owner.state_digest != state_digest for owner in complete):
            self.add_problem(
                None, f"the records of the owner {user_id!r} lead to the state {state_digest}, not to the manifest's"
            )

    def end(self, seen: Iterable[str]) -> None:
        """Note the owners of whom nothing was read, and remark on a source without a manifest."""
        if not self.manifests:
            self.notes.append(NO_MANIFEST)
            if not self.owners and not self.problems:
                self.add_problem(None, NOTHING_READ)
        for user_id in sorted(self.listed.keys() - set(seen)):
            if any(not owner.events for owner in self.listed[user_id]):
                continue
            self.add_problem(None, f"the manifest lists the owner {user_id!r}, of whom no record was read")

    def report(self) -> ReplayReport:
        """Return the counts."""
        return ReplayReport(
            owners=self.owners,
            events=self.events,
            plans=self.plans,
            decisions=self.decisions,
            already_there=self.already_there,
            duplicates=self.duplicates,
            expected={user_id: owners[-1].state_digest for user_id, owners in sorted(self.listed.items())},
            problems=tuple(self.problems),
            unlisted_problems=self.unlisted_problems,
            notes=tuple(self.notes),
        )
