"""Sums into overlapping slices of one array, made into one loop that writes every element once."""
