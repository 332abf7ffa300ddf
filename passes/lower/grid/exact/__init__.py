"""Sums that are the same in every order of their terms."""
