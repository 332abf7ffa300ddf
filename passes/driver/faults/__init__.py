"""Faults while passes run: found, placed, explained, reproduced."""
