"""Rewrites that bring a function into the form the derivative rules take."""
