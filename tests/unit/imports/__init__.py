"""Tests of programs of other producers: modules of MLIR, functions of JAX, modules of PyTorch."""
