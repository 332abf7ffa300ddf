"""Modules of PyTorch, exported with their parameters as arguments, and written as StableHLO."""
