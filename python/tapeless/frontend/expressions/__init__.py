"""Expressions: constants, names, attributes, calls, Python's operators."""
