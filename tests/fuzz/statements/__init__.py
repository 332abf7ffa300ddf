"""Statements, from tables of families."""

from fuzz.statements.write import statement

__all__ = ["statement"]
