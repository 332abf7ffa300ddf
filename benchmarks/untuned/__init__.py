"""Programs as users write them, without tuning, beside JAX, PyTorch and numpy."""
