"""Scans by blocks of threads, each with a tile of the arrays."""
