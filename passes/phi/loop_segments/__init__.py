"""Loops that become segments: found, freed of their checks, weighed, and outlined."""
