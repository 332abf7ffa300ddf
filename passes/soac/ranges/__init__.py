"""Value ranges of integers, and simplifications by them."""
