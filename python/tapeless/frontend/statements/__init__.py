"""Statements: assignments to names and to parts of arrays, returns, nested functions."""
