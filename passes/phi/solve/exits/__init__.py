"""Loops that run while a condition holds: how many steps they do, and what their values are then."""
