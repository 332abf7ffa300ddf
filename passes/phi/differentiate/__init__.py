"""Derivatives of expressions, as expressions of the same graph."""
