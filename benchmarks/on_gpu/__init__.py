"""The benchmark of GPUs: programs, the same in JAX and PyTorch, their arguments, and measurements."""
