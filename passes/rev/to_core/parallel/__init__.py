"""Parallel loops: what iterations have of cells, and the maps that they become."""
