"""`soac-contract`: which products are fused into sums."""
