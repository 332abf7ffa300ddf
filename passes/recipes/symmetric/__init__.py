"""Batches of sums of products that are the same with rows and columns exchanged."""
