"""Sizes of arrays: as expressions, of any value by its producer, and which of them are equal."""
