"""Bounded lexical correction rules: a pure, order-independent fold of claims and decisions (SPEC 8)."""
