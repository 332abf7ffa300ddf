"""Kernels and a plan of launches: what `lower-launches` makes of loops."""
