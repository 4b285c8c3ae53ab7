"""`lexical`, the embedded default extractor: a declarative table of English patterns."""

from prme_extractors.lexical.extractor import LexicalExtractor, extract_text, find_all

__all__ = ["LexicalExtractor", "extract_text", "find_all"]
