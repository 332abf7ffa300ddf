"""Programs of JAX and PyTorch as StableHLO, stored with values and gradients, so that reading is tested without them.

`python -m unit.imports.stored.make` in `tests` writes them again, where JAX and PyTorch are installed.
"""
