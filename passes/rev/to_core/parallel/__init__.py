"""Parallel loops: the iterations' parts of cells, and the maps that they become."""
