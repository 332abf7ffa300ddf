"""Loops of the host that a thread does faster than launches."""
