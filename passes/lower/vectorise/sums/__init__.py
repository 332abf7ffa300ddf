"""Sums in vector code: lanes, registers and accumulators."""
