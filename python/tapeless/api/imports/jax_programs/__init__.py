"""Functions of JAX, read as jaxprs, written as StableHLO in which what differentiation must know is marked."""
