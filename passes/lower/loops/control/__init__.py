"""Loops and branches that carry arrays."""
