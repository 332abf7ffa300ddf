"""Guarded branches once loops are made: what they look at, and what only their second way needs."""
