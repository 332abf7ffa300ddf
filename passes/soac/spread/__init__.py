"""Nested parallelism spread over grids of threads."""
