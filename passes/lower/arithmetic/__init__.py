"""Float arithmetic as it is executed: flags, fused products, the order of sums, streams."""
