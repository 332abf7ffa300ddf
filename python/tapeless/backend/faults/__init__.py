"""Faults of passes and of code generators: what is said about them, and the files that reproduce them."""
