"""Scalar functions, on numbers and element by element on arrays."""
