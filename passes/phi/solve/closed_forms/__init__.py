"""Closed forms of recurrences: of one carried value, of several that are affine in each other."""
