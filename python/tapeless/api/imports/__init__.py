"""Programs of other producers as functions of the language: modules of MLIR, functions of JAX, modules of PyTorch."""
