"""What a question would cost, roughly, from the lengths of its texts: for deciding before anything is sent."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from prme.model.extractor_run import ModelUsage

# Measured on the prompt and on chat messages; docs/models.md compares an estimate with what was counted.
ASCII_CHARACTERS_PER_TOKEN = 4.0
OTHER_CHARACTERS_PER_TOKEN = 1.5
TOKENS_OF_AN_EMPTY_ANSWER = 15
TOKENS_OF_A_CLAIM = 85
_SENTENCE = re.compile(r"[^.!?\n]*\w[^.!?\n]*")


def estimated_usage(sent: Sequence[str], messages: Sequence[str]) -> ModelUsage:
    """Return the tokens of the texts that are sent, and of an answer with one claim for each sentence."""
    claims = sum(len(_SENTENCE.findall(message)) for message in messages)
    answers = TOKENS_OF_AN_EMPTY_ANSWER * len(messages) + TOKENS_OF_A_CLAIM * claims
    return ModelUsage(input_tokens=sum(map(_tokens, sent)), output_tokens=answers)


def _tokens(text: str) -> int:
    plain = len(text.encode("ascii", errors="ignore"))
    return math.ceil(plain / ASCII_CHARACTERS_PER_TOKEN + (len(text) - plain) / OTHER_CHARACTERS_PER_TOKEN)
