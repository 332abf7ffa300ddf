"""Loops whose steps have no inverse."""
