"""Sizes of arrays: as expressions, of any value by what made it, and which of them are equal."""
