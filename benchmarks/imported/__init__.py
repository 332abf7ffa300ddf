"""Programs written for JAX and read by `tl.from_jax`, beside `jax.jit` and beside the same written by hand."""
