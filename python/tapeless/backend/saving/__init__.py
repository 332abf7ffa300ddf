"""Compiles kernels for the targets that a saved kernel names, and makes headers and objects for C programs."""
