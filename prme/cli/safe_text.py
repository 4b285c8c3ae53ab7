"""Makes text of messages safe to print: nothing in it can move the cursor, reorder a line or hide."""

from __future__ import annotations

import json
import re

# Controls, direction marks, line separators, invisible characters and lone surrogates. Joiners stay: names need them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
LONGEST_QUOTE = 280


def safe_text(text: str) -> str:
    """Return the text in one line, with every unsafe character as its Python escape."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def safe_json(document: str) -> str:
    """Return a JSON document with the unsafe characters of its texts as JSON escapes; its own line breaks stay."""
    return _UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1], document)


def quoted(text: str, *, longest: int = LONGEST_QUOTE) -> str:
    """Return the text safe and in quotation marks; what is longer than `longest` characters is cut and says so."""
    if len(text) <= longest:
        return f'"{safe_text(text)}"'
    return f'"{safe_text(text[:longest].rstrip())}..." ({len(text):,} characters)'
