"""From a sentence to its findings: what stands around a clause decides whether it may speak."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from prme_extractors.lexical import doubts
from prme_extractors.lexical.changes import may_give_up
from prme_extractors.lexical.claims import read_clause, read_contrasted, read_label
from prme_extractors.lexical.clauses import Clause, is_lead_only, opens_with, split_clauses
from prme_extractors.lexical.findings import Finding
from prme_extractors.lexical.phrases import Phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.remainders import is_saying
from prme_extractors.lexical.values import are_alike, read_former
from prme_extractors.lexical.vocabulary import vocabulary
from prme_extractors.lexical.wordings import alternatives, opening, phrases

Span = tuple[int, int]

_EXCLUDED = re.compile(r"(?:and )?not\s|no longer\s")
_NOT = re.compile(r"(?:and )?not(?=\s)")
_NOT_TRUE = re.compile(r"that(?:'s| is| was)? not true,\s+(?=\w)")
_FORMERLY = re.compile(
    r"(?:(?:it|that) )?(?:was|used to be)(?=\s)|(?:and )?(?:no longer|previously|formerly|replaces|replacing|instead of"
    r"|rather than|up from|down from)(?=\s)"
)
_DENIES = re.compile(r"(?:\s(?:is|are)\s+(?:not|no\s+longer)|n't|nt)\s")
_IT = re.compile(r"(?:it|they)(?:'s|'re|\s+(?:is|are))\s")
_BEFORE = re.compile(r"\s+(?:before|previously|until now|anymore|before that|earlier)\Z")
# Words of a fragment that may be one more object.
_FRAGMENT = 3
_ASIDES = frozenset(",(-\u2013\u2014;")
# "... now I play the cello too" gives nothing up.
_ADDITION = re.compile(r"(?<!\w)(?:too|also|as well|both|besides|additionally)(?!\w)")
_FIRST_PERSON = re.compile(r"i(?!\w)|i[mv]e?(?!\w)|my(?!\w)")
_SIGNING = frozenset("(-\u2013\u2014")
_APPOSING = frozenset(",-\u2013\u2014")
_ARTICLE = re.compile(r"(?:the|an?)\s")
# "- Sell my jeep": a mark of a list, so many characters before its words.
_MARKER = 3
_LISTED = re.compile(r"[-*~\u2022]\s*\Z")
_MAIN = re.compile(r"(?<=\s)i(?=['\s])")


def read_sentence(reading: Reading, spans: Sequence[Span], words: Sequence[str]) -> tuple[Finding, ...]:
    """Return what one sentence of these words says by itself, or two that go on: "It's not on 2. It's on 5."."""
    start, end = spans[0][0], spans[-1][1]
    clauses = split_clauses(reading.low, *spans[0], words, is_bare=reading.is_bare)
    for span in spans[1:]:
        clauses += split_clauses(reading.low, *span, words)
    strict = False
    if not _doubting().isdisjoint(words):
        report = _read_report(reading, clauses) if phrases("clause.reports").may_stand_among(words) else None
        if report is not None:
            return (report,)
        # "That's not true, I never owned a car" takes back what was said before it.
        denied = _NOT_TRUE.match(reading.low, start, end)
        first = start if denied is None else denied.end()
        if phrases("vetoes.sentence").search(reading.words_in(first, end), reading.low, first, end):
            return ()
        strict = phrases("clause.strict_conditions").search(words, reading.low, start, end) is not None
    return tuple(_read_clauses(reading, clauses, strict))


@cache
def _doubting() -> frozenset[str]:
    """Return words of which a sentence holds one where it is a report, unreal or under a condition."""
    keys = ("clause.reports", "vetoes.sentence", "clause.strict_conditions")
    return frozenset().union(*(phrases(key).telling for key in keys))


def vetoing_words(reading: Reading, start: int, end: int) -> str | None:
    """Return what makes the sentence `[start, end)` unreal, somebody else's word or taken back."""
    found = phrases("vetoes.sentence").search(reading.words_in(start, end), reading.low, start, end)
    return None if found is None else found.group()


def goes_on(reading: Reading, start: int, end: int, following: int) -> bool:
    """Whether the sentence at `following` says with "it" what the one in `[start, end)` only denies."""
    return _IT.match(reading.low, following) is not None and _DENIES.search(reading.low, start, end) is not None


def _read_clauses(reading: Reading, clauses: tuple[Clause, ...], strict: bool) -> Iterator[Finding]:
    waiting: Finding | None = None
    previous: Finding | None = None
    limited = repairing = False
    low = reading.low
    for index, clause in enumerate(clauses):
        before = clauses[index - 1] if index else None
        after = clauses[index + 1] if index + 1 < len(clauses) else None
        if clause.mark == ":" and before is not None and not is_lead_only(low, before):
            label = _read_label(reading, clauses, index)
            if label is not None:
                yield label
            return
        if is_lead_only(low, clause):
            repairing = repairing or opens_with("clause.repairs", low, clause)
            continue
        condition = _opens_with_condition(low, clause)
        finding = None
        if not limited and not condition and (before is None or not _is_narrowed(low, before, clause)):
            finding = _read_clause(reading, clause, previous, waiting or (previous and _left_open(previous)))
            if finding is None and after is not None and not strict:
                finding = _read_contrasted(reading, clause, after)
        elif condition and not limited:
            finding = _read_limited(reading, clauses, index)
        limited = limited or condition or (finding is not None and finding.condition is not None)
        if finding is not None:
            if repairing or opens_with("clause.repairs", low, clause):
                finding = finding._replace(repairs=True)
            finding = _as_followed(reading, finding, after, strict)
        if finding is not None and finding.pattern.waits:
            waiting, previous = finding, finding
            continue
        if finding is not None:
            yield _completed(reading, finding, waiting)
        previous, waiting = finding, None
    # "I used to have a dog" may be about another dog than the one there is; "I used to use Vim too" tells of others.
    if (
        waiting is not None
        and waiting.pattern.alone
        and waiting.condition is None
        and not _is_indefinite(waiting)
        and _ADDITION.search(reading.low, *waiting.quote) is None
    ):
        yield waiting


def _is_indefinite(finding: Finding) -> bool:
    return finding.verb is not None and finding.verb.indefinite


def _left_open(previous: Finding) -> Finding | None:
    """Return the ending that "it's coral now" may complete: "The palette is no longer teal"."""
    is_open = previous.subject.holder is not None and previous.pattern.polarity == "negative"
    return previous if is_open else None


def _read_label(reading: Reading, clauses: tuple[Clause, ...], index: int) -> Finding | None:
    """Read "Retry limit: 3", where nothing but interjections stands before it and at most its former value after it."""
    before, clause, *rest = clauses[index - 1 :]
    if len(rest) > 1 or not all(is_lead_only(reading.low, earlier) for earlier in clauses[: index - 1]):
        return None
    found = read_label(reading, (before.statement, before.end), clause.start, clause.end)
    if found is None or not rest:
        return found
    former = _contrast(reading, found, rest[0])
    return None if former is None else _contrasted(reading, found, former, rest[0])


def _read_clause(reading: Reading, clause: Clause, previous: Finding | None, waiting: Finding | None) -> Finding | None:
    start = clause.statement
    if clause.mark == "or":
        return None
    elided = previous.subject if previous is not None and clause.mark in {"and", "but"} else None
    opens = clause.mark == "" and "my" in reading.words and not _is_listed(reading.low, clause.start)
    found = read_clause(reading, start, clause.end, elided=elided, waiting=waiting, opens=opens)
    if found is None or start == clause.start:
        return found
    # "Now I drink tea": the word before the statement says it too.
    says_now = found.says_now or "now" in reading.low[clause.start : start].split()
    intent = "update" if says_now and found.pattern.polarity == "positive" else found.intent
    return found._replace(says_now=says_now, intent=intent)


def _is_listed(low: str, start: int) -> bool:
    return _LISTED.search(low, max(0, start - _MARKER), start) is not None


def _read_limited(reading: Reading, clauses: tuple[Clause, ...], index: int) -> Finding | None:
    """Read "If it rains, I use the tram" and "If it rains I use the tram"; a change is never limited so."""
    clause = clauses[index]
    if any(not is_lead_only(reading.low, earlier) for earlier in clauses[:index]):
        return None
    rest = clauses[index + 1] if index + 1 < len(clauses) and clauses[index + 1].mark == "," else None
    if rest is not None and index + 2 == len(clauses):
        found = read_clause(reading, rest.statement, rest.end)
        condition = (clause.statement, clause.end)
    elif index + 1 == len(clauses):
        mains = [match.start() for match in _MAIN.finditer(reading.low, clause.start, clause.end)]
        reads = [(start, read_clause(reading, start, clause.end)) for start in mains]
        fitting = [(start, found) for start, found in reads if found is not None]
        if len(fitting) != 1 or len(reading.low[clause.start : fitting[0][0]].split()) < 3:
            return None
        found = fitting[0][1]
        condition = (clause.statement, len(reading.low[: fitting[0][0]].rstrip()))
    else:
        return None
    return _limited(found, condition)


def _limited(found: Finding | None, condition: Span) -> Finding | None:
    if found is None or found.condition is not None or not _may_be_limited(found):
        return None
    quote = (min(condition[0], found.quote[0]), max(condition[1], found.quote[1]))
    return found._replace(condition=condition, quote=quote)


def _may_be_limited(finding: Finding) -> bool:
    return "condition" in finding.pattern.tails and not finding.pattern.waits


def _as_followed(reading: Reading, finding: Finding, after: Clause | None, strict: bool) -> Finding | None:
    """Return the finding as the clause after it leaves it: limited, contrasted, taken back or as it was."""
    if after is not None and not finding.pattern.waits:
        if _opens_with_condition(reading.low, after):
            return _limited(finding, (after.statement, after.end))
        contrast = _contrast(reading, finding, after)
        if contrast is not None:
            return _contrasted(reading, finding, contrast, after)
        if opens_with("clause.afterthoughts", reading.low, after) or after.mark in {"then", "or"}:
            return None
        if _is_requalified(reading, finding, after):
            return None
    return finding if not strict or finding.condition is not None else None


def _is_requalified(reading: Reading, finding: Finding, after: Clause) -> bool:
    """Whether a fragment goes on with the object or limits the statement: ", Texas", ", in my novel", "(PhD)"."""
    if is_lead_only(reading.low, after) or is_saying(reading.low[after.start : after.end]):
        return False
    if opens_with("clause.qualifying", reading.low, after):
        return True
    if finding.pattern.polarity == "negative" and opens_with("clause.narrowing", reading.low, after):
        return True
    start = after.statement
    if doubts.own_clause().match(reading.low, start, after.end) or _FIRST_PERSON.match(reading.low, start):
        return False
    is_name = reading.text[after.start].isupper()
    if (
        finding.may_be_a_list
        and after.mark in {",", "and"}
        and len(reading.low[start : after.end].split()) <= _FRAGMENT
    ):
        return True
    if not finding.is_situation:
        # "I use Vim - Ann", "I use Vim (Ann, 2019)": signed by somebody.
        return is_name and after.mark in _SIGNING
    # "I live in Paris, Texas", "I'm a doctor (of law)": a name, a bracket or an article may belong to the object.
    if after.mark == "(":
        return True
    is_apposed = after.mark in _APPOSING and (is_name or _ARTICLE.match(reading.low, after.start) is not None)
    # "..., the rent includes heating" says something of its own.
    return is_apposed and read_clause(reading, start, after.end) is None


def _contrast(reading: Reading, finding: Finding, after: Clause) -> Phrase | None:
    """Read ", not Monday", "(was Monday)", ", previously Monday" to its end."""
    found = _NOT.match(reading.low, after.start, after.end) if after.mark == "," else None
    if found is None and after.mark in _ASIDES and finding.takes_contrast:
        found = _FORMERLY.match(reading.low, after.start, after.end)
    if found is None:
        return None
    end = found.end() + len(_BEFORE.sub("", reading.low[found.end() : after.end]))
    return read_former(reading, "" if finding.verb is None else finding.verb.predicate, found.end(), end)


def _contrasted(reading: Reading, finding: Finding, contrast: Phrase, after: Clause) -> Finding | None:
    if finding.pattern.polarity != "positive" or len(finding.objects.phrases) != 1:
        return None
    if not finding.takes_contrast or not _excludes(reading, finding, contrast):
        return finding
    return finding.replacing(contrast, (finding.quote[0], after.end))


def _read_contrasted(reading: Reading, clause: Clause, after: Clause) -> Finding | None:
    """Read "The build tool is ninja now, not make": what is contrasted with its like is a value, whatever it is."""
    if _EXCLUDED.match(reading.low, after.start, after.end) is None:
        return None
    found = read_contrasted(reading, clause.statement, clause.end)
    former = None if found is None else _contrast(reading, found, after)
    if found is None or former is None or not are_alike(reading, found.objects.phrases[0], former):
        return None
    return found.replacing(former, (clause.statement, after.end))


def _excludes(reading: Reading, finding: Finding, contrast: Phrase) -> bool:
    """Whether "..., not X" says that X is over or was wrong, and not that something else is used for once."""
    if finding.repairs or finding.subject.holder is not None:
        return True
    return may_give_up(reading, finding.predicates, finding.objects.phrases[0], contrast)


def _completed(reading: Reading, finding: Finding, waiting: Finding | None) -> Finding:
    """Let "now I play the cello" replace what "I used to play" named; only the same verb and one value do."""
    if waiting is None or finding.pattern.after or not finding.says_now:
        return finding
    same = finding.predicates == waiting.predicates and finding.pattern.polarity == "positive"
    is_addition = _ADDITION.search(reading.low, *finding.quote) is not None
    if not same or is_addition or len(waiting.objects.phrases) != 1 or finding.condition is not None:
        return finding
    return finding._replace(
        former=waiting.objects.phrases[0], intent="update", quote=(waiting.quote[0], finding.quote[1])
    )


def _read_report(reading: Reading, clauses: tuple[Clause, ...]) -> Finding | None:
    """Read "my sister said I don't use it anymore": kept as unverified, never as the speaker's word."""
    spoken = [clause for clause in clauses if not is_lead_only(reading.low, clause)]
    if len(spoken) != 1:
        return None
    clause = spoken[0]
    start = clause.statement
    frame = _report().match(reading.low, start, clause.end)
    if frame is None or _vetoed_reporter().search(reading.low, start, frame.start("verb")):
        return None
    found = read_clause(reading, frame.end(), clause.end)
    if found is None or found.pattern.waits or found.condition is not None:
        return None
    return found._replace(reported=True, quote=(start, clause.end))


def _is_narrowed(low: str, before: Clause, clause: Clause) -> bool:
    if clause.mark != "," or is_lead_only(low, before):
        return False
    return opens_with("clause.narrowing", low, before)


def _opens_with_condition(low: str, clause: Clause) -> bool:
    conditions = opening("clause.conditions")
    if clause.statement == clause.start and clause.first not in conditions.firsts:
        return False
    return conditions.match(low, clause.statement, clause.end) is not None


@cache
def _vetoed_reporter() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:i|we|you|not|never|no|nobody|none|who|if|when|that|\w+n't)(?!\w)")


@cache
def _report() -> re.Pattern[str]:
    return re.compile(
        rf"(?:i\s+heard|(?:[\w'-]+\s+){{1,4}}?(?P<verb>{alternatives(vocabulary()['clause.reports'] - {'heard'})}))"
        r"\s+(?:that\s+)?(?=\S)"
    )
