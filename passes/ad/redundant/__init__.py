"""Adjoints by redundant execution: each scope is run again on the way back, then its statements in reverse."""
