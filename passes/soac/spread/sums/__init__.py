"""Sums into arrays for GPUs: who adds, in which parts, and what is taken out of them."""
