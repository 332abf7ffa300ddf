"""Statements, from tables of families."""

from fuzz.statements.write import block, statement

__all__ = ["block", "statement"]
