"""Programs of JAX as StableHLO, stored with their values and gradients, so that reading them is tested without JAX.

`python -m unit.imports.stored.make` in `tests` writes them again, where JAX is installed.
"""
