"""Kernels and a plan of launches, the result of `lower-launches`."""
