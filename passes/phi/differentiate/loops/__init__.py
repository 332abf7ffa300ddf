"""Derivatives of loops, by their kind, in both modes."""
