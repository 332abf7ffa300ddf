"""Marked loops as grids of threads: which loops a grid runs, and what each thread and each block does."""
