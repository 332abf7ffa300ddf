"""StableHLO, as JAX and PyTorch write it, brought to core IR: a table of rules, and the code they share."""
