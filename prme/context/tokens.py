"""How many tokens a text takes, estimated without a tokenizer: rather too many than too few."""

from __future__ import annotations

import math
import re

_PARTS = re.compile(r"[A-Za-z]+|[0-9]+|[^\x00-\x7f]+|\n|[^\sA-Za-z0-9]", re.ASCII)
LETTERS_PER_TOKEN = 4
DIGITS_PER_TOKEN = 3
OTHER_BYTES_PER_TOKEN = 2
CHARACTERS_PER_TOKEN = 4


def estimated_tokens(text: str) -> int:
    """Return an estimate of the tokens of a text.

    Each run of ASCII letters counts a token for every 4 of them, each run of digits one for every 3, rounded up; a line
    break and any other ASCII character but a blank counts 1; a run of other characters counts a token for every 2 of
    its bytes in UTF-8. It is never less than a quarter of the characters. So an id is about 25 tokens, not 9.
    """
    parts = sum(map(_tokens_of, _PARTS.findall(text)))
    return max(parts, math.ceil(len(text) / CHARACTERS_PER_TOKEN))


def _tokens_of(part: str) -> int:
    if not part.isascii():
        return math.ceil(len(part.encode("utf-8", errors="replace")) / OTHER_BYTES_PER_TOKEN)
    if part.isalpha():
        return math.ceil(len(part) / LETTERS_PER_TOKEN)
    return math.ceil(len(part) / DIGITS_PER_TOKEN) if part.isdigit() else 1
