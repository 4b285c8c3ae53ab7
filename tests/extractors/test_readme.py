"""The README's extractor runs as printed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from prme.model.extraction import ExtractionRequest
from prme.model.message import Message

README = Path(__file__).parents[2] / "extractors" / "README.md"


def test_the_printed_extractor_works() -> None:
    code = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code[0], names)
    message = Message(content="I LIKE TEA!", user_id="u")
    extraction = asyncio.run(names["ShoutExtractor"]().extract(ExtractionRequest(message=message, policy="p")))

    assert ["TEA"] == [claim.object for claim in extraction.claims]
    assert len(code[0].splitlines()) <= 30
