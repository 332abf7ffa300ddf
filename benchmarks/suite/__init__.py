"""All benchmarks, one after the other, and the report of them."""
