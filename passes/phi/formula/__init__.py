"""Expressions as readable formulas, in plain text and in LaTeX, with names for common subexpressions."""
