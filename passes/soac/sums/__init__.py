"""Accumulators turned into reductions and histograms, where loops show the addends, and sums joined."""
