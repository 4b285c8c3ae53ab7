"""Speakers: where "I", "me" or "my" stands in a clause that does not begin with it."""

from __future__ import annotations

import re
from functools import cache

from prme_extractors.lexical.vocabulary import first_words, vocabulary, word_list
from prme_extractors.lexical.wordings import alternatives, telling_words

CALLED = re.compile(r"(?:[\w']+\s+){0,3}?calls?\s+(?P<me>me)\s")
WHAT = re.compile(r"(?:what|the\s+[\w-]+(?:\s+[\w-]+)?)\s+(?P<me>i)\s")
FRONT = re.compile(r"(?<=\s)(?:is|are)\s+what\s+(?P<me>i)\s")


@cache
def apart() -> frozenset[str]:
    """Return words of which the message holds one, or "the" the clause begins with, where a subject stands apart."""
    return made() | parting() | {"what", "me"}


@cache
def parting() -> frozenset[str]:
    """Return the first words of what two do who part."""
    return telling_words(word_list("clause.parted"))


@cache
def made() -> frozenset[str]:
    """Return the first words of what somebody does to a thing."""
    return first_words("things.made", "things.handled")


@cache
def carer() -> re.Pattern[str]:
    """Return what somebody begins with whom a doctor treats: "My doctor took me ..."."""
    carers = alternatives(word_list("holders.carers"))
    return re.compile(rf"(?:my|the|our)\s+{carers}\s+(?:\w+\s+){{1,3}}?(?P<me>me)\s")


@cache
def pair() -> re.Pattern[str]:
    """Return an expression for two at the beginning of a clause, of whom one is the speaker: "Tom and I"."""
    parted = alternatives(vocabulary()["clause.parted"])
    return re.compile(
        r"(?:(?P<me>me|i)\s+and\s+(?:my\s+)?[\w-]+|(?:my\s+)?[\w-]+\s+and\s+(?P<last>me|i))"
        rf"(?=\s+(?:\w+\s+){{0,2}}?{parted}(?!\w))"
    )


@cache
def unsaid() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{alternatives(word_list('clause.past_adverbs'))}\s+)*"
        rf"(?P<did>{alternatives(word_list('clause.unsaid'))})\s+(?P<my>my)(?=\s)"
    )
