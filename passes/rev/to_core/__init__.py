"""Procedures on cells become functions of values: every cell is the value that it holds."""
