"""Expressions of a wanted type, from tables of ways to make one."""

from fuzz.expressions.write import expression, leaf

__all__ = ["expression", "leaf"]
