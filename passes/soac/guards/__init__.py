"""Guarded branches once loops are made: their conditions, and the operations that only their second way needs."""
