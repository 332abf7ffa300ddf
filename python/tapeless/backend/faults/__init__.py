"""Faults of passes and of code generators: their messages, and the files that reproduce them."""
