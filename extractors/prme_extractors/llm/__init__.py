"""Extractors that ask a language model: Anthropic's, OpenAI's, and any server that speaks the latter's protocol.

The two SDKs are imported when an extractor is made, not before. Nothing here knows the engine: it sends one prompt for
each policy, reads the answer back strictly, and says in typed errors why there is none.
"""
