"""What takes a statement back, doubts it or puts it into another mouth: the expressions of `doubts.toml`."""

from __future__ import annotations

import re
from functools import cache

from prme_extractors.lexical.vocabulary import table, vocabulary
from prme_extractors.lexical.wordings import Phrases, alternatives

# The first characters of all these stand in front of each expression, so that the search goes from one to the next; the
# lookbehinds see that character. Winks, tongues and rolled eyes; a plain smile is sincere.
_EMOJI = "\U0001f602\U0001f609\U0001f60f\U0001f61b-\U0001f61d\U0001f643\U0001f644\U0001f921\U0001f923\U0001f92a"
_FACE = rf"(?<!\w.)(?:(?<=[;:=8])-?[pdb](?![\w/])|(?<=;)-?[)\]}}])|(?<=[{_EMOJI}])"
_LAUGHTER = r"(?<!\w.)(?:(?<=x)d+|(?<=h)(?:a(?:ha)+h?|e(?:he)+)|(?<=l)(?:ol\w*|mf?ao)|(?<=r)ofl)(?!\w)"
# "suuure", "riiight": drawn out, a word means its opposite.
_DRAWN_OUT = r"(?<!\w.)(?:(?<=s)s*u{2,}re+|(?<=r)i{2,}ght|(?<=n)o{3,}t|(?<=y)eah,? (?:sure|right))(?!\w)"
# A pronoun that stands for the object or the place of another clause: "I adore it", "I live there", "I have one a day".
_POINTER = (
    r"(?<=\w )(?<!about )(?<!because )(?<!since )(?<!and )(?<!so )(?:it|them|that|this|there|those)(?![\w'])"
    r"|(?<=\w )(?:one|ones|some)(?=\s*(?:[.!,;:)]|\Z)|\s+(?:a|an|now|too|daily|every|instead)\b)"
)
# What happened once: after "I stopped eating" it tells of one meal.
_HAPPENED = (
    r"(?<![\w'])(?:was|were|wasn't|weren't|had|did|didn't|left|went|came|got|ran|broke|fell|rang|hung|lost|won|began|"
    r"took|said|saw|met|sat|stood|slept|woke|ate|drank|\w{3,}ed)(?!\w)"
)


@cache
def words(key: str) -> frozenset[str]:
    """Return one list of `doubts.toml`, keyed `section.name`."""
    section, name = key.split(".")
    return frozenset(_data()[section][name])


@cache
def anywhere(*keys: str) -> Phrases:
    """Return the phrases of the lists, wherever they stand."""
    return Phrases.listed(frozenset().union(*map(words, keys)), behind=r"(?<![\w'])")


@cache
def opening(*keys: str) -> re.Pattern[str]:
    """Return an expression for any word of the lists at the place where the search begins."""
    return re.compile(rf"(?:{'|'.join(alternatives(words(key)) for key in keys)})(?!\w)")


@cache
def irony() -> re.Pattern[str]:
    """Return an expression for what says that a sentence means its opposite."""
    return re.compile(f"[;:=8nrsy{_EMOJI}](?:{_FACE}|{_DRAWN_OUT})")


@cache
def amusement() -> re.Pattern[str]:
    """Return an expression for irony and for laughter, which is sincere as often as not."""
    return re.compile(f"[;:=8hlnrsxy{_EMOJI}](?:{_FACE}|{_DRAWN_OUT}|{_LAUGHTER})")


@cache
def pointer() -> re.Pattern[str]:
    """Return an expression for a pronoun that stands for the object or the place of another clause."""
    return re.compile(_POINTER)


@cache
def happened() -> re.Pattern[str]:
    """Return an expression for a verb in the past."""
    return re.compile(_HAPPENED)


@cache
def order() -> re.Pattern[str]:
    """Return an expression for a clause that calls for something unreal: "Suppose ...", "Now imagine ..."."""
    return re.compile(
        rf"(?:\A|[.!?,;:\n(]\s*)(?:(?:please|now|just|ok|okay|so|let's|and)\s+)*{alternatives(words('frames.imperative'))}(?!\w)"
    )


@cache
def teller() -> re.Pattern[str]:
    """Return an expression for what announces somebody else's words, to the end of its sentence or line."""
    return re.compile(
        rf"(?<!\w)(?:{alternatives(words('frames.tellers'))}(?:\s+\w+)?\s+(?:this|that|these|it)|(?:heard|got|say)\s+this)"
        r"(?=\s*(?:[.!:,]|\n|\Z))|:[ \t]*(?=\n)|^(?:from|to|cc|subject|date|re|fwd?):"
        r"|(?<!\w)(?:say|said|write|wrote|tell|told|mean)(?:\s+\w+){0,2}\s*\?",
        re.MULTILINE,
    )


def may_tell(told: frozenset[str]) -> bool:
    """Whether a text with these words, and without a colon, may announce somebody else's words."""
    return not telling_of_others().isdisjoint(told)


@cache
def telling_of_others() -> frozenset[str]:
    """Return words of which a text without a colon holds one where it announces somebody else's words."""
    return words("frames.tellers") | {"heard", "got", "say", "said", "write", "wrote", "tell", "told", "mean"}


@cache
def gone() -> Phrases:
    """Return the phrases like "she died last year", said of what was named before."""
    given = ("sold", "lost", "gave", "returned", "put", "cancelled", "canceled")
    ended = words("takebacks.gone")
    return Phrases.of(
        (*ended, *given),
        re.compile(
            rf"(?<![\w'])(?:he|she|it|they|both)\s+(?:\w+\s+){{0,3}}?{alternatives(ended)}(?!\w)"
            rf"|(?<![\w'])(?:we|i)\s+{alternatives(given)}\s+(?:him|her|it|them)(?!\w)"
        ),
    )


@cache
def own_clause() -> re.Pattern[str]:
    """Return an expression for the beginning of a clause with a subject and a finite verb of its own."""
    verbs = {form for verb in vocabulary().verbs for form in (verb.base.split()[0], verb.s.split()[0])}
    finite = alternatives(verbs | words("corrections.verbs") | words("corrections.auxiliaries"))
    adverbs = rf"(?:(?:{alternatives(vocabulary()['clause.adverbs'])}|never|no\s+longer)\s+)*"
    return re.compile(
        rf"(?:(?:and|so|because|since|cause|cuz|plus|also)\s+)*"
        rf"(?:(?:i|we|he|she|they|it|there)(?:'(?:s|m|re|ve)\s|\s+{adverbs}(?:{finite}|\w{{2,}}ed)(?!\w))"
        rf"|(?:my|our|the|his|her|their|a|an)(?:\s+[\w'-]+){{1,3}}?\s+{adverbs}{finite}(?!\w)"
        rf"|(?:i|it)m?\s+(?=\w+ing(?!\w)))"
    )


@cache
def _data() -> dict[str, dict[str, list[str]]]:
    return table("doubts.toml")
