"""Words as people type them in a chat, read by the speech-act gate as the words that they stand for."""

from __future__ import annotations

from prme.policy.verb_forms import Words


def _words(text: str) -> Words:
    return tuple(text.split())


CONTRACTIONS = _words(
    "aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't needn't shan't "
    "shouldn't wasn't weren't won't wouldn't i'm i've you're you've you'd you'll we've they're they've they'd "
    "they'll he's she's it'd it'll that's that'd that'll there's here's what's where's who's who'd who'll how's"
)
"""Read without their apostrophe, too; "its", "were", "well" and their like are other words and stay so."""

DOUBTFUL_CONTRACTIONS: Words = ("i'd", "i'll", "let's")
"""The same, where a clause begins."""

CONTRACTION_EXCEPTIONS: Words = (
    *(f"id {noun}" for noun in _words("number numbers card cards badge tag code field photo check checks")),
    *(f"ill {noun}" for noun in _words("health effect effects people patients children parents feeling luck")),
    *(f"ill {word}" for word in _words("advised informed equipped at today yesterday again")),
    *(f"lets {whom}" for whom in _words("me us him her them you u my our your people anyone everyone")),
)
"""Words of their own even there."""

TYPED_SPELLINGS: tuple[Words, ...] = (
    ("would", "wud", "wld"),
    ("should", "shud", "shld", "shd"),
    ("could", "cud", "cld"),
    ("you", "u"),
    ("probably", "prolly", "probly", "probaly", "prob", "probs"),
    ("maybe", "mabye", "mayb", "maybee", "mebbe"),
    ("possibly", "posibly"),
    ("apparently", "apparantly", "apparentely"),
    ("supposedly", "supposably"),
    ("supposed", "sposed", "s'posed"),
    ("going", "goin"),
    ("trying", "tryin"),
    ("thinking", "thinkin"),
    ("hoping", "hopin"),
    ("planning", "plannin", "planing"),
    ("considering", "considerin"),
    ("saying", "sayin"),
    ("says", "sez"),
    ("gonna", "gunna", "gona"),
    ("wanna", "wana"),
    ("gotta", "gota"),
    ("whether", "wether"),
    ("unless", "unles"),
    ("until", "untill"),
    ("what", "wat", "wut"),
    ("tomorrow", "tmrw", "tmr", "tomorow", "tommorow", "tommorrow"),
)
"""Each word with the other ways to type it."""
