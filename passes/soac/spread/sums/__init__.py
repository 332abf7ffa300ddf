"""Sums into arrays for GPUs: who adds, in which parts, and the factors taken out of them."""
