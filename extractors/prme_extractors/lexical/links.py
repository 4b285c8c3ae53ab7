"""Links: what one sentence of a message says about another one's value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prme_extractors.lexical.findings import Finding
from prme_extractors.lexical.surroundings import Sentence
from prme_extractors.lexical.vocabulary import word_list


def linked(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Let "My favourite food is salad" after "I don't eat pasta anymore" name pasta as its former value.

    Only something of the speaker's is read so, and only right after what the speaker has ended: one of the two values
    was given up, so it is the other one's former value wherever it was one at all.
    """
    told = sum([len(sentence.findings) for sentence in sentences])
    return tuple(_linked(sentences)) if told > 1 else tuple(sentences)


def _linked(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    ended: Finding | None = None
    for sentence in sentences:
        findings: list[Finding] = []
        for finding in sentence.findings:
            if ended is not None and _takes_over(finding, ended):
                finding = finding.replacing(ended.objects.phrases[0], finding.quote)
            ended = finding if _ends_one(finding) else None
            findings.append(finding)
        yield sentence._replace(findings=tuple(findings))


def _takes_over(finding: Finding, ended: Finding) -> bool:
    """Whether the finding tells what is so now in place of what was ended: a favourite, or what is used."""
    holder = finding.subject.holder
    if holder is None or not (holder.is_well_known or holder.is_routine):
        return False
    is_favourite = holder.is_routine or holder.words[0] in word_list("attributes.favourite")
    return (
        (is_favourite or ended.predicates == ("uses",))
        and finding.pattern.single
        and finding.pattern.polarity == "positive"
        and finding.former is None
        and finding.condition is None
        and len(finding.objects.phrases) == 1
    )


def _ends_one(finding: Finding) -> bool:
    is_end = finding.is_correction and finding.pattern.polarity == "negative" and finding.subject.form == "I"
    return is_end and len(finding.objects.phrases) == 1
