"""Marked loops as grids of threads: the loops of a grid, and the code of each thread and each block."""
