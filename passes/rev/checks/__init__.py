"""Checks at run time of what a procedure promises."""
