"""`soac-mark-fma`: which products are fused into sums."""
