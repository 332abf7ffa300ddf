"""The functions of `jax.lax` as a table of small programs: what each does to arrays of each dtype."""
