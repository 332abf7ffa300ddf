"""Attributes that passes put on operations of `soac`."""

IN_BOUNDS = "soac.in_bounds"
"""On `soac.update` and `soac.fused_hist`: no index or key is outside. Differentiation sets it where it writes what was
read, tests of indices are left out where it stands, and what replaces such an operation takes it over."""

FIRST = "soac.first"
"""On a `soac.fused_hist` of a float and an integer: the smallest or the largest value of each bin, which it names
(`"min"`, `"max"`), with the first iteration that has it; the integer of the destinations is -1. The operator may take
its operands in any order. `soac-arg-histograms` sets it, and targets lower it by the name."""
