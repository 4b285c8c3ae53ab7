"""Everyday objects: what somebody makes, keeps, follows, works on or did, told by its shape and not by a list."""

from __future__ import annotations

import re

from prme_extractors.lexical.phrases import Phrase, is_adjective, is_number, is_proper
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.vocabulary import verbs_of_things, word_list

_ARTICLES = frozenset({"a", "an"})
_PREPOSITION = re.compile(r"\s+(?:at|on|in|to|with|from|after|before|every|for)\s")


def accept_goods(reading: Reading, phrase: Phrase) -> bool:
    """Accept "leeks", "oat milk", "Ruby": what is bare, and no way of doing it and no activity."""
    if not phrase.capital and any(map(_is_doing, (phrase.words[0], phrase.words[-1]))):
        return False
    if (len(phrase.words) == 1 and is_adjective(phrase.words[0])) or _is_clause(reading, phrase):
        return False
    return phrase.opener == "" and accept_pursuit(reading, phrase)


def _is_doing(word: str) -> bool:
    return word.endswith("ing") and word not in word_list("values.in_ing")


def _is_clause(reading: Reading, phrase: Phrase) -> bool:
    """Whether what stands there goes on with a verb: in "Garden walks start at nine" nobody walks."""
    if phrase.capital or phrase.words[0] not in verbs_of_things():
        return False
    return len(phrase.words) > 1 or _PREPOSITION.match(reading.low, phrase.end) is not None


def accept_pursuit(reading: Reading, phrase: Phrase) -> bool:
    """Accept "cycling", "women's football", "the chess rankings": "the game" is known to who was there."""
    if phrase.opener == "the":
        is_clear = phrase.capital or len(phrase.words) > 1
    else:
        is_clear = phrase.opener == "" and phrase.words[0] not in word_list("sets.months")
    is_told = phrase.words[0] not in word_list("values.nobody") and word_list("everyday.refuse").isdisjoint(
        phrase.heads
    )
    return is_clear and is_told and not is_number(phrase)


def accept_kept(reading: Reading, phrase: Phrase) -> bool:
    if phrase.words[0].endswith("ing"):
        return False
    if phrase.opener in _ARTICLES:
        return accept_goods(reading, phrase._replace(opener=""))
    return accept_goods(reading, phrase)


def accept_wish(reading: Reading, phrase: Phrase) -> bool:
    """Accept "short answers": who wants "answers" wants them now."""
    return accept_goods(reading, phrase) and (len(phrase.words) > 1 or phrase.words[0] in {"children", "kids"})


def accept_duty(reading: Reading, phrase: Phrase) -> bool:
    """Accept what somebody works on for long, and not "my essay"."""
    return phrase.opener in {"", "a", "an", "the"} and accept_goods(reading, phrase._replace(opener=""))


def accept_named(reading: Reading, phrase: Phrase) -> bool:
    """Accept what is written with a capital: "I bank with Nordia"."""
    return phrase.opener in {"", "the"} and phrase.capital


def accept_street(reading: Reading, phrase: Phrase) -> bool:
    """Accept "Harbour Street", "12 Elm Road", "a farm", "the top floor"."""
    if phrase.opener in _ARTICLES:
        return phrase.words[-1] in word_list("homes.grounds") and word_list("homes.refuse").isdisjoint(phrase.words)
    if phrase.opener == "the":
        return phrase.heads[1] in word_list("homes.floors")
    is_street = phrase.words[-1] in word_list("homes.streets") and len(phrase.words) > 1
    return phrase.opener == "" and is_proper(reading, phrase) and is_street


def accept_deed(reading: Reading, phrase: Phrase) -> bool:
    """Accept what was done to "the pricing page" or to what has a name; "a mistake" was made by everybody."""
    if phrase.opener not in {"", "the"} or (phrase.opener == "" and not is_proper(reading, phrase)):
        return False
    return word_list("deeds.refuse").isdisjoint(phrase.heads) and not is_number(phrase)


def accept_discipline(reading: Reading, phrase: Phrase) -> bool:
    """Accept what somebody may have studied for years, not what was gone through last night."""
    return phrase.opener == "" and phrase.key in word_list("disciplines.studied")


def is_kept_for_long(phrase: Phrase) -> bool:
    """Whether it may be had for long: of two words or more, and none that tells of a plan, a moment or an opinion."""
    if phrase.opener not in _ARTICLES or len(phrase.words) == 1 or phrase.names_owner:
        return False
    refuse = word_list("had.refuse") | word_list("had.also_refuse")
    is_plain = not (is_adjective(phrase.words[0]) or phrase.words[-1].endswith("ing"))
    return is_plain and refuse.isdisjoint(phrase.words) and phrase.heads[1] not in refuse
