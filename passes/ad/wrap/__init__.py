"""Functions that ask for derivatives of others, written by a pass."""
