"""What mentions and quotations cut out of a text."""

from __future__ import annotations

from prme.grounding.folded_text import fold_content
from prme.grounding.mentions import find_mentions
from prme.grounding.quotations import find_quotations
from prme.grounding.sentences import split_paragraphs


def mentioned(content: str, term: str) -> list[str]:
    folded = fold_content(content)
    spans = [folded.stored(extent) for extent in find_mentions(folded, term)]
    return [content[start:end] for start, end in spans]


def quoted(text: str) -> list[str]:
    return [text[start:end] for start, end in find_quotations(text, split_paragraphs(text))]
