"""Boundary kernels fused into the interior kernel, so that one launch writes the whole array."""
