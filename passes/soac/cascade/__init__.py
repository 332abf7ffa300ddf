"""Scans computed together with what uses them element by element."""
