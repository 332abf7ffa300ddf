"""Scans: in one loop, in pieces, by vectors."""
