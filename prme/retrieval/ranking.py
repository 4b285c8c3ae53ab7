"""Ranking: BM25 over an owner's rows, and what to do with words that very many rows have.

Scoring a row costs about two microseconds, so a word of 50,000 rows would cost a tenth of a second. Rare words decide:
all rows that have one are ranked, and frequent words add to their scores. Only when these rows are too few the rows
with frequent words alone are looked at, newest first. Where no word is in more than `Bounds.rare` rows, which is every
query in a small memory, the result is BM25 over all words, exactly.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prme.retrieval.eligibility import Eligibility
from prme.retrieval.follow import words_table
from prme.retrieval.query_terms import Term

# What a claim says counts more than the sentences around it.
WEIGHTS = "4.0, 1.0"
# What equal scores are ordered by is the same in `Ranked.order`.
_BEST_FIRST = "order by score desc, valid_from desc, node_id limit :limit"
# Terms of one owner of which it is remembered that they are frequent.
MOST_FREQUENT_WORDS = 1_000

FrequentWords = dict[str, int]
"""Terms that more than `Bounds.rare` rows of an owner have, each with how many at least.

Rows are never taken out of an owner's words, so a term that was frequent once stays so and is not counted again.
"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many rows are ranked at most.

    `rare`: rows that a word may have to decide what is ranked, `together`: rows of all such words; `frequent`: rows
    that a word may have to add to scores, `added`: how many words add; `newest`: rows seen for frequent words alone.
    """

    rare: int = 1_000
    together: int = 1_200
    frequent: int = 10_000
    added: int = 3
    newest: int = 1_000


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row that matches: its score, higher is better, and what equal scores are ordered by."""

    rowid: int
    node_id: str
    score: float
    valid_from: int

    def order(self) -> tuple[float, int, str]:
        """Return the sort key: score, then the newer one, then the id."""
        return -self.score, -self.valid_from, self.node_id


@dataclass(slots=True)
class Ranking:
    """Ranks the rows of one owner for one query."""

    connection: sqlite3.Connection
    owner_key: int
    eligible: Eligibility
    limit: int
    bounds: Bounds
    frequent_words: FrequentWords

    def rank(self, terms: Sequence[Term]) -> tuple[list[Ranked], dict[str, int]]:
        """Return the best rows, at most `limit`, and how many of the rows looked at each reason left out."""
        counts = {term: self._count(term, self.bounds.rare + 1) for term in terms}
        rare, frequent = self._parted(counts)
        excluded: Counter[str] = Counter()
        best: dict[int, Ranked] = {}
        left_out: dict[str, int] = {}
        if rare:
            adding = [term for term in frequent[: self.bounds.added] if not self._weighs_nothing(term, counts[term])]
            excluded.update(self._left_out(any_of(rare)))
            # Each row is scored once: with all of its words, or with the rare ones where it has no others.
            if adding:
                self._keep_best(best, f"({any_of(rare)}) AND ({any_of(adding)})")
                self._keep_best(best, f"({any_of(rare)}) NOT ({any_of(adding)})")
            else:
                self._keep_best(best, any_of(rare))
        for words in dict.fromkeys((tuple(frequent[: self.bounds.added]), tuple(frequent))):
            if words and len(best) < self.limit:
                left_out = self._look_at_newest(best, rare, words)
        excluded.update(left_out)
        return sorted(best.values(), key=Ranked.order)[: self.limit], dict(excluded)

    def _look_at_newest(
        self, best: dict[int, Ranked], rare: Sequence[Term], frequent: Sequence[Term]
    ) -> dict[str, int]:
        """Add the newest rows that have frequent words; return how many rows without a rare word were left out."""
        wanted = any_of([*rare, *frequent])
        floor, eligible = self._keep_best_of_newest(best, wanted)
        if self._are_all_eligible(wanted, floor, eligible):
            return {}
        return self._left_out(f"({any_of(frequent)}) NOT ({any_of(rare)})" if rare else wanted, floor=floor)

    def _parted(self, counts: Mapping[Term, int]) -> tuple[list[Term], list[Term]]:
        """Return the rare terms, as many as can be ranked together, and the frequent ones, rarest first.

        A term without rows adds nothing to any score, and is left out.
        """
        rare: set[Term] = set()
        frequent: list[Term] = []
        together = 0
        for term in sorted(filter(counts.__getitem__, counts), key=counts.__getitem__):
            together += counts[term]
            if counts[term] <= self.bounds.rare and together <= self.bounds.together:
                rare.add(term)
            else:
                frequent.append(term)
        return [term for term in counts if term in rare], frequent

    def _count(self, term: Term, most: int) -> int:
        """Return how many rows have a term, at most `most`: counting all of them would take too long."""
        wanted = term.expression()
        if self.frequent_words.get(wanted, 0) >= most:
            return most
        counted = self._count_matching(wanted, most)
        if counted > self.bounds.rare and len(self.frequent_words) < MOST_FREQUENT_WORDS:
            self.frequent_words[wanted] = counted
        return counted

    def _count_matching(self, wanted: str, most: int, *, floor: int = 0) -> int:
        sql = f"select count(*) from (select 1 from {self._words} where {self._words} match ? and rowid >= ? limit ?)"
        return int(self.connection.execute(sql, [wanted, floor, most]).fetchone()[0])

    def _weighs_nothing(self, term: Term, counted: int) -> bool:
        """Whether a term is in too many rows to add to scores; `counted` are those counted so far."""
        most = self.bounds.frequent
        return (counted if counted <= self.bounds.rare else self._count(term, most + 1)) > most

    def _keep_best(self, best: dict[int, Ranked], wanted: str) -> None:
        """Rank the eligible rows that match, and keep the best."""
        _keep(best, self._execute(f"{self._scored} {_BEST_FIRST}", wanted))

    def _keep_best_of_newest(self, best: dict[int, Ranked], wanted: str) -> tuple[int, int]:
        """Rank the newest eligible rows that match, and keep the best of them.

        Return down to which row all were looked at, 0 for all there are, and how many of them were eligible.
        """
        sql = f"""
            with newest as materialized (
                {self._scored} order by {self._words}.rowid desc limit {self.bounds.newest}
            )
            select * from (select * from newest {_BEST_FIRST})
            union all select min(place), null, count(*), null from newest
        """
        *found, (lowest, _, eligible, _) = self._execute(sql, wanted)
        _keep(best, found)
        return (lowest if eligible == self.bounds.newest else 0), eligible

    def _are_all_eligible(self, wanted: str, floor: int, eligible: int) -> bool:
        """Whether no other row matches down to a floor than those that were found eligible."""
        return self._count_matching(wanted, eligible + 1, floor=floor) == eligible

    def _left_out(self, wanted: str, *, floor: int = 0) -> dict[str, int]:
        """Return how many of the rows that match each reason left out."""
        sql = f"""
            select why, count(*) from (select {self.eligible.reason} as why {self._matching})
            where why is not null group by why
        """
        return dict(self._execute(sql, wanted, floor=floor))

    @property
    def _words(self) -> str:
        return words_table(self.owner_key)

    @property
    def _scored(self) -> str:
        return f"""
            select n.rowid as place, n.node_id as node_id, -bm25({self._words}, {WEIGHTS}) as score,
                {self.eligible.state}.valid_from as valid_from
            {self._matching} and {self.eligible.reason} is null
        """

    @property
    def _matching(self) -> str:
        return f"""
            from {self._words} cross join nodes n on n.rowid = {self._words}.rowid {self.eligible.joined}
            where {self._words} match :wanted and {self._words}.rowid >= :floor
        """

    def _execute(self, sql: str, wanted: str, *, floor: int = 0) -> list[tuple[Any, ...]]:
        parameters = {**self.eligible.parameters, "wanted": wanted, "floor": floor, "limit": self.limit}
        return self.connection.execute(sql, parameters).fetchall()


def _keep(best: dict[int, Ranked], rows: Iterable[tuple[Any, ...]]) -> None:
    """Keep each row with the highest of its scores."""
    for row in rows:
        found = Ranked(*row)
        if found.rowid not in best or best[found.rowid].score < found.score:
            best[found.rowid] = found


def any_of(terms: Sequence[Term]) -> str:
    """Return the expression that rows with any of the terms match."""
    return " OR ".join(term.expression() for term in terms)
