"""Attributes that passes put on operations of `soac`."""

IN_BOUNDS = "soac.in_bounds"
"""On `soac.update` and `soac.fused_hist`: no index or key is outside. Differentiation sets it where it writes what was
read, tests of indices are left out where it stands, and what replaces such an operation takes it over."""
