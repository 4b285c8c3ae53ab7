"""From a sentence to its findings: what stands around a clause decides whether it may speak."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from prme_extractors.lexical import doubts
from prme_extractors.lexical.claims import Finding, read_clause
from prme_extractors.lexical.clauses import Clause, is_lead_only, skip_leads, split_clauses
from prme_extractors.lexical.phrases import Phrase, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import alternatives
from prme_extractors.lexical.vocabulary import vocabulary

Span = tuple[int, int]

_NOT = re.compile(r"not(?=\s)")
# "... now I play the cello too" gives nothing up.
_ADDITION = re.compile(r"(?<!\w)(?:too|also|as well|both|besides|additionally)(?!\w)")
_FIRST_PERSON = re.compile(r"i(?!\w)|i[mv]e?(?!\w)|my(?!\w)")
_SIGNING = frozenset("(-\u2013\u2014")
_APPOSING = frozenset(",-\u2013\u2014")
_ARTICLE = re.compile(r"(?:the|an?)\s")
_MAIN = re.compile(r"(?<=\s)i(?=['\s])")


def read_sentence(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    """Yield what the sentence `[start, end)` says by itself."""
    if "?" in reading.text[start:end]:
        return
    clauses = split_clauses(reading.low, start, end)
    report = _read_report(reading, clauses)
    if report is not None:
        yield report
        return
    if _vetoed().search(reading.low, start, end):
        return
    strict = _strict().search(reading.low, start, end) is not None
    yield from _read_clauses(reading, clauses, strict)


def _read_clauses(reading: Reading, clauses: tuple[Clause, ...], strict: bool) -> Iterator[Finding]:
    waiting: Finding | None = None
    previous: Finding | None = None
    limited = False
    for index, clause in enumerate(clauses):
        before = clauses[index - 1] if index else None
        after = clauses[index + 1] if index + 1 < len(clauses) else None
        if clause.mark == ":" and before is not None and not is_lead_only(reading.low, before):
            return
        if is_lead_only(reading.low, clause):
            continue
        condition = _opens_with_condition(reading.low, clause)
        finding = None
        if not limited and not condition and not _is_narrowed(reading.low, before, clause):
            finding = _read_clause(reading, clause, previous, waiting)
        elif condition and not limited:
            finding = _read_limited(reading, clauses, index)
        limited = limited or condition or (finding is not None and finding.condition is not None)
        finding = _as_followed(reading, finding, clause, after, strict)
        if finding is not None and finding.pattern.waits:
            waiting, previous = finding, finding
            continue
        if finding is not None:
            yield _completed(reading, finding, waiting)
        previous, waiting = finding, None


def _read_clause(reading: Reading, clause: Clause, previous: Finding | None, waiting: Finding | None) -> Finding | None:
    start = skip_leads(reading.low, clause)
    if clause.mark == "or":
        return None
    elided = previous.subject if previous is not None and clause.mark in {"and", "but"} else None
    found = read_clause(reading, start, clause.end, elided=elided, waiting=waiting)
    if found is None or start == clause.start:
        return found
    # "Now I drink tea": the word before the statement says it too.
    says_now = found.says_now or "now" in reading.low[clause.start : start].split()
    intent = "update" if says_now and found.pattern.polarity == "positive" else found.intent
    return replace(found, says_now=says_now, intent=intent)


def _read_limited(reading: Reading, clauses: tuple[Clause, ...], index: int) -> Finding | None:
    """Read "If it rains, I use the tram" and "If it rains I use the tram"; a change is never limited so."""
    clause = clauses[index]
    if any(not is_lead_only(reading.low, earlier) for earlier in clauses[:index]):
        return None
    rest = clauses[index + 1] if index + 1 < len(clauses) and clauses[index + 1].mark == "," else None
    if rest is not None and index + 2 == len(clauses):
        found = read_clause(reading, skip_leads(reading.low, rest), rest.end)
        condition = (skip_leads(reading.low, clause), clause.end)
    elif index + 1 == len(clauses):
        mains = [match.start() for match in _MAIN.finditer(reading.low, clause.start, clause.end)]
        reads = [(start, read_clause(reading, start, clause.end)) for start in mains]
        fitting = [(start, found) for start, found in reads if found is not None]
        if len(fitting) != 1 or len(reading.low[clause.start : fitting[0][0]].split()) < 3:
            return None
        found = fitting[0][1]
        condition = (skip_leads(reading.low, clause), len(reading.low[: fitting[0][0]].rstrip()))
    else:
        return None
    return _limited(found, condition)


def _limited(found: Finding | None, condition: Span) -> Finding | None:
    if found is None or found.condition is not None or not _may_be_limited(found):
        return None
    quote = (min(condition[0], found.quote[0]), max(condition[1], found.quote[1]))
    return replace(found, condition=condition, quote=quote)


def _may_be_limited(finding: Finding) -> bool:
    return "condition" in finding.pattern.tails and not finding.pattern.waits


def _as_followed(
    reading: Reading, finding: Finding | None, clause: Clause, after: Clause | None, strict: bool
) -> Finding | None:
    """Return the finding as the clause after it leaves it: limited, contrasted, taken back or as it was."""
    if finding is not None and after is not None and not finding.pattern.waits:
        if _opens_with_condition(reading.low, after):
            return _limited(finding, (skip_leads(reading.low, after), after.end))
        contrast = _contrast(reading, after)
        if contrast is not None:
            return _contrasted(finding, contrast, after)
        if _afterthought().match(reading.low, after.start, after.end) or after.mark in {"then", "or"}:
            return None
        if _is_requalified(reading, finding, after):
            return None
    return finding if finding is None or not strict or finding.condition is not None else None


def _is_requalified(reading: Reading, finding: Finding, after: Clause) -> bool:
    """Whether a fragment goes on with the object or limits the statement: ", Texas", ", in my novel", "(PhD)"."""
    if is_lead_only(reading.low, after):
        return False
    if _qualifying().match(reading.low, after.start, after.end):
        return True
    if finding.pattern.polarity == "negative" and _narrowing().match(reading.low, after.start, after.end):
        return True
    start = skip_leads(reading.low, after)
    if doubts.own_clause().match(reading.low, start, after.end) or _FIRST_PERSON.match(reading.low, start):
        return False
    is_name = reading.text[after.start].isupper()
    if not finding.is_situation:
        # "I use Vim - Ann", "I use Vim (Ann, 2019)": signed by somebody.
        return is_name and after.mark in _SIGNING
    # "I live in Paris, Texas", "I'm a doctor (of law)": a name, a bracket or an article may belong to the object.
    return after.mark == "(" or (
        after.mark in _APPOSING and (is_name or _ARTICLE.match(reading.low, after.start) is not None)
    )


def _contrast(reading: Reading, after: Clause) -> Phrase | None:
    """Read ", not Monday" to its end."""
    found = _NOT.match(reading.low, after.start, after.end)
    phrase = None if found is None or after.mark != "," else read_phrase(reading, found.end(), after.end)
    return phrase if phrase is not None and phrase.end == after.end else None


def _contrasted(finding: Finding, contrast: Phrase, after: Clause) -> Finding | None:
    if finding.pattern.polarity != "positive" or len(finding.objects.phrases) != 1:
        return None
    if not finding.pattern.single:
        return finding
    return replace(finding, former=contrast, intent="update", quote=(finding.quote[0], after.end))


def _completed(reading: Reading, finding: Finding, waiting: Finding | None) -> Finding:
    """Let "now I play the cello" replace what "I used to play" named; only the same verb and one value do."""
    if waiting is None or finding.pattern.after is not None or not finding.says_now:
        return finding
    same = finding.predicates == waiting.predicates and finding.pattern.polarity == "positive"
    is_addition = _ADDITION.search(reading.low, *finding.quote) is not None
    if not same or is_addition or len(waiting.objects.phrases) != 1 or finding.condition is not None:
        return finding
    return replace(
        finding, former=waiting.objects.phrases[0], intent="update", quote=(waiting.quote[0], finding.quote[1])
    )


def _read_report(reading: Reading, clauses: tuple[Clause, ...]) -> Finding | None:
    """Read "my sister said I don't use it anymore": kept as unverified, never as the speaker's word."""
    spoken = [clause for clause in clauses if not is_lead_only(reading.low, clause)]
    if len(spoken) != 1:
        return None
    clause = spoken[0]
    start = skip_leads(reading.low, clause)
    frame = _report().match(reading.low, start, clause.end)
    if frame is None or _vetoed_reporter().search(reading.low, start, frame.start("verb")):
        return None
    found = read_clause(reading, frame.end(), clause.end)
    if found is None or found.pattern.waits or found.condition is not None:
        return None
    return replace(found, reported=True, quote=(start, clause.end))


def _is_narrowed(low: str, before: Clause | None, clause: Clause) -> bool:
    if before is None or clause.mark != "," or is_lead_only(low, before):
        return False
    return _narrowing().match(low, before.start, before.end) is not None


def _opens_with_condition(low: str, clause: Clause) -> bool:
    return _conditions().match(low, skip_leads(low, clause), clause.end) is not None


@cache
def _conditions() -> re.Pattern[str]:
    return re.compile(rf"{alternatives(vocabulary()['clause.conditions'])}(?!\w)")


@cache
def _strict() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){alternatives(vocabulary()['clause.strict_conditions'])}(?!\w)")


@cache
def _narrowing() -> re.Pattern[str]:
    return re.compile(rf"{alternatives(vocabulary()['clause.narrowing'])}(?!\w)")


@cache
def _qualifying() -> re.Pattern[str]:
    return re.compile(rf"{alternatives(vocabulary()['clause.qualifying'])}(?!\w)")


@cache
def _afterthought() -> re.Pattern[str]:
    return re.compile(rf"{alternatives(vocabulary()['clause.afterthoughts'])}(?!\w)")


@cache
def _vetoed() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){alternatives(vocabulary()['vetoes.sentence'])}(?!\w)")


@cache
def _vetoed_reporter() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:i|we|you|not|never|no|nobody|none|who|if|when|that|\w+n't)(?!\w)")


@cache
def _report() -> re.Pattern[str]:
    return re.compile(
        r"(?:i\s+heard|(?:[\w'-]+\s+){1,4}?(?P<verb>said|says|told\s+me|tells\s+me|claims|claimed|insists|insisted|mentioned))"
        r"\s+(?:that\s+)?(?=\S)"
    )
