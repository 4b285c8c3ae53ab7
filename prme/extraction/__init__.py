"""From a message to proposed claims: what an extractor is, how one is found, and how it is asked (SPEC 4)."""
