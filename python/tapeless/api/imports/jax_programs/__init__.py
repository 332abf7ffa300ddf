"""Functions of JAX, read as jaxprs, written as StableHLO with marks for differentiation."""
