"""Inverses of procedures."""
