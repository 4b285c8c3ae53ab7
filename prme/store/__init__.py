"""The store: insert-only tables in one DuckDB file, written by one thread, anchored beside it (SPEC 9)."""
