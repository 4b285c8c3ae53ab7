"""The nouns of SPEC 2: frozen values without I/O."""
