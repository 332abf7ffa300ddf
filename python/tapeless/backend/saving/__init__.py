"""Compiles kernels for the targets that a saved kernel names, and makes what C programs need to call them."""
