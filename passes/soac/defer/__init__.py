"""Sums over the iterations of a loop, taken after it."""
