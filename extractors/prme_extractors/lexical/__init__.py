"""`lexical`, the embedded default extractor: a declarative table of English patterns."""

from prme_extractors.lexical.explaining import ExplainedClause, Explanation, explain
from prme_extractors.lexical.extractor import LexicalExtractor, extract_text

__all__ = ["ExplainedClause", "Explanation", "LexicalExtractor", "explain", "extract_text"]
