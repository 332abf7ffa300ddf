"""Sums into arrays."""
