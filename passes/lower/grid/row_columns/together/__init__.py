"""Searches for places and sums at these, by the same blocks."""
