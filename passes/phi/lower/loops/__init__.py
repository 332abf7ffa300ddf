"""Loops as code: `scf.for` and `scf.while`, and doubling for powers."""
