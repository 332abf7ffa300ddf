"""The problems of GradBench beside derivatives written by hand in C, and beside JAX."""
