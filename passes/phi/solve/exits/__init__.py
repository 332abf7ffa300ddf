"""Loops that run while a condition holds: their trip count, and their values then."""
