"""The same values with fewer operations: common factors of sums, shared parts of products; powers."""
