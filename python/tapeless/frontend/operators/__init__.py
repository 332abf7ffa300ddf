"""Operators on arrays: maps, reductions, scans, histograms, sorting, products of matrices, joining."""
