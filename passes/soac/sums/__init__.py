"""Sums instead of accumulators: reductions and histograms where loops say what is added, and sums joined."""
