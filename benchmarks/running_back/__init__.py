"""The parts of `benchmarks/reversible.py`, the programs they measure, and the same programs in JAX."""
